//! Models are shared between threads, simulations are moved between them.

use sinew::engine::{Data, Engine};
use sinew::model::Model;
use sinew::models;

const fn is_send<T: Send>() {}
const fn is_sync<T: Sync>() {}

const _: () = {
    is_send::<Model>();
    is_sync::<Model>();
    is_send::<Data>();
};

#[test]
fn models_load_and_compute_in_parallel() {
    let run = || {
        let model = models::get("quadruped")
            .expect("built in")
            .load()
            .expect("loads")
            .model;
        let mut data = Data::new(&model);
        Engine::new(&model)
            .forward_position(&mut data)
            .expect("its own model");
        let com = data.position.com.subtree_com[0].0;
        com.map(f64::to_bits)
    };
    let alone = run();
    let together: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(run)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("no panic"))
            .collect()
    });
    assert!(
        together.iter().all(|bits| *bits == alone),
        "equal bits on every thread"
    );
}
