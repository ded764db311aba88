//! Sanders 1987, information structures.

use interlock_algorithm::NodeId;
use interlock_node::draw::draw;
use serde_json::{Value, json};

use super::super::simulated::{
    Rules, acquire, heavy, idle, jittery, metrics, run, scripted, simulate, simulation, variant,
};
use super::{Claim, CouldNotRun, Finding, How, Outcome, Run, Showing};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "SAN-1",
        says: "given the sets of Ricart and Agrawala, of Maekawa or of a coordinator, it behaves as they do",
        showings: &[
            Showing::of(How::Simulation, same_price).beside(Run::Alone(other_sets)),
            Showing::not_yet(How::Exploration),
        ],
    },
    Claim {
        id: "SAN-2",
        says: "i ∈ I_i ⊆ R_i, and every two I meet or each is in the R of the other: sets that break this are \
               refused by name, and break ME1",
        showings: &[
            Showing::of(How::Property, conditions).beside(Run::Alone(sound_sets)),
            Showing::not_yet(How::Exploration),
        ],
    },
];

/// How many processes.
const NODES: u32 = 13;

/// Everybody enters once, one after the other: the messages.
fn in_turn(document: Value) -> Result<u64, CouldNotRun> {
    let script = (0..NODES).map(|node| acquire(u64::from(20 * node), node, Some(1))).collect();
    let report = run(&scripted(document, script)?)?;
    if report.entries == u64::from(NODES) { Ok(report.messages) } else { Err(CouldNotRun::because("not all entered")) }
}

/// The three whose sets it is given, with their own parameters.
const THREE: [&str; 3] = ["ricart-agrawala", "maekawa", "centralised"];

fn prices(of_sanders: [&str; 3]) -> Result<[[u64; 3]; 2], CouldNotRun> {
    let mut prices = [[0; 3]; 2];
    for (place, (own, preset)) in THREE.into_iter().zip(of_sanders).enumerate() {
        let mut itself = idle(own, NODES);
        let mut sanders = variant(idle("sanders", NODES), preset);
        if own == "maekawa" {
            itself["parameters"] = json!({ "coterie": "plane" });
        }
        if preset == "maekawa" {
            sanders["parameters"] = json!({ "coterie": "plane" });
        }
        prices[0][place] = in_turn(itself)?;
        prices[1][place] = in_turn(sanders)?;
    }
    Ok(prices)
}

/// The same price at light load; under contention it keeps the rules, and asks back in its own way.
fn same_price() -> Outcome {
    let [own, sanders] = prices(THREE)?;
    let mut kept = true;
    let mut contended = Vec::new();
    for preset in THREE {
        let rules = Rules::of(&variant(jittery("sanders", 7), preset), 20, 60)?;
        let busy = [simulate(heavy(preset, 7), 1_000)?, simulate(variant(heavy("sanders", 7), preset), 1_000)?];
        let [own, sanders] = busy.each_ref().map(|report| metrics(report).map(|metrics| metrics.messages_per_entry));
        let (own, sanders) = (own?.unwrap_or_default(), sanders?.unwrap_or_default());
        kept &= rules.kept() && sanders >= own;
        contended.push(format!("{preset} {own:.2}, {sanders:.2} ({rules})"));
    }
    Ok(Finding {
        expected: format!(
            "N = 13, each once in turn, {THREE:?} and with their sets: 2·12·13 = 312, 3·3·13 = 117, 3·12 = 36, to the \
             message; N = 7 at heavy load no fewer messages per entry, with delays of 0 … 9 T no rule broken"
        ),
        measured: format!("{own:?}, {sanders:?}; {}", contended.join("; ")),
        holds: own == [312, 117, 36] && own == sanders && kept,
    })
}

/// With the sets of another: it holds if the price is the same.
fn other_sets() -> Outcome {
    let [own, sanders] = prices(["maekawa", "centralised", "ricart-agrawala"])?;
    Ok(Finding {
        expected: "with the sets of another, another price".into(),
        measured: format!("{own:?}, {sanders:?}"),
        holds: own == sanders,
    })
}

/// The inform set and the request set of each of four processes, drawn: each other one is in it with chances that the seed
/// says, in eighths.
fn drawn(seed: u64) -> [Vec<Vec<u32>>; 2] {
    [(0, 1 + seed % 3), (1, 5 + seed % 4)].map(|(which, chances)| {
        let is_in =
            |node: u32, other: u32| node == other || draw(&[seed, which, node.into(), other.into()]) % 8 < chances;
        (0..4).map(|node| (0..4).filter(|&other| is_in(node, other)).collect()).collect()
    })
}

/// What breaks the conditions, as the source puts them.
fn unsound([inform, request]: &[Vec<Vec<u32>>; 2]) -> Option<(NodeId, NodeId)> {
    let nodes = || 0..4_u32;
    let set = |sets: &[Vec<u32>], node: u32| sets[NodeId(node).index()].clone();
    let informed = nodes().flat_map(|node| set(inform, node).into_iter().map(move |other| (node, other)));
    if let Some((node, other)) = informed.into_iter().find(|&(node, other)| !set(request, node).contains(&other)) {
        return Some((NodeId(node), NodeId(other)));
    }
    let pairs = nodes().flat_map(|one| nodes().map(move |other| (one, other))).filter(|(one, other)| one < other);
    let meet = |one, other| set(inform, one).iter().any(|node| set(inform, other).contains(node));
    let ask = |one, other| set(request, one).contains(&other) && set(request, other).contains(&one);
    let mut strangers = pairs.filter(|&(one, other)| !meet(one, other) && !ask(one, other));
    strangers.next().map(|(one, other)| (NodeId(one), NodeId(other)))
}

fn document(sets: &[Vec<Vec<u32>>; 2], check: &str) -> Value {
    let text = |sets: &Vec<Vec<u32>>| {
        let sets = sets.iter().map(|set| set.iter().map(u32::to_string).collect::<Vec<_>>().join(","));
        format!("sets:{}", sets.collect::<Vec<_>>().join(";"))
    };
    let mut document = variant(jittery("sanders", 4), "given");
    document["parameters"] = json!({ "inform": text(&sets[0]), "request": text(&sets[1]), "check": check });
    document
}

/// What came of sets that were drawn.
#[derive(Default)]
struct Drawn {
    sound: u64,
    unsound: u64,
    /// Refused though sound, accepted though not, or refused without the names of the two.
    misjudged: u64,
    /// How many of either, run without being checked, let two in.
    sound_broken: u64,
    unsound_broken: u64,
}

impl Drawn {
    fn try_all() -> Result<Self, CouldNotRun> {
        let mut tried = Self::default();
        for seed in 0..200 {
            let sets = drawn(seed);
            let refusal = simulation(document(&sets, "yes"), 0).err().map(|reason| reason.to_string());
            let pair = unsound(&sets);
            let named = |(one, other): (NodeId, NodeId)| {
                refusal
                    .as_ref()
                    .is_some_and(|reason| reason.contains(&one.0.to_string()) && reason.contains(&other.0.to_string()))
            };
            tried.misjudged += u64::from(pair.map_or(refusal.is_some(), |pair| !named(pair)));
            let rules = Rules::of(&document(&sets, "no"), 2, 40)?;
            let broken = u64::from(rules.broken > 0);
            let (count, count_broken) = if pair.is_none() {
                (&mut tried.sound, &mut tried.sound_broken)
            } else {
                (&mut tried.unsound, &mut tried.unsound_broken)
            };
            *count += 1;
            *count_broken += broken;
        }
        Ok(tried)
    }
}

/// Sets drawn for four processes, judged here by the words of the source, and by the program; then run unchecked.
fn conditions() -> Outcome {
    let Drawn { sound, unsound, misjudged, sound_broken, unsound_broken } = Drawn::try_all()?;
    Ok(Finding {
        expected: "200 pairs of sets drawn for four: those that break a condition are refused, the two named; run \
                   unchecked, they let two in"
            .into(),
        measured: format!(
            "{unsound} unsound, {sound} sound, {misjudged} misjudged; two were inside with {unsound_broken} unsound ones, \
             {sound_broken} sound ones"
        ),
        holds: unsound > 0 && sound > 0 && misjudged == 0 && unsound_broken > 0 && sound_broken == 0,
    })
}

/// It holds if sets that meet the conditions let two in.
fn sound_sets() -> Outcome {
    let tried = Drawn::try_all()?;
    Ok(Finding {
        expected: "sets that meet the conditions, unchecked: never two".into(),
        measured: format!("two were inside with {} of {}", tried.sound_broken, tried.sound),
        holds: tried.sound_broken > 0,
    })
}
