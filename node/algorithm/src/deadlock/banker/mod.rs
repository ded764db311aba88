//! The banker's algorithm: Dijkstra 1965, "Cooperating Sequential Processes", section 6, as the lecture presents it.
//!
//! One process, the banker, manages all resources. A resource has several units. The claim of a process is the
//! maximum number of units of each resource that it may hold, and the banker knows all claims. It grants a request
//! only if all processes can still finish afterwards, one after the other. Otherwise the request waits, and the
//! banker examines it again after each release of a unit. A request is for one unit, or for several units of several
//! resources (a row of the lecture's tables). The banker grants all units of a request or none.

pub mod safety;

mod message;
mod office;
mod tables;

use core::slice;

pub use self::message::{BankerMessage, Reason, Unit};
use self::office::{Answer, Office, Request};
use self::safety::{Step, Unsafe};
use self::tables::{AUTO, EXISTING, MOST, Tables};
use super::FAMILY;
use super::post::Post;
use crate::prelude::*;

choices! {
    /// Requests that the banker grants.
    pub enum Policy {
        Safe = "original": "a request asks for one unit, or for several units of several resources, all or none of them",
        GrantsFree = "grants-free": "as original, but the banker grants each request for units that are free";
            broken: "stuck: processes can wait for each other's units in a cycle",
    }
}

/// The values that are fixed for a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    banker: NodeId,
    tables: Tables,
    policy: Policy,
}

impl Tables {
    /// Returns the maximum number of units of a resource that a process may hold.
    fn claim(&self, process: NodeId, lock: LockId) -> u32 {
        self.claims.get(process.index()).and_then(|row| row.get(lock.0 as usize)).copied().unwrap_or(0)
    }

    /// Returns the number of units of a resource.
    fn units(&self, lock: LockId) -> u32 {
        self.existing.get(lock.0 as usize).copied().unwrap_or(0)
    }
}

/// One process of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Banker {
    wanted: FlatSet<Unit>,
    held: FlatSet<Unit>,
    office: Office,
}

impl Banker {
    /// Requests one unit for each entry of `locks`. The request numbers of the units are consecutive, from `request`.
    fn acquire(&mut self, setting: &Setting, locks: &[LockId], request: RequestId, post: &mut Post<'_, Self>) {
        let unit = |(&lock, number): (&LockId, u64)| Unit { lock, request: RequestId(number) };
        let units: Vec<Unit> = locks.iter().zip(request.0..).map(unit).collect();
        for &Unit { lock, request } in &units {
            post.outcome(Outcome::requested(lock, request));
        }
        self.wanted.extend(units.iter().copied());
        post.send(setting.banker, BankerMessage::Request { units });
    }

    fn release(&mut self, setting: &Setting, unit: Unit, post: &mut Post<'_, Self>) {
        if self.held.remove(&unit) {
            post.outcome(Outcome::Exited { lock: unit.lock, request: unit.request });
            post.send(setting.banker, BankerMessage::Release { unit });
        }
    }

    fn receive(
        &mut self,
        setting: &Setting,
        me: NodeId,
        from: NodeId,
        message: BankerMessage,
        post: &mut Post<'_, Self>,
    ) {
        let granting = matches!(message, BankerMessage::Grant { .. });
        if setting.banker != if granting { from } else { me } {
            return post.because(Reason::NotForBanker { from });
        }
        match message {
            BankerMessage::Request { units } => self.asked(setting, Request { process: from, units }, post),
            BankerMessage::Release { unit } => self.released(setting, from, unit, post),
            BankerMessage::Grant { units } => self.granted(from, &units, post),
        }
    }

    fn asked(&mut self, setting: &Setting, request: Request, post: &mut Post<'_, Self>) {
        let from = request.process;
        if !request.can_be(&setting.tables) {
            return post.because(Reason::Nonsense { from });
        }
        if self.office.has_lent(&request) {
            return post.because(Reason::HasItAlready { from });
        }
        if self.office.is_waiting(&request) {
            return post.because(Reason::WaitsAlready { from });
        }
        if let Some(lock) = self.office.waits_for_its_claim(&setting.tables, &request) {
            return post.because(Reason::AboveClaim { from, lock, claim: setting.tables.claim(from, lock) });
        }
        let answer = self.office.decide(&setting.tables, setting.policy, &request);
        tell(&request, &answer, post);
        if !answer.is_grant() {
            self.office.queue(request);
        }
    }

    fn released(&mut self, setting: &Setting, process: NodeId, unit: Unit, post: &mut Post<'_, Self>) {
        if !self.office.take_back(process, unit) {
            return post.because(Reason::DoesNotHaveIt { from: process });
        }
        post.because(Reason::GivenBack { process, lock: unit.lock });
        for (request, answer) in self.office.look_again(&setting.tables, setting.policy) {
            tell(&request, &answer, post);
        }
    }

    fn granted(&mut self, from: NodeId, units: &[Unit], post: &mut Post<'_, Self>) {
        if units.iter().any(|unit| self.held.contains(unit)) {
            return post.because(Reason::HasItAlready { from });
        }
        for unit in units {
            self.granted_one(from, *unit, post);
        }
    }

    fn granted_one(&mut self, from: NodeId, unit: Unit, post: &mut Post<'_, Self>) {
        let Unit { lock, request } = unit;
        if !self.wanted.remove(&unit) {
            // The banker has granted a duplicated request. The unit must be released, or it would be lost.
            post.because(Reason::NotWanted { lock });
            return post.send(from, BankerMessage::Release { unit });
        }
        self.held.insert(unit);
        post.because(Reason::GrantedByBanker);
        post.outcome(Outcome::Entered { lock, request, fence: None });
    }

    /// Adds the banker's state to the view: the tables of the lecture, and an order in which all processes can
    /// finish.
    fn show_office(&self, tables: &Tables, view: &mut View) {
        view.queue = self.office.waiting().map(|node| Queued { node, clock: None }).collect();
        view.variables.insert("existing".into(), units(&tables.existing));
        view.variables.insert("free".into(), units(&self.office.free(tables)));
        for (process, row) in self.office.held(tables).iter().enumerate() {
            view.variables.insert(format!("has of {}", node(process)), units(row));
        }
        for (process, row) in self.office.needed(tables).iter().enumerate() {
            view.variables.insert(format!("needs of {}", node(process)), units(row));
        }
        let order: Vec<Step> = self.office.order(tables).unwrap_or_default();
        let finishing: Vec<NodeId> = order.iter().map(|step| node(step.process)).collect();
        view.variables.insert("safe_order".into(), Value::nodes(&finishing));
        for (place, step) in (1_u32..).zip(&order) {
            let name = format!("free after {place}: {}", node(step.process));
            view.variables.insert(name, units(&step.free));
        }
    }

    fn above_claim(&self, setting: &Setting, me: NodeId, locks: &[LockId]) -> Option<String> {
        let above = |&lock: &LockId| {
            let count = |items: &FlatSet<Unit>| items.iter().filter(|unit| unit.lock == lock).count();
            let asks = locks.iter().filter(|asked| **asked == lock).count();
            let (claim, has, wants) = (setting.tables.claim(me, lock), count(&self.held), count(&self.wanted));
            let asks_for = if locks.len() > 1 { format!(", and asks for {asks}") } else { String::new() };
            (has + wants + asks > claim as usize).then(|| {
                format!(
                    "{me} may have at most {claim} units of resource {lock}: it has {has} and waits for \
                     {wants}{asks_for}"
                )
            })
        };
        locks.iter().find_map(above)
    }
}

/// Reports why a request is granted or has to wait. If it is granted, sends the grant.
fn tell(request: &Request, answer: &Answer, post: &mut Post<'_, Banker>) {
    let (process, counts) = (request.process, request.counts());
    match answer {
        Answer::Granted(order) => {
            for (&lock, &units) in &counts {
                post.because(Reason::Safe { process, lock, units });
            }
            for (place, step) in (1_u32..).zip(order) {
                post.because(Reason::Finishes { place, process: node(step.process) });
            }
            post.send(process, BankerMessage::Grant { units: request.units.clone() });
        }
        Answer::NotGivenBack(lock) => post.because(Reason::NotGivenBack { process, lock: *lock }),
        Answer::NotAvailable(lock, free) => {
            let units = counts.get(lock).copied().unwrap_or(0);
            post.because(Reason::NotAvailable { process, lock: *lock, units, free: *free });
        }
        Answer::Unsafe(found) => {
            for (&lock, &units) in &counts {
                post.because(Reason::Unsafe { process, lock, units });
            }
            tell_who_is_stuck(found, post);
        }
        Answer::GrantedUnsafely(found) => {
            for (&lock, &units) in &counts {
                post.because(Reason::GrantedUnsafely { process, lock, units });
            }
            tell_who_is_stuck(found, post);
            post.send(process, BankerMessage::Grant { units: request.units.clone() });
        }
    }
}

/// Reports which processes could not finish, and the units that would be free then.
fn tell_who_is_stuck(found: &Unsafe, post: &mut Post<'_, Banker>) {
    for &stuck in &found.stuck {
        post.because(Reason::CannotFinish { process: node(stuck) });
    }
    for (lock, &units) in (0_u32..).map(LockId).zip(&found.free) {
        post.because(Reason::WouldBeFree { lock, units });
    }
}

fn units(units: &[u32]) -> Value {
    Value::Numbers(units.iter().map(|&units| units.into()).collect())
}

fn node(row: usize) -> NodeId {
    NodeId(u32::try_from(row).unwrap_or(u32::MAX))
}

impl Algorithm for Banker {
    type Setting = Setting;
    type Message = BankerMessage;
    type Timer = ();
    type Stored = ();
    type Reason = Reason;

    const SENTENCES: &'static [Sentence] = Reason::SENTENCES;
    const ENTRY: Entry = Entry {
        name: "banker",
        title: "Banker's algorithm",
        source: Source { authors: "Edsger W. Dijkstra", title: "Cooperating Sequential Processes", year: 1965 },
        summary: "A banker grants a request only if all processes can then still finish one after the other.",
        variants: Policy::VARIANTS,
        // A duplicated copy of an old request waits like any other request. Because of the copy, a later valid
        // request can exceed the claim.
        assumes: Assumptions { no_duplication: true, ..FAMILY.assumes },
        structure: Structure::Coordinator { parameter: "banker" },
        message_kinds: BankerMessage::KINDS,
        parameters: &[
            Parameter::node("banker", "the process that manages the resources"),
            Parameter::new("existing", "the number of units of each resource", EXISTING, Range::Units { most: MOST }),
            Parameter::new(
                "claims",
                "the maximum number of units of each resource that a process may have: a row for each process, from 0 \
                on; processes without a row may have none; auto is the example of the lecture for its five processes \
                and resources 6,3,4,2, and otherwise one unit of each resource for each process",
                AUTO,
                Range::Or(Word { name: AUTO, meaning: "" }, &Range::Claims { on: "existing" }),
            ),
        ],
        messages_per_entry: "3, or 0 for the banker",
        ..FAMILY
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        let (banker, policy) = (configuration.node_parameter("banker")?, configuration.variant()?);
        Ok(Setting { banker, tables: Tables::of(configuration)?, policy })
    }

    fn default_locks(configuration: &Configuration<'_>) -> u32 {
        tables::resources(configuration)
    }

    fn new(_: &Setting, _: NodeId) -> Self {
        Self { wanted: FlatSet::new(), held: FlatSet::new(), office: Office::default() }
    }

    fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        let mut post = Post::new(me, out);
        match input {
            Input::Command(Command::Acquire { lock, request }) => self.acquire(setting, &[lock], request, &mut post),
            Input::Command(Command::AcquireTogether { locks, request }) => {
                self.acquire(setting, &locks, request, &mut post);
            }
            Input::Command(Command::Release { lock, request }) => {
                self.release(setting, Unit { lock, request }, &mut post);
            }
            Input::Message { from, message } => self.receive(setting, me, from, message, &mut post),
            // Nothing is stored: after a crash, a process knows only what it knew at the start.
            _ => {}
        }
        while let Some(message) = post.next() {
            self.receive(setting, me, me, message, &mut post);
        }
        post.send_off();
    }

    fn objection(&self, setting: &Setting, me: NodeId, command: &Command) -> Option<String> {
        let asked = match command {
            Command::Acquire { lock, .. } => slice::from_ref(lock),
            Command::AcquireTogether { locks, .. } => locks.as_slice(),
            _ => return None,
        };
        let locks = setting.tables.existing.len();
        if let Some(lock) = asked.iter().find(|lock| lock.0 as usize >= locks) {
            return Some(format!("there is no resource {lock}; the resources are 0 … {}", locks.saturating_sub(1)));
        }
        self.above_claim(setting, me, asked)
    }

    fn capacity(setting: &Setting, lock: LockId) -> u32 {
        setting.tables.units(lock)
    }

    fn may_have(setting: &Setting, me: NodeId, lock: LockId) -> bool {
        setting.tables.claim(me, lock) > 0
    }

    fn may_have_several(setting: &Setting, lock: LockId) -> bool {
        Self::capacity(setting, lock) > 1
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let mut view = View::default();
        let locks = |units: &FlatSet<Unit>| Value::Numbers(units.iter().map(|unit| unit.lock.0.into()).collect());
        view.variables.insert("has".into(), locks(&self.held));
        view.variables.insert("wants".into(), locks(&self.wanted));
        if !self.wanted.is_empty() && me != setting.banker {
            view.waits_for = [setting.banker].into();
        }
        if me == setting.banker {
            self.show_office(&setting.tables, &mut view);
        }
        view
    }
}
