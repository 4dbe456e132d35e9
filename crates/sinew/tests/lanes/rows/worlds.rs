//! Worlds side by side: what rows are made of, gathered from simulations of the scalar engine.

use crate::Random;
use sinew::dynamics::com::Com;
use sinew::dynamics::kinematics::Kinematics;
use sinew::engine::Data;
use sinew::engine::integrate::integrate_position;
use sinew::engine::position::contact::Contact;
use sinew::math::Real;
use sinew::model::Model;
use sinew::model::column::LaneCell;

/// Numbers of one world, or of several side by side.
pub struct Worlds<P> {
    pub qpos: Vec<P>,
    pub qvel: Vec<P>,
    pub kinematics: Kinematics<P>,
    pub com: Com<P>,
    /// Which equalities are active, per lane.
    pub eq_active: Vec<Vec<u8>>,
    /// Contacts that have rows, with their numbers, per lane.
    pub contacts: Vec<Vec<(usize, Contact)>>,
    /// Inverse weights of the bodies of each contact, per lane.
    pub weights: Vec<Vec<f64>>,
}

impl<P: Real> Worlds<P> {
    /// Gathers simulations, one per lane, each with its own values of the model.
    pub fn gather(model: &Model, worlds: &[(&Model, Data)]) -> Self {
        let mut out = Worlds {
            qpos: vec![P::ZERO; model.nq],
            qvel: vec![P::ZERO; model.nv],
            kinematics: Kinematics::new(model),
            com: Com::new(model),
            eq_active: Vec::new(),
            contacts: Vec::new(),
            weights: Vec::new(),
        };
        for (lane, (own, data)) in worlds.iter().enumerate() {
            for (cell, one) in out.qpos.iter_mut().zip(&data.state.qpos) {
                cell.put(lane, *one);
            }
            for (cell, one) in out.qvel.iter_mut().zip(&data.state.qvel) {
                cell.put(lane, *one);
            }
            out.kinematics.put_lane(lane, &data.position.kinematics);
            out.com.put_lane(lane, &data.position.com);
            out.eq_active.push(data.input.eq_active.clone());
            let contacts: Vec<(usize, Contact)> = (0..data.position.contacts.contact.len())
                .filter(|i| data.position.constraints.first_row(*i).is_some())
                .map(|i| (i, data.position.contacts.contact[i]))
                .collect();
            let weight = |contact: &Contact| {
                let [first, second] = bodies(own, contact);
                own.body_invweight0[first][0] + own.body_invweight0[second][0]
            };
            out.weights.push(
                contacts
                    .iter()
                    .map(|(_, contact)| weight(contact))
                    .collect(),
            );
            out.contacts.push(contacts);
        }
        out
    }
}

/// The bodies that touch.
pub fn bodies(model: &Model, contact: &Contact) -> [usize; 2] {
    contact
        .geom
        .map(|geom| model.geom_bodyid[geom as usize] as usize)
}

/// A simulation at a random state, with some equalities switched off.
pub fn scattered(model: &Model, seed: usize) -> Data {
    let mut random = Random(seed as u64 + 1);
    let mut data = Data::new(model);
    let away: Vec<f64> = (0..model.nv).map(|_| random.next()).collect();
    integrate_position(model, &mut data.state.qpos, &away, 0.4).expect("fits");
    data.state
        .qvel
        .iter_mut()
        .for_each(|v| *v = 3.0 * random.next());
    for active in &mut data.input.eq_active {
        *active = u8::from(random.next() > -0.5);
    }
    data.forward(model).expect("a finite state");
    data
}
