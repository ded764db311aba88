//! The word that somebody may have meant.

/// The candidate that is most like `given`; none if there are none.
pub fn nearest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let likeness = |candidate: &str| strsim::jaro_winkler(given, candidate);
    candidates.into_iter().max_by(|one, other| likeness(one).total_cmp(&likeness(other)))
}
