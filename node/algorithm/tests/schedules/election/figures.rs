//! Tests of the number of messages that an election costs.

use interlock_algorithm::Algorithm;
use interlock_algorithm::election::acknowledged_ring::AcknowledgedRing;
use interlock_algorithm::election::bully::Bully;
use interlock_algorithm::election::chang_roberts::ChangRoberts;
use interlock_algorithm::election::hirschberg_sinclair::HirschbergSinclair;

use crate::driver::random::tried;
use crate::driver::script::Script;

/// Delivers all messages, and makes timers expire when no message is in transit.
fn finish<A: Algorithm>(stage: &mut Script<A>) {
    stage.deliver_all();
    while stage.run_out_first().is_some() {
        stage.deliver_all();
    }
}

/// BUL-3 states the number of messages as a function of m, the number of ids above the caller's id.
#[test]
fn bully_takes_as_many_messages_as_the_formulas_say() {
    for nodes in 2..=9 {
        for caller in 0..nodes {
            let m = (nodes - 1 - caller) as usize;
            let mut all_live = Script::<Bully>::begin("original initiators=none", nodes);
            all_live.elect(caller);
            finish(&mut all_live);
            assert_eq!(all_live.sent_in_all() as usize, m * (m + 1) + nodes as usize - 1, "{nodes} {caller}");
            if m > 0 {
                let mut dead = Script::<Bully>::begin("original initiators=none", nodes);
                dead.crash(nodes - 1);
                dead.elect(caller);
                finish(&mut dead);
                assert_eq!(dead.sent_in_all() as usize, m * m + nodes as usize - 1, "{nodes} {caller}");
            }
        }
    }
}

/// RNG-1 states the number of messages as a function of d, the number of hops from the caller to the process with
/// the highest id.
#[test]
fn the_acknowledged_ring_takes_d_plus_n() {
    for nodes in 2..=9 {
        for caller in 0..nodes {
            let mut stage = Script::<AcknowledgedRing>::begin("original initiators=none", nodes);
            stage.elect(caller);
            finish(&mut stage);
            let [d, n] = [nodes - 1 - caller, nodes];
            assert_eq!(["ELECT", "OK", "COORD"].map(|kind| stage.sent(kind)), [d + n, d + n, n], "{nodes} {caller}");
        }
    }
}

/// Returns the numbers of ELECTs and COORDs in an election that all processes call, in a ring of order `ring`.
fn all_start<A: Algorithm>(variant: &str, kinds: &[&str], ring: &str, nodes: u32) -> (usize, usize) {
    let mut stage = Script::<A>::begin(&format!("{variant} initiators=all ring={ring}"), nodes);
    finish(&mut stage);
    (kinds.iter().map(|kind| stage.sent(kind) as usize).sum(), stage.sent("COORD") as usize)
}

fn chang_roberts(ring: &str, nodes: u32) -> (usize, usize) {
    all_start::<ChangRoberts>("original", &["ELECT"], ring, nodes)
}

/// RNG-1 with N callers: if processes swallow smaller ids, the number of ELECTs is the same as in Chang and
/// Roberts's algorithm.
#[test]
fn with_n_callers_the_acknowledged_ring_that_swallows_takes_as_many_as_chang_and_roberts() {
    for nodes in 2..=9 {
        for ring in ["ascending", "descending", "random:1"] {
            let count = all_start::<AcknowledgedRing>("original", &["ELECT"], ring, nodes);
            assert_eq!(count, chang_roberts(ring, nodes), "{nodes} {ring}");
        }
    }
}

/// RNG-2: a process forwards each id that is greater than its own. So ascending ids are the best case.
#[test]
fn chang_and_roberts_take_2n_less_1_at_best_and_a_triangular_number_at_worst() {
    for nodes in 2..=9 {
        let n = nodes as usize;
        assert_eq!(chang_roberts("ascending", nodes), (2 * n - 1, n));
        assert_eq!(chang_roberts("descending", nodes), (n * (n + 1) / 2, n));
    }
    assert_eq!(chang_roberts("descending", 8), (36, 8));
}

/// If one process calls, its id or a greater one reaches the process with the highest id after d hops. Then the
/// highest id travels once round the ring.
#[test]
fn chang_and_roberts_take_n_plus_d_for_one_caller() {
    for nodes in 2..=9 {
        for caller in 0..nodes {
            let mut stage = Script::<ChangRoberts>::begin("original initiators=none ring=ascending", nodes);
            stage.elect(caller);
            finish(&mut stage);
            let d = nodes - 1 - caller;
            assert_eq!(["ELECT", "COORD"].map(|kind| stage.sent(kind)), [nodes + d, nodes], "{nodes} {caller}");
        }
    }
}

/// Returns all orders of the ids in a ring. The first id is fixed, because a rotation does not change the ring.
fn arrangements(nodes: u32) -> Vec<Vec<u32>> {
    let mut all = vec![vec![0]];
    for node in 1..nodes {
        let inserted = |ring: &Vec<u32>| -> Vec<Vec<u32>> {
            (1..=ring.len()).map(|place| [&ring[..place], &[node], &ring[place..]].concat()).collect()
        };
        all = all.iter().flat_map(inserted).collect();
    }
    all
}

fn words(ring: &[u32]) -> String {
    ring.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

/// RNG-2: the mean number of ELECTs over all orders of the ring is exactly N times the N-th harmonic number.
#[test]
fn chang_and_roberts_take_n_harmonic_in_the_mean() {
    for nodes in 2..=7_u32 {
        let counts: Vec<usize> = arrangements(nodes).iter().map(|ring| chang_roberts(&words(ring), nodes).0).collect();
        let all: usize = (1..nodes as usize).product();
        // The sum over all orders is N·H_N·(N−1)!, which is the sum of N!/i and therefore a whole number.
        let sum: usize = (1..=nodes as usize).map(|i| all * nodes as usize / i).sum();
        assert_eq!((counts.len(), counts.iter().sum::<usize>()), (all, sum), "{nodes}");
        let bounds = (counts.iter().min(), counts.iter().max());
        let n = nodes as usize;
        assert_eq!(bounds, (Some(&(2 * n - 1)), Some(&(n * (n + 1) / 2))));
    }
}

/// HIR-1: the algorithm sends at most 8N(1 + log2 N) messages. Chang and Roberts's algorithm sends N(N+1)/2 messages
/// in the same ring.
#[test]
fn hirschberg_and_sinclair_take_n_log_n() {
    let count = |ring: &str, nodes| all_start::<HirschbergSinclair>("original", &["PROBE", "REPLY"], ring, nodes);
    for nodes in [2_u32, 3, 5, 8, 16, 64] {
        let bound = 8 * nodes as usize * (1 + nodes.next_power_of_two().ilog2() as usize);
        for ring in ["ascending", "descending", "random:1", "random:2"] {
            let (messages, announced) = count(ring, nodes);
            assert!(messages <= bound && announced == nodes as usize, "{nodes} {ring}: {messages}");
        }
    }
    let worst = tried(0..64).map(|seed| count(&format!("random:{seed}"), 128).0).max().expect("a count");
    assert!(worst < chang_roberts("descending", 128).0, "{worst}");
    for ring in arrangements(6) {
        let (messages, announced) = count(&words(&ring), 6);
        assert!(messages <= 8 * 6 * 4 && announced == 6, "{ring:?}: {messages}");
    }
}
