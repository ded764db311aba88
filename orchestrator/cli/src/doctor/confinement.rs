//! How little nodes can do besides what they are there for.

use interlock_node::{Extent, extent};

use super::Finding;

/// Asks the kernel how far it confines a node.
pub fn look() -> Finding {
    let subject = "confinement";
    match extent() {
        Ok(Extent::All) => {
            Finding::ok(subject, "nodes reach no files, no network and no processes but what they need (Landlock)")
        }
        Ok(Extent::Part) => Finding::optional(
            subject,
            "the kernel knows an older Landlock: nodes may do more than with Linux 6.12, signal other processes for example",
        ),
        Ok(Extent::Nothing) => Finding::optional(
            subject,
            "the kernel has no Landlock, or it is switched off: nodes are bounded in memory and open files, and may otherwise \
             do what you may",
        ),
        Err(why) => {
            Finding::optional(subject, format!("nodes cannot be confined, start them with --unconfined: {why}"))
        }
    }
}
