//! Tests of `interlock completions`.

use std::io::Write;
use std::process::{Command, Stdio};

use super::said;

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

#[test]
fn every_shell_learns_the_commands_that_are_for_people() {
    for shell in SHELLS {
        let (script, err) = said(&format!("completions {shell}"), 0);
        let known = ["simulate", "playground", "completions", "crash", "data-dir"];
        assert!(known.iter().all(|word| script.contains(word)), "{shell}: {script}");
        assert!(!script.contains("Be one node of a run"), "{shell}: {script}");
        assert_eq!(err, "", "{shell}");
    }
    let (_, err) = said("completions tcsh", 2);
    assert!(SHELLS.iter().all(|shell| err.contains(shell)), "{err}");
}

/// The output is a script that the shell must accept. The script must complete the actions on a run.
#[test]
fn bash_completes_what_can_be_done_to_a_run() {
    let (script, _) = said("completions bash", 0);
    let asked = "COMP_WORDS=(interlock do cr); COMP_CWORD=2; _interlock interlock cr do; echo \"${COMPREPLY[@]}\"\n";
    let mut bash = Command::new("bash")
        .args(["--noprofile", "--norc"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("bash starts");
    bash.stdin.take().expect("its input").write_all((script + asked).as_bytes()).expect("it reads");
    let output = bash.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "crash\n");
}
