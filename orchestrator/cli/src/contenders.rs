//! Selects rows of a table of algorithms by their names.

use interlock_model::nearest::did_you_mean;
use interlock_simulation::matrix::Contender;

/// Error for a name that matches no row of a table.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{table} has no row `{name}`{meant}; it has {}", known.join(", "))]
pub struct UnknownRow {
    table: &'static str,
    name: String,
    /// Suggestion of a similar name, or an empty text.
    meant: String,
    known: Vec<String>,
}

/// Returns the rows that match the names, or all rows if there are no names. A name is `ALGORITHM` or
/// `ALGORITHM/VARIANT`. `table` is the subject of the error message for an unknown name.
///
/// # Errors
/// If a name matches no row.
pub fn named(mut all: Vec<Contender>, names: &[String], table: &'static str) -> Result<Vec<Contender>, UnknownRow> {
    let is_meant = |contender: &Contender, name: &str| name == contender.entry.name || name == full_name(contender);
    if let Some(unknown) = names.iter().find(|name| !all.iter().any(|contender| is_meant(contender, name))) {
        let mut known: Vec<String> = all.iter().map(full_name).collect();
        known.dedup();
        let algorithms = all.iter().map(|contender| contender.entry.name);
        let meant = did_you_mean(unknown, algorithms.chain(known.iter().map(String::as_str)));
        return Err(UnknownRow { table, name: unknown.clone(), meant, known });
    }
    all.retain(|contender| names.is_empty() || names.iter().any(|name| is_meant(contender, name)));
    Ok(all)
}

fn full_name(contender: &Contender) -> String {
    format!("{}/{}", contender.entry.name, contender.variant.name)
}

/// Returns the suffix that names the failure detector of a row, or an empty text if the row has no failure
/// detector.
pub fn told(detector: &str) -> &'static str {
    match detector {
        "perfect" => " +told",
        "heartbeat" => " +beat",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use interlock_simulation::matrix::contenders;

    use super::*;

    #[test]
    fn a_name_means_an_algorithm_or_one_of_its_variants() {
        let chosen = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            named(contenders().filter(|contender| contender.channel == "raw").collect(), &names, "it")
        };
        let variants = |names| chosen(names).expect("rows").iter().map(full_name).collect::<Vec<_>>();
        assert_eq!(variants(&["le-lann/time-out"]), ["le-lann/time-out"; 2], "with each detector");
        let both = variants(&["le-lann/time-out", "le-lann"]);
        assert_eq!(both, ["le-lann/original", "le-lann/time-out", "le-lann/time-out"], "none twice");
        assert_eq!(
            chosen(&[]).expect("all").len(),
            contenders().filter(|contender| contender.channel == "raw").count()
        );
        let refused = chosen(&["lamport", "le-lan"]).expect_err("no such row").to_string();
        assert!(
            refused.starts_with("it has no row `le-lan`; did you mean `le-lann`?; it has bakery/pull, "),
            "{refused}"
        );
    }
}
