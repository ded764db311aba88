//! Build script of the program: links it at a fixed address on Linux with glibc.
//!
//! All nodes of a run execute this program. At one address, they share more of the caches of a core, and no process
//! has to relocate a copy of the constants. With ten nodes, the nodes then need two thirds of the CPU time and half of
//! the memory (`docs/decisions/0096-one-address.md`).

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=orchestrator/link.rs");
    let target = |part: &str| env::var(format!("CARGO_CFG_TARGET_{part}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
