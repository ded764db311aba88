//! Writes a man page for each command into a folder, for `just dist`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("manual: write the folder for the man pages");
        return ExitCode::from(2);
    };
    match clap_mangen::generate_to(interlock_cli::command_line(), &folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("manual: cannot write to {}: {error}", folder.display());
            ExitCode::FAILURE
        }
    }
}
