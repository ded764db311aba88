//! A few seeds of each; `interlock fire` tries thousands.

use super::{candidates, try_seeds};

#[test]
fn right_variants_keep_the_rules_and_wrong_ones_are_caught() {
    for candidate in candidates() {
        let wrong = candidate.variant.broken.is_some();
        let tried = try_seeds(candidate, 1, if wrong { 2_000 } else { 20 }, &|| ());
        assert!(tried.is_as_expected(), "{tried:?}");
    }
}

/// In these runs a message was so long under way that others entered hundreds of times meanwhile.
#[test]
fn a_slow_message_is_no_starvation() {
    for (name, seed) in [("raymond", 297), ("naimi-trehel", 1_056)] {
        let candidate = candidates().find(|candidate| candidate.entry.name == name).expect("an algorithm");
        let tried = try_seeds(candidate, seed, 1, &|| ());
        assert!(tried.is_as_expected(), "{tried:?}");
    }
}

#[test]
fn what_is_found_does_not_depend_on_who_finds_it() {
    let wrong = candidates().find(|candidate| candidate.variant.name == "both-hold").expect("a wrong variant");
    let tried = try_seeds(wrong, 1, 100, &|| ());
    assert!(tried.caught_by.is_some());
    assert_eq!(try_seeds(wrong, 1, 100, &|| ()), tried);
}

#[test]
fn runs_differ_in_what_may_differ() {
    let candidate = candidates().find(|candidate| candidate.entry.name == "raymond").expect("an algorithm");
    let runs: Vec<_> = (0..50).map(|seed| super::simulation(candidate, seed).expect("a run").specification).collect();
    let different = |of: &dyn Fn(&crate::specification::Specification) -> String| {
        runs.iter().map(of).collect::<std::collections::BTreeSet<_>>().len()
    };
    assert_eq!(different(&|run| run.nodes.to_string()), 11, "from 2 to 12");
    assert!(different(&|run| run.network.delay.to_string()) >= 5);
    assert!(different(&|run| format!("{:?}", run.parameters.get("tree"))) >= 5);
    assert!(runs.iter().all(|run| run.network.loss <= 0.0), "Raymond's algorithm assumes that nothing is lost");
}
