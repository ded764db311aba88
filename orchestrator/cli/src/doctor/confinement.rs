//! Checks which mechanisms for the confinement of nodes and programs this kernel supports.

use super::Finding;
use crate::walls::walls;

/// Starts a process that confines itself, and reports which of the mechanisms the kernel supports.
pub fn look() -> Finding {
    let subject = "confinement";
    let walls = match walls() {
        Ok(walls) => walls,
        Err(why) => {
            return Finding::optional(subject, format!("cannot confine nodes: {why}; start them with --unconfined"));
        }
    };
    let gaps: Vec<_> = walls.gaps().collect();
    if gaps.is_empty() {
        let all = "nodes reach only the files, connections and processes that they need (Landlock, seccomp, read-only \
                   mounts)";
        return Finding::ok(subject, all);
    }
    Finding::optional(subject, format!("the kernel has {}", gaps.join("; ")))
}
