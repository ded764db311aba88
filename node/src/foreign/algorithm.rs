//! A user's program in the role of an algorithm. Each step passes the input to the program, and this module keeps
//! no state.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use interlock_algorithm::{
    Algorithm, Command, Configuration, Delay, Discipline, Effect, Effects, Entry, Input, LockId, NodeId, Refusal,
    Subject, View, catalogue,
};
use interlock_machine::client::ClientContext;
use serde::{Deserialize, Serialize};

use super::breach::LONGEST_TIMER;
use super::dialogue::{Asked, Conversation};
use super::inline::Inline;
use super::message::{Body, Kind, Letter};
use super::said;

/// Maximum length of the stored text of a reason, in bytes.
const LONGEST_REASON: usize = 160;
/// Number of ticks in a millisecond.
const TICKS_PER_MS: u64 = 1_000;

/// The program, and the facts about its algorithm that the client needs.
pub struct Ground {
    conversation: Arc<Mutex<dyn Conversation>>,
    discipline: Discipline,
    has_transactions: bool,
    /// For each lock: its capacity, and whether one node may have several units of it.
    units: Vec<(u32, bool)>,
    /// Locks that the client of this node may never acquire.
    barred: Vec<LockId>,
    /// Time that the program took for its latest answer, in microseconds.
    lasted_us: AtomicU64,
}

impl Ground {
    /// Returns what the client of this node needs to know. The facts about the `locks` locks come from algorithm
    /// `A`.
    pub fn of<A: Algorithm>(
        setting: &A::Setting,
        me: NodeId,
        locks: u32,
        conversation: Arc<Mutex<dyn Conversation>>,
    ) -> Self {
        let units = |lock| (A::capacity(setting, lock), A::may_have_several(setting, lock));
        Self {
            conversation,
            discipline: A::discipline(setting),
            has_transactions: A::has_transactions(setting),
            units: (0..locks).map(LockId).map(units).collect(),
            barred: ClientContext::barred::<A>(setting, me, locks),
            lasted_us: AtomicU64::new(0),
        }
    }

    fn units(&self, lock: LockId) -> (u32, bool) {
        self.units.get(lock.0 as usize).copied().unwrap_or((1, false))
    }
}

/// Placeholder for the state of the program. The program itself stores its state, so this type is empty.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Foreign {}

/// A reason for an action of a program, in the program's own words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Reason {
    /// A reason that the program gave.
    Said {
        /// The words of the program.
        text: Inline<LONGEST_REASON>,
    },
}

impl Algorithm for Foreign {
    type Setting = Ground;
    type Message = Letter;
    type Timer = Inline<LONGEST_TIMER>;
    type Stored = Body;
    type Reason = Reason;

    const ENTRY: Entry = catalogue::OWN;

    fn configure(_: &Configuration<'_>) -> Result<Ground, Refusal> {
        Err(Refusal::new(Subject::Algorithm, "a program of somebody's own is configured with its process", []))
    }

    fn new(_: &Ground, _: NodeId) -> Self {
        Self {}
    }

    fn begin_incarnation(_: &Ground, _: NodeId, _: u32) -> Option<Self> {
        Some(Self {})
    }

    fn step(&mut self, setting: &Ground, _: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        let asked = match input {
            Input::Start => Asked::Start {},
            Input::Restart(stored) => Asked::Restart { stored: stored.map(|stored| stored.value()) },
            Input::Message { from, message } => {
                let Letter { kind, body } = message;
                Asked::Message { from, kind, body: body.value() }
            }
            Input::Command(Command::Elect) => Asked::Elect {},
            Input::Command(command) => Asked::Command(command),
            Input::Timer(timer) => Asked::Timer { timer },
            Input::Suspected(whom) => Asked::Suspected { whom },
            Input::Trusted(whom) => Asked::Trusted { whom },
        };
        let began = Instant::now();
        let said::Answer { effects, because, .. } = super::lock(&setting.conversation).ask(&asked);
        let lasted_us = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
        setting.lasted_us.store(lasted_us, Ordering::Relaxed);
        for text in &because {
            out.because(Reason::Said { text: Inline::beginning_of(text) });
        }
        for effect in effects {
            follow(effect, out);
        }
    }

    fn step_lasted_us(setting: &Ground) -> u64 {
        setting.lasted_us.load(Ordering::Relaxed)
    }

    fn view(&self, setting: &Ground, _: NodeId) -> View {
        super::lock(&setting.conversation).view().clone()
    }

    fn capacity(setting: &Ground, lock: LockId) -> u32 {
        setting.units(lock).0
    }

    fn may_have(setting: &Ground, _: NodeId, lock: LockId) -> bool {
        !setting.barred.contains(&lock)
    }

    fn may_have_several(setting: &Ground, lock: LockId) -> bool {
        setting.units(lock).1
    }

    fn discipline(setting: &Ground) -> Discipline {
        setting.discipline
    }

    fn has_transactions(setting: &Ground) -> bool {
        setting.has_transactions
    }
}

/// Converts an effect of the program into an effect for the machine. The dialogue has already checked the effect.
fn follow(effect: said::Effect, out: &mut Effects<Foreign>) {
    match effect {
        said::Effect::Send { to, kind, body } => {
            let Ok(kind) = Kind::named(&kind) else { return };
            let body = Body::from(&body);
            for to in to {
                out.send(to, Letter { kind, body: body.clone() });
            }
        }
        said::Effect::SetTimer { timer, after_ms } => out.push(Effect::SetTimer {
            timer: Inline::beginning_of(&timer),
            delay: Delay::Exactly(after_ms.saturating_mul(TICKS_PER_MS)),
        }),
        said::Effect::CancelTimer { timer } => out.push(Effect::CancelTimer(Inline::beginning_of(&timer))),
        said::Effect::Store(stored) => out.push(Effect::Store(Body::from(&stored))),
        said::Effect::Outcome(outcome) => out.outcome(outcome),
    }
}
