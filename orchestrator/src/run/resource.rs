//! What the locks protect, written from outside.

use interlock_model::event::What;
use interlock_model::impossible::Impossible;
use interlock_model::write::{Rejection, Write};
use interlock_observation::resource::{Resource, ResourceDocument, Resources};

use super::core::Core;
use super::error::RunError;

impl Core {
    /// Writes into a resource, or has it refused. Returns how the resource stands then, and the `seq` of the
    /// write.
    ///
    /// # Errors
    /// When there is no such resource or no such node, or the run is over.
    pub fn put(&mut self, write: Write) -> Result<Result<(ResourceDocument, u64), Rejection>, RunError> {
        self.changeable()?;
        Resources::check(&write, &self.specification)?;
        let name = write.resource.clone();
        let resources = self.observation.state().resources();
        let unknown = || Impossible::Unknown(resources.unknown(&name));
        let rejection = resources.find(&name).ok_or_else(unknown)?.rejection(&write);
        let seq = self.emit_now(What::Put { write });
        let document = self.observation.state().resources().find(&name).map(Resource::document);
        self.settle();
        Ok(match (rejection, document) {
            (None, Some(document)) => Ok((document, seq)),
            (Some(rejection), _) => Err(rejection),
            (None, None) => return Err(Impossible::Unknown(self.observation.state().resources().unknown(&name)).into()),
        })
    }
}
