//! The expected cost of a repair. It is derived from the algorithm, message by message, and not from measurements.
//!
//! P1 is in the critical section, or was until it crashed, and P(N−2) waits. The failure detector reports a crash
//! without delay. At the same instant, messages are processed before timers, and earlier messages before later ones.

use interlock_algorithm::structure::bridged_tree::BridgedTree;
use interlock_algorithm::structure::coterie::Coterie;
use interlock_algorithm::structure::tree::Tree;
use interlock_algorithm::{FlatSet, NodeId};
use serde::Serialize;

use super::case::{Case, FIRST, HOLDER, SETTLED};
use super::fault::RepairedFault::{self, CrashOfHolder, CrashOfSpecial, LossOfToken, ReturnOfHolder};
use interlock_model::span::Span;

/// Number of ticks in a unit of time.
const UNIT: u64 = 1_000;

/// A formula for a number of messages or for a duration in units of time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Formula {
    /// The formula as text.
    pub words: String,
    /// The value of the formula for the given case.
    pub value: u64,
}

impl Formula {
    fn new(words: impl Into<String>, value: u64) -> Self {
        Self { words: words.into(), value }
    }

    /// Returns the value, in units of time, as a duration.
    #[must_use]
    pub const fn as_time(&self) -> Span {
        Span(self.value.saturating_mul(UNIT))
    }
}

/// The expected cost from the fault to the next entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Theory {
    /// Number of messages; none if unknown.
    pub messages: Option<Formula>,
    /// Duration, in units of time; none if unknown.
    pub time: Option<Formula>,
    /// Description of what happens between the fault and the entry.
    pub because: &'static str,
}

impl Theory {
    /// Returns the expected cost of a case. `time_out` returns the value of the parameter with the given name.
    pub(super) fn of(case: &Case<'_>, time_out: &dyn Fn(&str) -> Span) -> Self {
        let n = u64::from(case.nodes);
        let time_out = |name: &str| time_out(name).0 / UNIT;
        let (entry, variant) = (case.contender.entry.name, case.contender.variant.name);
        match (entry, variant) {
            ("lamport" | "ricart-agrawala" | "carvalho-roucairol", "remove-dead") => removed(case.fault),
            ("bakery", "pull") => read_on(case.fault, n),
            ("centralised", "lease") => leased(case.fault, time_out("lease")),
            ("centralised-failover", "bully") => failover(case.fault, n, time_out("answer")),
            ("dijkstra-ring", "message-passing") => next_in_ring(case.fault, n),
            ("le-lann", "time-out") => missed(case.fault, n, time_out("missing")),
            ("le-lann", "two-tokens") => second_token(case.fault, n),
            ("maekawa", "succession") => succession(case),
            ("naimi-trehel", "regeneration") => asked_again(case.fault, n),
            ("ricart-agrawala-token" | "suzuki-kasami", "regeneration") => regenerated(case.fault, n),
            ("sanders", "remove-dead") => asked_instead(case),
            ("raymond", "bridging") => bridged(case),
            ("raymond", "recovery") => recovered(case),
            ("replicated-lock", "leased") => log(case.fault, n, time_out("lease"), time_out("retry")),
            _ => Self::default(),
        }
    }

    fn known(messages: Formula, time: Formula, because: &'static str) -> Self {
        Self { messages: Some(messages), time: Some(time), because }
    }
}

/// Lamport 1978, Ricart and Agrawala 1981 (section 6.1), Carvalho and Roucairol 1983. All other processes have
/// already answered, and the waiting process does not wait for the answer of the crashed process.
fn removed(fault: RepairedFault) -> Theory {
    match fault {
        CrashOfHolder | ReturnOfHolder => Theory::known(
            Formula::new("0", 0),
            Formula::new("0", 0),
            "the waiting process is notified and enters; all others have replied already",
        ),
        _ => Theory::default(),
    }
}

/// Lamport 1974. The waiting process has already reached P1, and now reads the variables of P2 … P(N−1) except its
/// own. From each process, the waiting process reads two variables, one after the other.
fn read_on(fault: RepairedFault, n: u64) -> Theory {
    match fault {
        CrashOfHolder | ReturnOfHolder => Theory::known(
            Formula::new("4(N−3)", 4 * (n - 3)),
            Formula::new("4(N−3)", 4 * (n - 3)),
            "the waiting process reads two variables of each process after P1, one after the other, as without the \
             fault",
        ),
        _ => Theory::default(),
    }
}

/// Gray and Cheriton 1989. The lease began when the GRANT was sent, one unit of time before the entry. The next GRANT
/// also takes one unit of time.
fn leased(fault: RepairedFault, lease: u64) -> Theory {
    match fault {
        CrashOfHolder => Theory::known(
            Formula::new("1", 1),
            Formula::new(format!("lease − {SETTLED}"), lease.saturating_sub(SETTLED)),
            "the lease expires, and the next process is granted the lock",
        ),
        _ => Theory::default(),
    }
}

/// Garcia-Molina 1982. If the coordinator crashes, all others are notified at once, and each calls an election. P1 …
/// P(N−2) ask all processes with higher ids: (N−1)(N−2)/2 ELECT and as many OK. P(N−1) wins without asking: it sends
/// COORD and ASK to all, and receives a STATE from each except the crashed process. P(N−1) was notified of the crash
/// before it became coordinator. It therefore waits for the STATE of the crashed process until the time-out.
fn failover(fault: RepairedFault, n: u64, answer: u64) -> Theory {
    match fault {
        CrashOfHolder => Theory::known(
            Formula::new("1", 1),
            Formula::new("1", 1),
            "the coordinator is notified, and grants the lock to the next process",
        ),
        ReturnOfHolder => Theory::known(
            Formula::new("1 + N−1", n),
            Formula::new("1", 1),
            "the same; the restarted process asks all others for the coordinator",
        ),
        CrashOfSpecial => Theory::known(
            Formula::new("(N−1)(N−2) + 3(N−1)", (n - 1) * (n - 2) + 3 * (n - 1)),
            Formula::new("answer + 1", answer + 1),
            "all call an election: ELECT and OK of each pair; COORD, ASK, STATE; time-out for the STATE of the crashed \
             process; GRANT",
        ),
        LossOfToken => Theory::default(),
    }
}

/// Dijkstra 1974. When P1 crashes, P2 becomes the successor of P0. Every live process sends its flag to its successor:
/// N−1 messages. The flag of P0 differs from the flag of P2, so P2 gets the privilege. The privilege then moves along
/// the ring from P2 to P(N−2): N−4 messages.
fn next_in_ring(fault: RepairedFault, n: u64) -> Theory {
    match fault {
        CrashOfHolder => Theory::known(
            Formula::new("N−1 + N−4", 2 * n - 5),
            Formula::new("N−3", n - 3),
            "each process sends its flag once; the next one in the ring is privileged, and passes the privilege on",
        ),
        _ => Theory::default(),
    }
}

/// Le Lann 1977. P2 is the first to miss the token, because P2 passed the token on N−1 units of time before P1
/// received it. The claim of P2 circulates among the live processes. It reaches each process at the moment at which
/// that process would otherwise make its own claim. The new token moves from P2 to P(N−2). If the token is lost on
/// the link to P0, P0 last had it N units of time earlier.
fn missed(fault: RepairedFault, n: u64, missing: u64) -> Theory {
    let since = missing.saturating_sub(SETTLED);
    match fault {
        CrashOfHolder => Theory::known(
            Formula::new("N−1 + N−4", 2 * n - 5),
            Formula::new(format!("missing − {SETTLED} + N−4"), since + n - 4),
            "the claim of the process that misses the token goes round; the token goes to the waiting process",
        ),
        ReturnOfHolder => Theory::known(
            Formula::new("N + N−4", 2 * n - 4),
            Formula::new(format!("missing − {SETTLED} + N−3"), since + n - 3),
            "the same; the claim also passes the restarted process",
        ),
        LossOfToken => Theory::known(
            Formula::new("N + N−2", 2 * n - 2),
            Formula::new("missing + N−2", missing + n - 2),
            "the claim goes round once; the token goes to the waiting process",
        ),
        CrashOfSpecial => Theory::default(),
    }
}

/// Misra 1983. PONG makes one more round, N messages, and reaches P0 with an unchanged number. From P0 both tokens
/// move together, PING first. Each token needs N−2 messages until PING arrives.
fn second_token(fault: RepairedFault, n: u64) -> Theory {
    match fault {
        LossOfToken => Theory::known(
            Formula::new("N + 2(N−2)", 3 * n - 4),
            Formula::new("N + N−2", 2 * n - 2),
            "PONG goes round without meeting PING, which is regenerated; both move on to the waiting process",
        ),
        _ => Theory::default(),
    }
}

/// Maekawa 1985, on failures. The successor of the crashed process sends TAKES-OVER to all other processes that ask
/// the crashed process for its vote. Each of these processes answers with a STATE. The sets of a grid are
/// symmetric: the processes that ask the crashed process are those that the crashed process asks.
fn succession(case: &Case<'_>) -> Theory {
    let (coterie, waiter, dead) = (Coterie::grid(case.nodes), case.waiter(), victim(case));
    let successor = dead.successor(case.nodes);
    let others = |set: &[NodeId], but: [NodeId; 2]| set.iter().filter(|node| !but.contains(node)).count() as u64;
    let asked = others(coterie.set(dead), [dead, successor]);
    let own = coterie.set(waiter);
    match case.fault {
        CrashOfHolder => {
            let both: Vec<NodeId> = coterie.set(HOLDER).iter().copied().filter(|node| own.contains(node)).collect();
            let votes = others(&both, [HOLDER, waiter]);
            // If the crashed process is also an arbiter of the waiting process, the waiting process needs its vote as
            // well.
            let is_needed = own.contains(&HOLDER);
            let (votes, time) = if is_needed { (votes + 1, 3) } else { (votes, 1) };
            Theory::known(
                Formula::new("2A + V", 2 * asked + votes),
                Formula::new(time.to_string(), time),
                "V arbiters get their vote back and give it again; the successor sends TAKES-OVER to A clients, which \
                 answer STATE",
            )
        }
        CrashOfSpecial => Theory::known(
            Formula::new("2A + K−1", 2 * asked + own.len() as u64 - 1),
            Formula::new("3", 3),
            "TAKES-OVER to A clients, which answer STATE; the K−1 votes of the others",
        ),
        ReturnOfHolder | LossOfToken => Theory::default(),
    }
}

/// Sanders 1987, with Maekawa's sets. Some processes are informed by both the waiting and the crashed process. If the
/// crashed process was the holder, these processes now grant the waiting process. If the waiting process had asked
/// the crashed process for permission, all other processes that it had asked grant. Some processes have relied on the
/// crashed process to coordinate them with the waiting process. The waiting process asks each of these processes
/// directly, and they grant.
fn asked_instead(case: &Case<'_>) -> Theory {
    let (coterie, waiter, dead) = (Coterie::grid(case.nodes), case.waiter(), victim(case));
    let own = coterie.set(waiter);
    let counts_on_it = |node: &NodeId| {
        let first = coterie.set(*node).iter().find(|one| own.contains(one));
        !own.contains(node) && first == Some(&dead)
    };
    let others =
        |set: &[NodeId]| set.iter().filter(|node| own.contains(node) && ![dead, waiter].contains(node)).count();
    let asked = NodeId::all(case.nodes).filter(counts_on_it).count();
    let time = if asked > 0 { Formula::new("2", 2) } else { Formula::new("1", 1) };
    let (words, grants, because) = match case.fault {
        CrashOfHolder => (
            "V + 2A",
            others(coterie.set(dead)),
            "V processes that both inform grant again; A processes that relied on the crashed one are asked, and grant",
        ),
        CrashOfSpecial => (
            "K−2 + 2A",
            others(own),
            "the K−2 others that were asked grant; A processes that relied on the crashed one are asked instead, and \
             grant",
        ),
        ReturnOfHolder | LossOfToken => return Theory::default(),
    };
    Theory::known(Formula::new(words, (grants + 2 * asked) as u64), time, because)
}

/// Returns the process that crashes.
fn victim(case: &Case<'_>) -> NodeId {
    if case.fault == CrashOfSpecial { case.victim() } else { HOLDER }
}

/// Nishio, Li and Manning 1990. The live process with the smallest id (P0, or P1 if P0 has crashed) asks all other
/// live processes. It then regenerates the token and sends it to the waiting process. If the crashed process restarts
/// at once, P0 asks again. The restarted process first sends JOIN and receives WELCOME from all others, so its answer
/// arrives one unit of time later.
fn regenerated(fault: RepairedFault, n: u64) -> Theory {
    match fault {
        CrashOfHolder | CrashOfSpecial => Theory::known(
            Formula::new("3(N−2) + 1", 3 * (n - 2) + 1),
            Formula::new("3", 3),
            "CONSULT, ANSWER and RESUME with the N−2 other live processes; TOKEN",
        ),
        ReturnOfHolder => Theory::known(
            Formula::new("4(N−1) + 3(N−2) + 2", 4 * (n - 1) + 3 * (n - 2) + 2),
            Formula::new("4", 4),
            "CONSULT and ANSWER twice; JOIN and WELCOME; the restarted process answers last; RESUME; TOKEN",
        ),
        LossOfToken => Theory::default(),
    }
}

/// The same steps as in [`regenerated`]; afterwards the waiting process requests the token again.
fn asked_again(fault: RepairedFault, n: u64) -> Theory {
    match fault {
        CrashOfHolder | CrashOfSpecial => Theory::known(
            Formula::new("3(N−2) + 2", 3 * (n - 2) + 2),
            Formula::new("5", 5),
            "CONSULT, ANSWER and RESUME with the N−2 other live processes; REQUEST and TOKEN",
        ),
        ReturnOfHolder => Theory::known(
            Formula::new("4(N−1) + 3(N−2) + 3", 4 * (n - 1) + 3 * (n - 2) + 3),
            Formula::new("6", 6),
            "CONSULT and ANSWER twice; JOIN and WELCOME; the restarted process answers last; RESUME; REQUEST and TOKEN",
        ),
        LossOfToken => Theory::default(),
    }
}

/// Raymond 1989, on node failure and recovery. All neighbours of the restarted process send ADVISE, and the privilege
/// moves along the tree to the waiting process.
fn recovered(case: &Case<'_>) -> Theory {
    let Ok(tree) = Tree::parse("binary", case.nodes) else { return Theory::default() };
    let degree = tree.neighbours(HOLDER).len() as u64;
    let edges = tree.distances(HOLDER).get(case.waiter().index()).copied().map(u64::from);
    match (case.fault, edges) {
        (ReturnOfHolder, Some(edges)) => Theory::known(
            Formula::new("2D + E", 2 * degree + edges),
            Formula::new("2 + E", 2 + edges),
            "RESTART to its D neighbours, which answer ADVISE; PRIVILEGE over the E edges to the waiting process",
        ),
        _ => Theory::default(),
    }
}

/// The neighbours of the crashed process, except the centre, report their states to the centre. The centre (P0, or P1
/// if P0 has crashed) regenerates the privilege. The privilege then moves from the centre to the waiting process. The
/// waiting process sent its first REQUEST before the crash, to the crashed process or towards it.
fn bridged(case: &Case<'_>) -> Theory {
    let Ok(tree) = Tree::parse("binary", case.nodes) else { return Theory::default() };
    let (depths, dead) = (tree.distances(FIRST), victim(case));
    let gone = FlatSet::from([dead]);
    let bridged = BridgedTree { tree: &tree, depths: &depths, dead: &gone };
    let Some(centre) = bridged.centre(dead) else { return Theory::default() };
    let leaves = bridged.leaves(centre).len() as u64;
    // If the path led through the crashed process, it is now one edge shorter.
    let whole = tree.distances(centre).get(case.waiter().index()).copied().map_or(0, u64::from);
    let leads_over = tree.distances(dead).get(case.waiter().index()).is_some_and(|rest| u64::from(*rest) + 1 == whole);
    let edges = whole - u64::from(leads_over);
    match case.fault {
        CrashOfHolder => Theory::known(
            Formula::new("A + E", leaves + edges),
            Formula::new("1 + E", 1 + edges),
            "ADVISE from the A other neighbours of the crashed process to the centre; PRIVILEGE over the E edges to \
             the waiting one",
        ),
        CrashOfSpecial => Theory::known(
            Formula::new("A + 2E−1", leaves + 2 * edges - 1),
            Formula::new("2E", 2 * edges),
            "ADVISE from the A other neighbours of the crashed process to the centre; meanwhile REQUEST, then \
             PRIVILEGE, over the E edges between the waiting process and the centre",
        ),
        ReturnOfHolder | LossOfToken => Theory::default(),
    }
}

/// Lamport 2001 and Gray and Cheriton 1989. The lease began one unit of time before the entry. The waiting process
/// repeats its request every `retry`. The leader answers each repetition except the last with an order to wait. The
/// last repetition arrives after the leader has granted the lock, so the leader sends no order to wait. It sends
/// CONFIRM to all other nodes, to learn whether it still leads.
///
/// If the leader crashes, the waiting process sends it two requests in vain. It then sends a request to the next
/// process, which becomes the leader. The last value in the log says that P0 has left. This value was accepted but
/// not reported as chosen. The new leader therefore asks the acceptors to accept it again, together with the new
/// value.
fn log(fault: RepairedFault, n: u64, lease: u64, retry: u64) -> Theory {
    let beats = lease / retry.max(1);
    let repeated = 2 * (beats.saturating_sub(1)) + 1;
    let over = Formula::new(format!("lease − {SETTLED} + 2"), lease.saturating_sub(SETTLED) + 2);
    match fault {
        CrashOfHolder => Theory::known(
            Formula::new("3N−3 + 2 lease/retry − 1", n - 1 + n - 2 + 1 + n - 1 + repeated),
            over,
            "the lease expires: ACCEPT, ACCEPTED, GRANT; meanwhile the waiting process asks again and is told to wait; \
             CONFIRM",
        ),
        ReturnOfHolder => Theory::known(
            Formula::new("3N−2 + 2 lease/retry − 1", n - 1 + n - 1 + 1 + n - 1 + repeated),
            over,
            "the same; the restarted process also accepts",
        ),
        CrashOfSpecial => Theory::known(
            Formula::new("6N−6", 2 + 3 * (n - 1) + 3 * (n - 2) + 1),
            Formula::new("2 retry + 6", 2 * retry + 6),
            "REQUEST again, and to another process, which takes over: PREPARE, PROMISE; ACCEPT, ACCEPTED of two \
             operations; GRANT",
        ),
        LossOfToken => Theory::default(),
    }
}
