//! The displayed state of every algorithm at one moment. Process 0 of three is in the critical section, 1 and 2
//! have requested it in this order, and all messages have arrived. `views.txt` contains these views as the API
//! writes them, one node for each line.

use interlock_algorithm::Algorithm;
use interlock_algorithm::mutual_exclusion::bakery::Bakery;
use interlock_algorithm::mutual_exclusion::carvalho_roucairol::CarvalhoRoucairol;
use interlock_algorithm::mutual_exclusion::centralised::Centralised;
use interlock_algorithm::mutual_exclusion::lamport::Lamport;
use interlock_algorithm::mutual_exclusion::maekawa::Maekawa;
use interlock_algorithm::mutual_exclusion::naimi_trehel::NaimiTrehel;
use interlock_algorithm::mutual_exclusion::raymond::Raymond;
use interlock_algorithm::mutual_exclusion::ricart_agrawala::RicartAgrawala;
use interlock_algorithm::mutual_exclusion::ricart_agrawala_token::RicartAgrawalaToken;
use interlock_algorithm::mutual_exclusion::sanders::Sanders;
use interlock_algorithm::mutual_exclusion::suzuki_kasami::SuzukiKasami;

use crate::driver::script::Script;

/// Returns text lines: the name of the algorithm, and the views of nodes 0, 1 and 2, one on each line.
fn seen<A: Algorithm>(variant: &str) -> String {
    let mut stage = Script::<A>::begin(variant, 3);
    for node in [0, 1, 2] {
        stage.acquire(node);
        stage.deliver_all();
    }
    assert_eq!((stage.inside(), stage.waiting()), (vec![0], vec![1, 2]), "{variant}");
    let views = [0, 1, 2].map(|node| serde_json::to_string(&stage.view(node)).expect("a view is JSON"));
    format!("{} {variant}\n{}\n", A::ENTRY.name, views.join("\n"))
}

#[test]
fn what_people_see_is_what_the_algorithm_knows() {
    let seen = [
        seen::<Lamport>("postponed-ack"),
        seen::<RicartAgrawala>("lamport-clock"),
        seen::<CarvalhoRoucairol>("original"),
        seen::<Centralised>("arrival-order"),
        seen::<Maekawa>("corrected"),
        seen::<Sanders>("ricart-agrawala"),
        seen::<SuzukiKasami>("fifo-queue"),
        seen::<RicartAgrawalaToken>("ring-order"),
        seen::<RicartAgrawalaToken>("longest-waiting"),
        seen::<NaimiTrehel>("original"),
        seen::<Raymond>("original"),
        seen::<Bakery>("push"),
    ];
    let expected = include_str!("views.txt").split_inclusive("\n\n").map(|views| views.trim_end().to_owned() + "\n");
    for (seen, expected) in seen.iter().zip(expected.clone()) {
        assert_eq!(*seen, expected);
    }
    assert_eq!(seen.len(), expected.count());
}
