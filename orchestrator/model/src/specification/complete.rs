//! Completion of a draft: turns a request into a specification without absent fields, or returns all errors of the
//! request.

use interlock_algorithm::{Configuration, LockUse, catalogue};
use interlock_machine::distribution::Distribution;
use interlock_machine::wire::Protocol;
use interlock_machine::workload::{BACK_OFF, ClientLoop};
use uuid::Uuid;

use super::{
    All, ChannelLayer, Clients, Delays, Detector, Draft, KnownAlgorithm, LARGEST_SEED, LONGEST_SCRIPT,
    LONGEST_SLOW_AFTER_MS, MOST_LOCKS, MOST_NODES, MOST_SIMULATED_NODES, NodeGroup, Scripted, Specification, VERSION,
    Workload, WorkloadDraft, declared, name_fault, program, service,
};
use crate::field_error::{FieldError, unknown_node};
use crate::network::{LinkSetting, link_errors};
use crate::strict;

impl Draft {
    /// Reads a draft from a document. This function is compiled once, in this crate, and not again in each crate
    /// that reads such documents.
    ///
    /// # Errors
    /// The first error of the document, with a pointer to its place.
    pub fn read(document: &serde_json::Value) -> Result<Self, FieldError> {
        strict::deserialize(document)
    }

    /// Fills in the absent fields, for a simulated run.
    ///
    /// # Errors
    /// All errors of the draft, each with a pointer to its place.
    pub fn complete_simulated(self) -> Result<Specification, Vec<FieldError>> {
        self.complete_beside(&[])
    }

    /// Fills in the absent fields, for a simulated run that executes the actions in `beside` in addition to the
    /// actions of its script.
    ///
    /// # Errors
    ///
    /// All errors of the draft, each with a pointer to its place.
    pub fn complete_beside(self, beside: &[Scripted]) -> Result<Specification, Vec<FieldError>> {
        self.complete_with(MOST_SIMULATED_NODES, beside)
    }

    fn complete_with(self, most_nodes: u32, beside: &[Scripted]) -> Result<Specification, Vec<FieldError>> {
        let (algorithm, variant) = (self.algorithm.clone(), self.variant.clone());
        let named = Self { algorithm, variant, parameters: self.parameters.clone(), ..Self::default() };
        let with_what_was_meant = |error: FieldError| match named.given(&error.pointer) {
            Some(given) => error.meant_by(&given),
            None => error,
        };
        self.checked(most_nodes, beside).map_err(|errors| errors.into_iter().map(with_what_was_meant).collect())
    }

    /// Returns the name that the draft contains at `pointer`. If the name is misspelt, the error suggests a similar
    /// name.
    fn given(&self, pointer: &str) -> Option<String> {
        match pointer {
            "/algorithm" => Some(self.algorithm.clone()),
            "/variant" => self.variant.clone(),
            _ => {
                let name = pointer.strip_prefix("/parameters/")?;
                let entry = catalogue::find(&self.algorithm).ok()?;
                let known = entry.parameters.iter().any(|parameter| parameter.name == name);
                if known { self.parameters.get(name).map(ToString::to_string) } else { Some(name.to_owned()) }
            }
        }
    }

    fn checked(self, most_nodes: u32, beside: &[Scripted]) -> Result<Specification, Vec<FieldError>> {
        let clients = self.nodes.unwrap_or(5);
        let nodes = self.services.iter().fold(clients, |sum, service| sum.saturating_add(service.count));
        let mut errors = self.errors(clients, nodes, most_nodes);
        let entry = match catalogue::find(&self.algorithm) {
            Ok(entry) => entry,
            Err(refusal) => {
                errors.push(refusal.into());
                return Err(errors);
            }
        };
        let own = self.own.clone();
        let known = KnownAlgorithm::of(entry, own.as_ref());
        let mut specification = self.filled(nodes, &known);
        errors.extend(specification.oversize());
        errors.extend(specification.errors(&known));
        errors.extend(program::errors(&specification.programs, entry, specification.locks));
        errors.extend(service::errors(&specification));
        errors.extend(declared::errors(own.as_ref(), entry, clients, specification.locks));
        if !specification.channel.is_raw() && catalogue::is_instantaneous(&specification.configuration()) == Ok(true) {
            let detail = "this variant sends no messages and needs no channel; remove this field";
            errors.push(FieldError::new("/channel", detail));
        }
        specification.detector = specification.detector.filled(Delays::of(&specification, beside));
        // If the draft already has an error, such as an impossible number of nodes, the algorithm's own check adds
        // nothing useful.
        if errors.is_empty()
            && let Err(refusal) = specification.complete_parameters(beside)
        {
            errors.push(refusal.into());
        }
        if errors.is_empty() {
            errors.extend(specification.inapplicable_monitors());
        }
        if errors.is_empty() { Ok(specification) } else { Err(errors) }
    }

    /// Fills in the absent fields, for a run of real processes.
    ///
    /// # Errors
    /// All errors of the draft, each with a pointer to its place. A variant that works only if messages have no
    /// delay is also an error.
    pub fn complete(self) -> Result<Specification, Vec<FieldError>> {
        let specification = self.complete_with(MOST_NODES, &[])?;
        let errors = specification.unfit_to_live();
        if errors.is_empty() { Ok(specification) } else { Err(errors) }
    }

    fn filled(self, nodes: u32, known: &KnownAlgorithm<'_>) -> Specification {
        let KnownAlgorithm { entry, title, ref background_kinds, needs_order: fifo, .. } = *known;
        let of_variant = |variant: &String| catalogue::assumptions(entry.name, variant).map(|assumes| assumes.fifo);
        let fifo = fifo || self.variant.as_ref().and_then(of_variant).unwrap_or_default();
        // Some algorithms send background messages, such as an idle token. Without a delay, these messages would
        // circulate as fast as the machine allows.
        let delay = if background_kinds.is_empty() { Distribution::ZERO } else { Distribution::Constant(5.0) };
        let channel = self.channel.unwrap_or_default();
        // Channels restore the order of messages. So if the run has channels, its links need not keep the order.
        let network = LinkSetting { delay, fifo: fifo && channel.is_raw(), ..LinkSetting::default() };
        let mut specification = Specification {
            version: VERSION,
            name: self.name.unwrap_or_else(|| title.to_owned()),
            variant: self.variant.unwrap_or_else(|| entry.variants[0].name.to_owned()),
            algorithm: self.algorithm,
            parameters: self.parameters,
            nodes,
            locks: self.locks.unwrap_or(1),
            seed: self.seed.unwrap_or_else(|| Uuid::new_v4().as_u64_pair().0 & LARGEST_SEED),
            channel,
            detector: self.detector.unwrap_or_default(),
            network: self.network.over(&network),
            links: self.links,
            workload: self.workload.map(WorkloadDraft::filled),
            script: self.script,
            monitors: self.monitors,
            planned: self.planned,
            timers: self.timers.unwrap_or(true),
            slow_after_ms: self.slow_after_ms.unwrap_or(2_000),
            programs: self.programs,
            services: self.services,
            own: self.own,
        };
        if self.locks.is_none() && entry.locks == LockUse::Many {
            specification.locks = catalogue::default_locks(&specification.configuration());
        }
        specification
    }

    fn errors(&self, clients: u32, nodes: u32, most_nodes: u32) -> Vec<FieldError> {
        let mut errors = Vec::new();
        let mut refuse = |wrong: bool, pointer: &str, detail: String| {
            if wrong {
                errors.push(FieldError::new(pointer, detail));
            }
        };
        let version = self.version.unwrap_or(VERSION);
        refuse(version != VERSION, "/version", format!("version {version} is unknown; this program reads {VERSION}"));
        refuse(!(1..=most_nodes).contains(&nodes), "/nodes", format!("{nodes} nodes are outside 1 … {most_nodes}"));
        refuse(self.locks == Some(0), "/locks", format!("0 locks are outside 1 … {MOST_LOCKS}"));
        let steps = self.script.len();
        let detail = format!("a script of {steps} steps is too long; the maximum is {LONGEST_SCRIPT}");
        refuse(steps > LONGEST_SCRIPT, "/script", detail);
        let seed = self.seed.unwrap_or(0);
        refuse(seed > LARGEST_SEED, "/seed", format!("{seed} is outside 0 … {LARGEST_SEED}"));
        let fault = self.name.as_deref().and_then(name_fault);
        refuse(fault.is_some(), "/name", fault.unwrap_or_default());
        let slow = self.slow_after_ms.unwrap_or(1);
        let possible = (1..=LONGEST_SLOW_AFTER_MS).contains(&slow);
        refuse(!possible, "/slow_after_ms", format!("{slow} ms are outside 1 … {LONGEST_SLOW_AFTER_MS}"));
        let known = catalogue::find(&self.algorithm).ok().map(|entry| KnownAlgorithm::of(entry, self.own.as_ref()));
        let kinds = known.as_ref().and_then(KnownAlgorithm::kinds);
        errors.extend(link_errors("/network", &self.network, kinds));
        for (place, link) in self.links.iter().enumerate() {
            errors.extend(link.errors(&format!("/links/{place}"), nodes, kinds));
        }
        errors.extend(self.channel.as_ref().and_then(ChannelLayer::errors));
        errors.extend(self.detector.as_ref().and_then(Detector::errors));
        errors.extend(self.workload.iter().flat_map(|workload| workload.errors(clients)));
        errors
    }
}

impl WorkloadDraft {
    fn filled(self) -> Workload {
        Workload {
            client_loop: ClientLoop {
                idle: self.idle.unwrap_or(Distribution::Exponential(200.0)),
                hold: self.hold.unwrap_or(Distribution::Constant(50.0)),
                entries: self.entries,
                kind: self.kind.unwrap_or_default(),
                locks: self.locks.unwrap_or_default(),
                between: self.between.unwrap_or(Distribution::ZERO),
                again: self.again.unwrap_or(BACK_OFF),
                tell: self.tell.unwrap_or(0.0),
                service: self.service,
            },
            nodes: self.nodes.unwrap_or(Clients::All(All::All)),
            account: self.account,
            overrides: self.overrides,
        }
    }

    fn errors(&self, nodes: u32) -> Vec<FieldError> {
        let these = if let Some(Clients::These(these)) = &self.nodes { these.as_slice() } else { &[] };
        let clients = these.iter().enumerate().map(|(place, &node)| (format!("/workload/nodes/{place}"), node));
        let own = self.overrides.iter().enumerate();
        let own = own.map(|(place, own)| (format!("/workload/overrides/{place}/node"), own.node));
        let tell = self.tell.filter(|tell| !(0.0..=1.0).contains(tell));
        let tell = tell
            .map(|tell| FieldError::new("/workload/tell", format!("{tell} is not a probability: it is outside 0 … 1")));
        let unknown = clients.chain(own).filter_map(|(pointer, node)| unknown_node(&pointer, node, nodes));
        unknown.chain(tell).collect()
    }
}

impl Specification {
    /// Returns an error for each field of the specification that only a simulation can execute, not real processes.
    #[must_use]
    pub fn unfit_to_live(&self) -> Vec<FieldError> {
        let mut errors = Vec::new();
        if self.nodes > MOST_NODES {
            let detail = format!("{} nodes are outside 1 … {MOST_NODES}; only a simulation can have more", self.nodes);
            errors.push(FieldError::new("/nodes", detail));
        }
        let is_instantaneous = |variant: &str| {
            catalogue::is_instantaneous(&Configuration { variant: Some(variant), ..self.configuration() })
        };
        if is_instantaneous(&self.variant) == Ok(true) {
            let detail = format!(
                "`{}` reads the states of other processes instantly, which no network can do; only a simulation can \
                 run it",
                self.variant
            );
            let variants = catalogue::find(&self.algorithm).map_or(&[][..], |entry| entry.variants);
            let names = variants.iter().map(|variant| variant.name);
            let allowed = names.filter(|name| is_instantaneous(name) == Ok(false)).map(ToOwned::to_owned).collect();
            errors.push(FieldError { allowed, ..FieldError::new("/variant", detail) });
        }
        errors
    }

    /// Returns the errors of the clients and of the script, for a run of the algorithm `known`.
    fn errors(&self, known: &KnownAlgorithm<'_>) -> Vec<FieldError> {
        let entry = known.entry;
        let mut errors = Vec::new();
        if let Some(workload) = &self.workload {
            errors.extend(service_errors(&workload.client_loop, &self.programs));
            if entry.locks == LockUse::None {
                let detail = format!("`{}` has no locks, so clients have no workload; remove this field", entry.name);
                errors.push(FieldError::new("/workload", detail));
            }
            let own =
                workload.overrides.iter().enumerate().filter_map(|(place, own)| {
                    Some((format!("/workload/overrides/{place}/locks"), own.locks.as_ref()?))
                });
            let all = std::iter::once(("/workload/locks".to_owned(), &workload.client_loop.locks)).chain(own);
            errors.extend(all.filter_map(|(pointer, choice)| {
                choice.fits(self.locks).err().map(|error| FieldError::new(pointer, error.to_string()))
            }));
        }
        let script = self.script.iter().enumerate();
        errors.extend(
            script.flat_map(|(place, scripted)| {
                scripted.errors(&format!("/script/{place}"), known, self.nodes, self.locks)
            }),
        );
        errors
    }
}

/// If a client loop that uses a service is invalid in this run, returns the error. Only programs for Maelstrom
/// offer a service. A client of a service has one operation at a time, so its loop must be closed.
fn service_errors(client_loop: &ClientLoop, programs: &[NodeGroup]) -> Option<FieldError> {
    client_loop.service?;
    let offers = |group: &NodeGroup| group.protocol == Protocol::Maelstrom;
    if programs.is_empty() || !programs.iter().all(offers) {
        let detail = "only nodes that are written for Maelstrom offer services; write \
                      `nodes: [{ command: [python3, node.py], protocol: maelstrom, count: 3 }]`";
        return Some(FieldError::new("/workload/service", detail));
    }
    let detail = "clients of a service have one operation at a time; remove `loop`";
    (!client_loop.kind.is_closed()).then(|| FieldError::new("/workload/loop", detail))
}
