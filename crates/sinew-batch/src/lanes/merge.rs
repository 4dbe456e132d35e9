//! Contacts of different bodies in one row.
//!
//! Worlds side by side touch at different places. A row per place would make as many rows as all of them have
//! together; instead the first contact of every lane shares its rows, then the second of every lane, and so on, as
//! far as they have the same friction. Each lane keeps the order of its contacts.

use sinew_dynamics::row::contact::Friction;

/// Lanes, a bit each.
pub(super) type LaneSet = u16;

/// Rows that contacts of different lanes share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shared {
    pub friction: Friction,
    /// The first of the rows, among those of all contacts.
    pub row: usize,
    /// Lanes that have a contact here.
    pub lanes: LaneSet,
    /// Degrees of freedom that move one of the contacts, a bit each.
    pub columns: u64,
}

/// A contact in some of its lanes, and the rows it goes to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    /// Which contact of the group.
    pub contact: usize,
    /// Which shared rows.
    pub shared: usize,
    pub lanes: LaneSet,
}

/// Who shares rows with whom.
#[derive(Clone, Debug, Default)]
pub(super) struct Merge {
    pub shared: Vec<Shared>,
    pub shares: Vec<Share>,
}

impl Merge {
    /// Shares rows out among contacts, given in order as their friction, lanes and columns.
    pub fn plan(&mut self, contacts: impl Iterator<Item = (Friction, LaneSet, u64)>) {
        self.shared.clear();
        self.shares.clear();
        // The first shared rows that a lane may still use.
        let mut next = [0; LaneSet::BITS as usize];
        for (contact, (friction, lanes, columns)) in contacts.enumerate() {
            let first_share = self.shares.len();
            for lane in (0..next.len()).filter(|lane| lanes & (1 << lane) != 0) {
                let free = &self.shared[next[lane]..];
                let place = free.iter().position(|shared| shared.friction == friction);
                let place = match place {
                    Some(place) => next[lane] + place,
                    None => {
                        let last = self.shared.last();
                        let row = last.map_or(0, |last| last.row + last.friction.rows());
                        self.shared.push(Shared {
                            friction,
                            row,
                            lanes: 0,
                            columns: 0,
                        });
                        self.shared.len() - 1
                    }
                };
                next[lane] = place + 1;
                self.shared[place].lanes |= 1 << lane;
                self.shared[place].columns |= columns;
                let own = &mut self.shares[first_share..];
                match own.iter_mut().find(|share| share.shared == place) {
                    Some(share) => share.lanes |= 1 << lane,
                    None => self.shares.push(Share {
                        contact,
                        shared: place,
                        lanes: 1 << lane,
                    }),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_lane_keeps_the_order_of_its_contacts() {
        let (slide, stick) = (Friction::Pyramidal(3), Friction::None);
        let contacts = [
            (slide, 0b001, 0b0011),
            (stick, 0b011, 0b0100),
            (slide, 0b110, 0b1000),
            (slide, 0b001, 0b0001),
        ];
        let mut merge = Merge::default();
        merge.plan(contacts.into_iter());
        let order = |lane: usize| -> Vec<(usize, usize)> {
            let shares = merge.shares.iter();
            let mut own: Vec<_> = shares
                .filter(|share| share.lanes & (1 << lane) != 0)
                .map(|share| (share.shared, share.contact))
                .collect();
            own.sort_unstable();
            own
        };
        let contacts_of = |lane: usize| order(lane).iter().map(|place| place.1).collect::<Vec<_>>();
        assert_eq!(contacts_of(0), [0, 1, 3]);
        assert_eq!(contacts_of(1), [1, 2]);
        assert_eq!(contacts_of(2), [2]);
        // The slide of lane 2 and that of lane 0 share rows.
        assert_eq!(merge.shared.len(), 3);
        assert_eq!(merge.shared[0].lanes, 0b101);
        assert_eq!(merge.shared[0].columns, 0b1011);
        for share in &merge.shares {
            let friction = contacts[share.contact].0;
            assert_eq!(merge.shared[share.shared].friction, friction);
        }
    }
}
