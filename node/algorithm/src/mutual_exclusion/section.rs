//! The critical section as one process sees it.

use serde::{Deserialize, Serialize};

use crate::clock::{Show, Timed, Timestamp, count_in_life};
use crate::contract::Algorithm;
use crate::identity::{LockId, RequestId};
use crate::outcome::Outcome;
use crate::turn::Turn;

/// A request by the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Asked {
    pub lock: LockId,
    pub request: RequestId,
}

/// The state of a process. `T` is the type of the request's time: `()` in algorithms that do not order requests by
/// time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) enum Section<T = Timestamp> {
    #[default]
    Idle,
    Wanting(Asked, T),
    Inside(Asked, T),
}

impl Timed for Section {
    fn show_times(&mut self, show: &mut Show<'_>) {
        if let Self::Wanting(_, time) | Self::Inside(_, time) = self {
            time.show_times(show);
        }
    }
}

/// The time of a request.
pub(super) trait RequestTime: Copy {
    /// Returns the logical time, without an incarnation in its leading digits.
    fn logical(self) -> Option<u64>;
}

impl RequestTime for () {
    fn logical(self) -> Option<u64> {
        None
    }
}

impl RequestTime for Timestamp {
    fn logical(self) -> Option<u64> {
        Some(count_in_life(self.clock))
    }
}

impl<T: RequestTime> Section<T> {
    /// Starts to wait for the critical section.
    pub fn request<A: Algorithm>(&mut self, asked: Asked, time: T, turn: &mut Turn<A>) {
        *self = Self::Wanting(asked, time);
        let timestamp = if A::has_timestamps(turn.setting) { time.logical() } else { None };
        turn.outcome(Outcome::Requested { lock: asked.lock, request: asked.request, timestamp });
    }

    /// Enters the section and reports `reason`, if the process waits for the section.
    pub fn enter<A: Algorithm>(&mut self, reason: A::Reason, turn: &mut Turn<A>) {
        if self.is_wanting() {
            turn.because(reason);
            self.enter_with(None, turn);
        }
    }

    /// Enters the section with a fencing token, if the process waits for the section.
    pub fn enter_with<A: Algorithm>(&mut self, fence: Option<u64>, turn: &mut Turn<A>) {
        if let Self::Wanting(asked, time) = *self {
            *self = Self::Inside(asked, time);
            turn.outcome(Outcome::Entered { lock: asked.lock, request: asked.request, fence });
        }
    }

    /// Leaves the section and returns the time of the finished request, or `None` if the process is not inside.
    pub fn exit<A: Algorithm>(&mut self, turn: &mut Turn<A>) -> Option<T> {
        let Self::Inside(asked, time) = *self else { return None };
        *self = Self::Idle;
        turn.outcome(Outcome::Exited { lock: asked.lock, request: asked.request });
        Some(time)
    }

    /// Returns whether the process neither waits nor is inside.
    pub const fn is_idle(self) -> bool {
        matches!(self, Self::Idle)
    }

    /// Returns whether this process waits to enter.
    pub const fn is_wanting(self) -> bool {
        matches!(self, Self::Wanting(..))
    }

    /// Returns whether this process is inside.
    pub const fn is_inside(self) -> bool {
        matches!(self, Self::Inside(..))
    }

    /// Returns the time of the pending request while the process waits.
    pub const fn wanting(self) -> Option<T> {
        if let Self::Wanting(_, time) = self { Some(time) } else { None }
    }

    /// Returns the time of the current request, from `acquire` to `release`.
    pub const fn time(self) -> Option<T> {
        match self {
            Self::Idle => None,
            Self::Wanting(_, time) | Self::Inside(_, time) => Some(time),
        }
    }
}

/// Implements the steps of an algorithm. The first three arguments name the methods that handle a client's request, its
/// release, and a message; the message may be from the process itself. `clock` names the field with the logical clock
/// that every message carries. The other optional arguments name the methods for further inputs, with the types of the
/// timer and of the stored state. Without `stored`, nothing is stored: after a crash, a process knows only what it knew
/// at the start.
macro_rules! steps {
    (@or_none) => { () };
    (@or_none $type:ty) => { $type };
    (
        $message:ty: acquire, release, receive
        $(, clock $clock:ident)? $(, corrupt $corrupt:ident)? $(, elect $elect:ident)?
        $(, timer $timer:ident $run_out:ident)? $(, stored $stored:ident $come_back:ident)?
        $(, start $start:ident)? $(, restart $restart:ident)? $(, suspected $suspected:ident $(, trusted $trusted:ident)?)?
    ) => {
        type Setting = Setting;
        type Message = $message;
        type Timer = steps!(@or_none $($timer)?);
        type Stored = steps!(@or_none $($stored)?);
        type Reason = Reason;

        const SENTENCES: &'static [$crate::sentence::Sentence] = Reason::SENTENCES;

        fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
            Setting::configure(configuration)
        }

        $(fn clock(&mut self, _: &Setting) -> Option<&mut Clock> {
            Some(&mut self.$clock)
        })?

        fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
            let turn = &mut Turn::new(setting, me, setting.nodes, out);
            match input {
                $(Input::Timer(timer) => self.$run_out(timer, turn),)?
                $(Input::Start => self.$start(turn),)?
                $(Input::Restart(_) => self.$restart(turn),)?
                $(Input::Restart(stored) => self.$come_back(stored, turn),)?
                $(Input::Suspected(node) => self.$suspected(node, turn),
                $(Input::Trusted(node) => self.$trusted(node, turn),)?)?
                Input::Command(Command::Acquire { lock, request }) => self.acquire(Asked { lock, request }, turn),
                Input::Command(Command::Release { .. }) => self.release(turn),
                $(Input::Command(Command::Corrupt { choice }) => self.$corrupt(choice, turn),)?
                $(Input::Command(Command::Elect) => self.$elect(turn),)?
                Input::Message { from, message } => self.receive(from, message, turn),
                _ => {}
            }
            while let Some(message) = turn.next_to_oneself() {
                self.receive(turn.me, message, turn);
            }
        }
    };
}

pub(super) use steps;
