//! The algorithm with all that stands around it: its client, its timers, and the checks of its inputs.

use interlock_algorithm::plausibility::implausible;
use interlock_algorithm::{Algorithm, Command, Effect, Effects, Input, Participant};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::client::{Client, ClientEffect, Premises};
use super::record::{Followed, Identity, Reasons, Record, Scope, TimerPiece};
use super::timers::TimerTable;
use super::{LiveNode, Steps, message};
use crate::message_id::MessageId;
use crate::wire::{
    CommandItem, Delivery, Initialization, InputItem, Order, Step, StepEffect, StepInput, TELL, TimerName, Told,
};
use crate::wording::complaint;

/// The longest reason of a refusal, in bytes: it may quote what was refused.
const LONGEST_DETAIL: usize = 300;

/// One node that runs algorithm `A`.
pub(super) struct Core<A: Algorithm> {
    setting: A::Setting,
    state: Participant<A>,
    identity: Identity,
    timers_run: bool,
    began: bool,
    step: u64,
    last_us: u64,
    client: Client,
    timers: TimerTable<TimerName<A::Timer>>,
    // Cleared and used again in each step.
    effects: Effects<A>,
    client_effects: Vec<ClientEffect>,
    /// Why the algorithm objects to the command of this step, if it does.
    objection: Option<String>,
}

/// What an input is called in the record, and what the algorithm gets of it; or why it is refused.
type Admission<'a, A> = (StepInput<TimerPiece<'a, <A as Algorithm>::Timer>>, Result<Option<Input<A>>, String>);

impl<A: Algorithm> Core<A> {
    pub(super) fn new(setting: A::Setting, initialization: &Initialization) -> Self {
        let Initialization { node, nodes, seed, locks, .. } = *initialization;
        let client_loop = initialization.client_loop.clone();
        let premises = Premises::of::<A>(&setting, locks);
        Self {
            state: Participant::new(&setting, node, initialization.incarnation),
            setting,
            identity: Identity::of(initialization),
            timers_run: initialization.timers,
            began: false,
            step: 0,
            last_us: 0,
            client: Client::new(node, nodes, seed, client_loop, premises)
                .reborn(initialization.next_request, initialization.entries),
            timers: TimerTable::default(),
            effects: Effects::default(),
            client_effects: Vec::new(),
            objection: None,
        }
    }

    fn admit<'a>(&mut self, item: &'a str) -> Admission<'a, A> {
        match serde_json::from_str(item) {
            Ok(item) => self.admit_item(item),
            Err(error) => (salvage(item), Err(format!("the input cannot be read: {}", complaint(&error)))),
        }
    }

    fn admit_item<'a>(&mut self, item: InputItem<&'a RawValue>) -> Admission<'a, A> {
        match item {
            InputItem::Start {} => (StepInput::Start {}, self.begin(Ok(Input::Start))),
            InputItem::Restart { stored } => {
                let read = stored.map(A::Stored::deserialize).transpose();
                let read = read.map_err(|error| format!("the stored state cannot be read: {}", complaint(&error)));
                (StepInput::Restart { stored: stored.is_some() }, self.begin(read.map(Input::Restart)))
            }
            InputItem::Message(delivery) => {
                let message = if self.began { self.receive(&delivery) } else { Err(not_begun()) };
                (StepInput::Message(delivery.id), message)
            }
            InputItem::Command(command) => {
                let input = self.obey(&command);
                (StepInput::Command(command), input)
            }
            InputItem::Timer(name) => self.admit_timer(name),
        }
    }

    fn begin(&mut self, input: Result<Input<A>, String>) -> Result<Option<Input<A>>, String> {
        let input = input?;
        if std::mem::replace(&mut self.began, true) {
            return Err("this life of the node has begun already".to_owned());
        }
        self.client.begin(&mut self.client_effects);
        Ok(Some(input))
    }

    fn receive(&mut self, delivery: &Delivery<&RawValue>) -> Result<Option<Input<A>>, String> {
        let Delivery { id, from, kind, body } = delivery;
        let Identity { me, nodes, .. } = self.identity;
        if id.to != me || id.from != *from || *from == me || from.0 >= nodes {
            return Err(format!("message {id} from {from} cannot come to {me}"));
        }
        let unreadable = |error: serde_json::Error| format!("the message cannot be read: {}", complaint(&error));
        if kind == TELL {
            let told = believed(Told::deserialize(*body).map_err(unreadable)?)?;
            if let Some(clock) = told.clock {
                self.state.witness(&self.setting, clock);
            }
            let command = self.client.told(told, &mut self.client_effects);
            return Ok(command.and_then(|command| self.admit_command(command)));
        }
        let message = believed(message::read(kind, body).map_err(unreadable)?)?;
        Ok(Some(Input::Message { from: *from, message }))
    }

    fn obey(&mut self, CommandItem { order, .. }: &CommandItem) -> Result<Option<Input<A>>, String> {
        if !self.began {
            return Err(not_begun());
        }
        if let Some(objection) = unknown_order::<A>(order) {
            return Err(objection);
        }
        let obeyed = self.client.order(order, &mut self.client_effects).map_err(|error| error.to_string())?;
        Ok(obeyed.and_then(|command| self.admit_command(command)))
    }

    /// What the algorithm gets of a command: nothing if it objects.
    fn admit_command(&mut self, command: Command) -> Option<Input<A>> {
        self.objection = self.state.objection(&self.setting, self.identity.me, &command);
        if self.objection.is_some() {
            self.client.withdraw(&command, &mut self.client_effects);
            return None;
        }
        Some(Input::Command(command))
    }

    fn admit_timer<'a>(&mut self, name: TimerName<&'a RawValue>) -> Admission<'a, A> {
        let missing = || "no such timer is pending".to_owned();
        let own = match name {
            TimerName::Client(timer) => TimerName::Client(timer),
            TimerName::Algorithm(text) => match A::Timer::deserialize(text) {
                Ok(timer) => TimerName::Algorithm(timer),
                Err(_) => return (StepInput::Timer(TimerName::Algorithm(TimerPiece::Raw(text))), Err(missing())),
            },
        };
        let input = if self.timers.cancel(own) { Ok(self.run_out(own)) } else { Err(missing()) };
        (StepInput::Timer(piece(own)), input)
    }

    /// What the algorithm gets of a timer that has run out.
    fn run_out(&mut self, name: TimerName<A::Timer>) -> Option<Input<A>> {
        match name {
            TimerName::Client(timer) => {
                let command = self.client.run_out(timer, &mut self.client_effects)?;
                self.admit_command(command)
            }
            TimerName::Algorithm(timer) => Some(Input::Timer(timer)),
        }
    }

    fn advance(&mut self, now_us: u64) {
        self.step += 1;
        self.last_us = self.last_us.max(now_us);
    }

    /// Lets the algorithm, its client and the timers do what follows from an input.
    fn perform(&mut self, input: Option<Input<A>>) {
        if let Some(input) = input {
            self.state.step(&self.setting, self.identity.me, input, &mut self.effects);
        }
        let scope = Scope::<A> { setting: &self.setting, identity: self.identity, step: self.step };
        let due_us = |delay_us| self.timers_run.then(|| self.last_us.saturating_add(delay_us));
        for (place, effect) in self.effects.as_slice().iter().enumerate() {
            match effect {
                Effect::SetTimer { timer, delay } => {
                    self.timers.set(TimerName::Algorithm(*timer), due_us(scope.delay_us(*delay, place)));
                }
                Effect::CancelTimer(timer) => {
                    self.timers.cancel(TimerName::Algorithm(*timer));
                }
                Effect::Outcome(outcome) => self.client.observe(outcome, &mut self.client_effects),
                Effect::Send { .. } | Effect::Store(_) | Effect::Because(_) => {}
            }
        }
        for effect in &mut self.client_effects {
            match effect {
                ClientEffect::Set(timer, delay_us) => self.timers.set(TimerName::Client(*timer), due_us(*delay_us)),
                ClientEffect::Cancel(timer) => {
                    self.timers.cancel(TimerName::Client(*timer));
                }
                ClientEffect::Tell(_, told) => told.clock = self.state.stamp(&self.setting),
            }
        }
    }

    /// Appends the record of what was performed.
    fn record(&mut self, input: StepInput<TimerPiece<'_, A::Timer>>, out: &mut Steps) {
        let scope = Scope::<A> { setting: &self.setting, identity: self.identity, step: self.step };
        let effects = self.effects.as_slice();
        let objection = self.objection.take();
        let followed = Followed { scope: &scope, effects, client: &self.client_effects, objection: &objection };
        let because = Reasons(effects);
        let record = Record { step: self.step, at_us: self.last_us, input, effects: followed, because };
        let written = out.push(&record);
        let Record { input, .. } = record;
        if let Err(error) = written {
            self.refuse(input, format!("the step cannot be written as JSON: {error}"), out);
        }
        drop(self.effects.drain());
        self.client_effects.clear();
    }

    fn refuse(&self, input: StepInput<TimerPiece<'_, A::Timer>>, mut detail: String, out: &mut Steps) {
        detail.truncate(detail.floor_char_boundary(LONGEST_DETAIL));
        let effects = vec![StepEffect::Refused { detail }];
        let refused = Step { step: self.step, at_us: self.last_us, input, effects, because: Vec::new(), view: None };
        // Numbers and texts can always be written.
        let _ = out.push(&refused);
    }
}

impl<A: Algorithm> LiveNode for Core<A> {
    fn take(&mut self, item: &str, now_us: u64, out: &mut Steps) {
        self.advance(now_us);
        match self.admit(item) {
            (input, Ok(admitted)) => {
                self.perform(admitted);
                self.record(input, out);
            }
            (input, Err(detail)) => self.refuse(input, detail, out),
        }
    }

    fn fire(&mut self, now_us: u64, out: &mut Steps) -> bool {
        let Some(name) = self.timers.pop_due(now_us) else { return false };
        self.advance(now_us);
        let input = self.run_out(name);
        self.perform(input);
        self.record(StepInput::Timer(piece(name)), out);
        true
    }

    fn due_us(&self) -> Option<u64> {
        self.timers.due_us()
    }

    fn write_view(&self, out: &mut Vec<u8>) {
        let before = out.len();
        if serde_json::to_writer(&mut *out, &self.state.view(&self.setting, self.identity.me)).is_err() {
            out.truncate(before);
            out.extend_from_slice(b"null");
        }
    }
}

const fn piece<'a, T>(name: TimerName<T>) -> TimerName<TimerPiece<'a, T>>
where
    T: Copy,
{
    match name {
        TimerName::Client(timer) => TimerName::Client(timer),
        TimerName::Algorithm(timer) => TimerName::Algorithm(TimerPiece::Own(timer)),
    }
}

/// What was said, unless no run can have come to it.
fn believed<T: Serialize>(said: T) -> Result<T, String> {
    implausible(&said).map_or(Ok(said), Err)
}

/// Why an algorithm cannot be told this at all; none if it can.
#[must_use]
pub fn unknown_order<A: Algorithm>(order: &Order) -> Option<String> {
    let known = A::ENTRY.commands;
    let unknown = order.command().filter(|name| !known.contains(name))?;
    Some(format!("the nodes of `{}` cannot be told to {unknown}, only to {}", A::ENTRY.name, known.join(" or ")))
}

fn not_begun() -> String {
    "this life of the node has not begun yet".to_owned()
}

/// What can be told of an input that cannot be read: which message it is, if it is one.
fn salvage<'a, T>(item: &str) -> StepInput<TimerPiece<'a, T>> {
    #[derive(Deserialize)]
    struct Item {
        message: Named,
    }
    #[derive(Deserialize)]
    struct Named {
        id: MessageId,
    }
    match serde_json::from_str(item) {
        Ok(Item { message: Named { id } }) => StepInput::Message(id),
        Err(_) => StepInput::Unreadable {},
    }
}
