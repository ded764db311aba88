//! Checks which means of confinement for nodes and programs this kernel has.

use super::Finding;
use crate::walls::walls;

/// Makes a process confine itself, and reports how much of that the kernel supports.
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
