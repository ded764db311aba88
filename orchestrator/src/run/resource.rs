//! Writes by clients outside the run to the resources that the locks protect.

use interlock_model::event::What;
use interlock_model::impossible::Impossible;
use interlock_model::write::{Rejection, Write};
use interlock_observation::resource::{Resource, ResourceDocument, Resources};

use super::core::Core;
use super::error::RunError;

impl Core {
    /// Writes to a resource, which may reject the write. Returns the resource after the write, and the `seq` of
    /// the event of the write.
    ///
    /// # Errors
    /// If the resource or the node does not exist, or the run is over.
    pub fn put(&mut self, write: Write) -> Result<Result<(ResourceDocument, u64), Rejection>, RunError> {
        self.changeable()?;
        Resources::check(&write, self.specification())?;
        let name = write.resource.clone();
        let resources = self.log.state().resources();
        let unknown = || Impossible::Unknown(resources.unknown(&name));
        let rejection = resources.find(&name).ok_or_else(unknown)?.rejection(&write);
        let seq = self.emit_now(What::Put { write });
        let document = self.log.state().resources().find(&name).map(Resource::document);
        self.settle();
        Ok(match (rejection, document) {
            (None, Some(document)) => Ok((document, seq)),
            (Some(rejection), _) => Err(rejection),
            (None, None) => return Err(Impossible::Unknown(self.log.state().resources().unknown(&name)).into()),
        })
    }
}
