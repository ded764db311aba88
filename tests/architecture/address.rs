//! Test of the address of the program in memory, which `orchestrator/link.rs` fixes.

use std::fs;
use std::path::Path;

/// Types of an ELF file: a program with a fixed address, and one that the kernel loads at a random address.
const FIXED: u16 = 2;
const RANDOM: u16 = 3;

/// Returns the type in the header of an ELF file.
fn elf_type(path: &Path) -> u16 {
    let header = fs::read(path).expect("a program");
    assert!(header.starts_with(b"\x7fELF"), "{} is no ELF file", path.display());
    u16::from_le_bytes([header[16], header[17]])
}

#[test]
fn the_program_has_a_fixed_address_and_the_tests_have_not() {
    assert_eq!(elf_type(Path::new(env!("CARGO_BIN_EXE_interlock"))), FIXED);
    assert_eq!(elf_type(&std::env::current_exe().expect("a path")), RANDOM);
}
