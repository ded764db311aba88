//! Files that are saved about a run whose result was not as expected.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use interlock_observation::trace::Form;

use super::Named;
use super::played::Played;
use crate::simulate::events;

/// Saves the files about a run in a new folder, and returns the folder.
pub fn keep(folder: &Path, number: usize, named: &Named, played: &Played) -> io::Result<PathBuf> {
    let plain = |character: char| if character.is_alphanumeric() || character == '-' { character } else { '-' };
    let name: String = named.name.chars().map(plain).take(60).collect();
    let own = folder.join(format!("{:03}-{name}-{}", number + 1, played.seed));
    fs::create_dir_all(&own)?;
    fs::write(own.join("scenario.yaml"), &named.text)?;
    let mut findings = serde_json::to_string_pretty(&played.findings)?;
    findings.push('\n');
    fs::write(own.join("findings.json"), findings)?;
    if let Some(metrics) = &played.metrics {
        fs::write(own.join("metrics.json"), serde_json::to_string_pretty(metrics)? + "\n")?;
    }
    if !played.events.is_empty() {
        events::write(File::create(own.join("events.ndjson"))?, &played.events)?;
        for (form, file) in [(Form::Story, "story.txt"), (Form::Svg, "space-time.svg")] {
            let mut out = BufWriter::new(File::create(own.join(file))?);
            form.write(&played.events, &mut out)?;
            out.flush()?;
        }
    }
    if let Some(schedule) = &played.schedule {
        schedule.write(BufWriter::new(File::create(own.join("run.schedule"))?))?;
    }
    Ok(own)
}
