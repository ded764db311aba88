//! The resources that the locks of a run protect, computed from the events: an account, or the files of a directory.

mod one;
#[cfg(test)]
mod tests;

use interlock_algorithm::LockId;
use interlock_machine::lock_choice::LockChoice;
use serde::{Deserialize, Serialize};

pub use one::{Access, Resource, ResourceDocument};

use interlock_model::event::{Event, What};
use interlock_model::impossible::Impossible;
use interlock_model::specification::{Account, Specification};
use interlock_model::write::{Rejection, Write};

/// The name of the account.
pub const ACCOUNT: &str = "account";

/// The resources of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resources {
    all: Vec<Resource>,
    /// The rejection of the latest event, if that event was a write and the resource rejected it.
    #[serde(skip)]
    rejection: Option<Rejection>,
}

impl Resources {
    /// Returns the resources that a specification defines, before the first event.
    #[must_use]
    pub fn new(specification: &Specification) -> Self {
        let Some(workload) = &specification.workload else { return Self::default() };
        let account = workload.account.map(|account| {
            let Account { balance, deposit, fencing } = account;
            Resource::new(ACCOUNT.to_owned(), LockId(0), balance, deposit, fencing)
        });
        let has_directory = workload.choices().any(LockChoice::is_of_a_directory);
        // An account can be configured without fencing, to demonstrate how writes are lost. Files always check fencing
        // tokens.
        let file = |lock: u32| Resource::new(format!("file-{lock}"), LockId(lock), 0, Some(1), true);
        let files = (1..specification.locks).filter(|_| has_directory).map(file);
        Self { all: account.into_iter().chain(files).collect(), rejection: None }
    }

    /// Checks that a write is possible in a run of this specification.
    ///
    /// # Errors
    /// The run has no such resource, or no such node.
    pub fn check(write: &Write, specification: &Specification) -> Result<(), Impossible> {
        let nodes = specification.nodes;
        if let Some(node) = write.node.filter(|node| node.0 >= nodes) {
            return Err(Impossible::UnknownNode(node, nodes));
        }
        let resources = Self::new(specification);
        let known = resources.find(&write.resource).is_some();
        if known { Ok(()) } else { Err(Impossible::Unknown(resources.unknown(&write.resource))) }
    }

    /// Processes the next event.
    #[inline]
    pub fn apply(&mut self, event: &Event) {
        self.rejection = None;
        for resource in &mut self.all {
            if let Err(why) = resource.apply(event) {
                self.rejection = Some(why);
            }
        }
    }

    /// Returns the event that follows from the latest event: if the latest event was a rejected write, the
    /// rejection.
    #[must_use]
    pub fn follows(&self) -> Option<What> {
        self.rejection.clone().map(|rejection| What::Rejected { rejection })
    }

    /// Returns all resources, ordered by lock.
    #[must_use]
    pub fn all(&self) -> &[Resource] {
        &self.all
    }

    /// Returns all resources, as the API shows them.
    #[must_use]
    pub fn documents(&self) -> Vec<ResourceDocument> {
        self.all.iter().map(Resource::document).collect()
    }

    /// Returns an error text about an unknown resource, to be placed after "there is no": the given name, and a list
    /// of the existing resources.
    #[must_use]
    pub fn unknown(&self, name: &str) -> String {
        let names: Vec<&str> = self.all.iter().map(|resource| resource.name.as_str()).collect();
        let are = match names.as_slice() {
            [] => "this run has none; only a workload with an `account` or `locks: directory` has some".to_owned(),
            names => format!("the run has {}", names.join(", ")),
        };
        format!("resource `{name}`: {are}")
    }

    /// Returns the resource with this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Resource> {
        self.all.iter().find(|resource| resource.name == name)
    }
}
