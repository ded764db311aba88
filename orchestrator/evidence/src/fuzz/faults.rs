//! Temporary faults that the algorithm of a run tolerates. Processes are paused. Messages of one kind are slow, held,
//! duplicated or lost. Links are slow or hold all messages. Partitions lose or hold messages. Faults occur in
//! episodes. At the end of each episode, all faults end.

use interlock_algorithm::NodeId;

use super::Candidate;
use super::draws::Draws;
use super::network::delay;
use interlock_model::choice::{Choice, NetworkChange};
use interlock_model::network::{self, Direction, LinkOverride, LinkPatch, Lost, Match, PartitionDraft, RuleDraft};
use interlock_model::span::Span;
use interlock_model::specification::Scripted;

/// Ticks in a unit of time.
pub(super) const UNIT: u64 = 1_000;
/// Maximum delay that a rule adds, in units of time.
const SLOWEST: u64 = 100;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Pause,
    SlowKind,
    SlowLink,
    HeldKind,
    HeldLink,
    CopiedKind,
    LostKind,
    Cut,
    HeldCut,
}

const FAULTS: [Fault; 9] = [
    Fault::Pause,
    Fault::SlowKind,
    Fault::SlowLink,
    Fault::HeldKind,
    Fault::HeldLink,
    Fault::CopiedKind,
    Fault::LostKind,
    Fault::Cut,
    Fault::HeldCut,
];

impl Fault {
    /// Returns whether the algorithm of `candidate` still satisfies its properties under the fault.
    fn is_tolerated(self, candidate: Candidate) -> bool {
        let assumes = candidate.assumes();
        match self {
            // Even when a partition holds messages, the messages of a link keep their order.
            Self::Pause | Self::SlowKind | Self::SlowLink | Self::HeldCut => !candidate.takes_slow_for_dead(),
            // If a rule or a link holds messages, later messages may overtake them, even on FIFO links.
            Self::HeldKind | Self::HeldLink => !candidate.takes_slow_for_dead() && !assumes.fifo,
            Self::CopiedKind => !assumes.no_duplication,
            Self::LostKind | Self::Cut => !assumes.no_loss,
        }
    }

    fn choice(self, candidate: Candidate, nodes: u64, draws: &mut Draws) -> Option<Choice> {
        Some(match self {
            Self::Pause => Choice::Pause { node: draws.node(nodes) },
            Self::SlowKind => rule(candidate, nodes, network::RuleAction::Delay(draws.number(1, SLOWEST)), draws),
            Self::HeldKind => rule(candidate, nodes, network::RuleAction::Hold, draws),
            Self::CopiedKind => rule(candidate, nodes, network::RuleAction::Duplicate, draws),
            Self::LostKind => rule(candidate, nodes, network::RuleAction::Drop, draws),
            Self::SlowLink => {
                link(nodes, LinkPatch { delay: delay(candidate, draws).parse().ok(), ..LinkPatch::default() }, draws)?
            }
            Self::HeldLink => link(nodes, LinkPatch { hold: Some(true), ..LinkPatch::default() }, draws)?,
            Self::Cut => cut(nodes, Lost::Drop, draws)?,
            Self::HeldCut => cut(nodes, Lost::Hold, draws)?,
        })
    }
}

/// Returns a random rule that applies `action` to some messages of one kind.
fn rule(candidate: Candidate, nodes: u64, action: network::RuleAction, draws: &mut Draws) -> Choice {
    let message_kind = draws.one(candidate.entry.message_kinds).map(|kind| (*kind).to_owned());
    let mut end = || Some(draws.node(nodes)).filter(|_| draws.happens(0.3));
    let matches = Match { from: end(), to: end(), message_kind };
    Choice::Rule(RuleDraft {
        matches,
        action,
        skip: draws.number(0, 5),
        count: Some(draws.number(1, 5)),
        probability: None,
    })
}

fn link(nodes: u64, patch: LinkPatch, draws: &mut Draws) -> Option<Choice> {
    let (from, to) = (draws.node(nodes), draws.node(nodes));
    (from != to).then_some(Choice::Network(NetworkChange::Link(LinkOverride { from, to, patch })))
}

/// Returns a random partition into two groups, or none if a group would be empty.
fn cut(nodes: u64, lost: Lost, draws: &mut Draws) -> Option<Choice> {
    let all = NodeId::all(u32::try_from(nodes).unwrap_or_default());
    let (one, other): (Vec<NodeId>, Vec<NodeId>) = all.partition(|_| draws.happens(0.5));
    let direction = if draws.happens(0.7) { Direction::Both } else { Direction::Forward };
    let is_cut = !one.is_empty() && !other.is_empty();
    is_cut.then(|| Choice::Partition(PartitionDraft { groups: vec![one, other], direction, lost, reset: None }))
}

/// Returns the actions of random episodes, in the order of their times. Half of the runs have no episodes.
pub(super) fn episodes(candidate: Candidate, nodes: u64, draws: &mut Draws) -> Vec<Scripted> {
    let tolerated: Vec<Fault> = FAULTS.into_iter().filter(|fault| fault.is_tolerated(candidate)).collect();
    if tolerated.is_empty() || draws.happens(0.5) {
        return Vec::new();
    }
    let (mut script, mut now) = (Vec::new(), 0);
    let longest = UNIT * draws.one(&[10, 50, 200]).copied().unwrap_or(10);
    for _ in 0..draws.number(1, 3) {
        let begin = now + draws.number(0, longest);
        let end = begin + draws.number(1, longest);
        for _ in 0..draws.number(1, 4) {
            let at = draws.number(begin, end);
            let choice = draws.one(&tolerated).copied().and_then(|fault| fault.choice(candidate, nodes, draws));
            if let Some(Choice::Pause { node }) = choice {
                let resumed = draws.number(at, end);
                script.push(Scripted { at: Span(resumed), choice: Choice::Resume { node } });
            }
            script.extend(choice.map(|choice| Scripted { at: Span(at), choice }));
        }
        script.push(Scripted { at: Span(end), choice: Choice::Heal {} });
        now = end;
    }
    in_order(script)
}

/// Sorts the actions by time. Actions at the same time keep their order.
pub(super) fn in_order(mut script: Vec<Scripted>) -> Vec<Scripted> {
    script.sort_by_key(|scripted| scripted.at);
    script
}
