//! Selects claims by name and method.

use interlock_simulation::claim;
use interlock_simulation::library::LibraryError;

use super::claim::{Claim, How, Showing};

/// The reason why no check can be selected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    /// No claim has the requested name.
    #[error("there is no claim `{name}`; the most similar names are {}", .nearest.join(", "))]
    Unknown {
        /// Requested name.
        name: String,
        /// The claims with the most similar names.
        nearest: Vec<&'static str>,
    },
    /// No source has the requested name.
    #[error(transparent)]
    NoSuchSource(#[from] LibraryError),
    /// The selected claims have no check with the requested methods.
    #[error("none of these claims is checked by {}: they are checked by {}", letters(.asked), letters(.there))]
    NotSo {
        /// Requested methods.
        asked: Vec<How>,
        /// Methods of the checks that the selected claims have.
        there: Vec<How>,
    },
}

/// Returns the selected checks in the order of their sources. Without names, the checks of all claims are selected.
/// Without methods, the checks with any method are selected. The letters of a system select all its claims. With a
/// source, only claims of this source are selected.
///
/// # Errors
/// If a name, a source or a method does not exist. The error lists the most similar names, all sources, or the existing
/// methods.
pub fn select(
    names: &[String],
    source: Option<&str>,
    hows: &[How],
) -> Result<Vec<(&'static Claim, &'static Showing)>, SelectionError> {
    let names: Vec<String> = names.iter().map(|name| name.to_ascii_uppercase()).collect();
    if let Some(name) = names.iter().find(|name| !super::all().any(|claim| is_called(claim, name))) {
        return Err(SelectionError::Unknown { name: name.clone(), nearest: nearest(name) });
    }
    if let Some(source) = source {
        claim::source(source)?;
    }
    let claims = super::all()
        .filter(|claim| names.is_empty() || names.iter().any(|name| is_called(claim, name)))
        .filter(|claim| source.is_none_or(|source| claim.is_of(source)));
    let there: Vec<_> = claims.flat_map(|claim| claim.showings.iter().map(move |showing| (claim, showing))).collect();
    let chosen: Vec<_> =
        there.iter().filter(|(_, showing)| hows.is_empty() || hows.contains(&showing.how)).copied().collect();
    if chosen.is_empty() {
        let mut there: Vec<How> = there.iter().map(|(_, showing)| showing.how).collect();
        there.sort_unstable();
        there.dedup();
        return Err(SelectionError::NotSo { asked: hows.to_vec(), there });
    }
    Ok(chosen)
}

fn is_called(claim: &Claim, name: &str) -> bool {
    claim.id == name || claim.id.split_once('-').is_some_and(|(system, _)| system == name)
}

/// Maximum number of characters of a name that are compared. The duration of a comparison grows with this number.
const LONGEST_NAME: usize = 64;

/// Returns the three claims whose names need the fewest changes to become this name. Only the beginning of a long
/// name is compared.
fn nearest(name: &str) -> Vec<&'static str> {
    let name: String = name.chars().take(LONGEST_NAME).collect();
    let mut ids: Vec<_> = super::all().map(|claim| claim.id).collect();
    // The sort is stable, so names with the same number of changes stay in the order of the sources.
    ids.sort_by_key(|id| strsim::levenshtein(&name, id));
    ids.truncate(3);
    ids
}

fn letters(hows: &[How]) -> String {
    hows.iter().map(|how| how.letter()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(names: &[&str], hows: &[How]) -> Vec<(&'static str, How)> {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        let chosen = select(&names, None, hows).expect("claims");
        chosen.into_iter().map(|(claim, showing)| (claim.id, showing.how)).collect()
    }

    #[test]
    fn claims_are_chosen_by_name_by_system_and_by_how() {
        assert_eq!(ids(&["lam-1"], &[]), [("LAM-1", How::Live), ("LAM-1", How::Simulation)]);
        assert_eq!(ids(&["LAM-1", "CEN-1"], &[How::Live]), [("CEN-1", How::Live), ("LAM-1", How::Live)]);
        assert_eq!(ids(&["RAY"], &[How::Property]), [("RAY-1", How::Property)]);
        assert!(ids(&[], &[]).len() > 100);
    }

    #[test]
    fn what_there_is_not_is_told_with_what_comes_near() {
        let unknown = select(&["LAN-1".to_owned()], None, &[]).expect_err("no such claim").to_string();
        assert!(unknown.contains("`LAN-1`") && unknown.contains("LAM-1"), "{unknown}");
        let not_so = select(&["CEN-2".to_owned()], None, &[How::Live]).expect_err("not shown live");
        assert_eq!(not_so, SelectionError::NotSo { asked: vec![How::Live], there: vec![How::Simulation] });
    }

    #[test]
    fn claims_are_selected_by_source() {
        let of = |source| select(&["LAM".to_owned()], Some(source), &[]).map(|chosen| chosen.len());
        let all = select(&["LAM".to_owned()], None, &[]).expect("claims").len();
        assert!(of("logische-zeit").is_ok_and(|count| (1..all).contains(&count)), "{:?}", of("logische-zeit"));
        let unknown = of("logische-zeiten").expect_err("no such source").to_string();
        assert!(unknown.contains("did you mean `logische-zeit`?") && unknown.contains("pdv-11"), "{unknown}");
    }
}
