//! The word that somebody may have meant.

/// How much alike two words must be at least, 0 … 1: less is a guess that helps nobody.
const LEAST_LIKENESS: f64 = 0.75;

/// The candidate that is most like `given`; none if there is none that is like it.
pub fn nearest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = given.to_lowercase();
    let likeness = |candidate: &str| strsim::jaro_winkler(&given, &candidate.to_lowercase());
    let all = candidates.into_iter().map(|candidate| (candidate, likeness(candidate)));
    let best = all.max_by(|one, other| one.1.total_cmp(&other.1));
    best.filter(|(_, likeness)| *likeness >= LEAST_LIKENESS).map(|(candidate, _)| candidate)
}

/// `; did you mean …?` as the end of a sentence, where one of the candidates is like `given`; else nothing.
pub fn did_you_mean<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let meant = nearest(given, candidates).filter(|meant| *meant != given);
    meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_found_and_no_guess_is_made() {
        let known = ["centralised", "centralised-failover", "lamport", "ricart-agrawala"];
        for (given, meant) in [("centralized", "centralised"), ("centre", "centralised"), ("Lamprot", "lamport")] {
            assert_eq!(nearest(given, known), Some(meant), "{given}");
            assert_eq!(did_you_mean(given, known), format!("; did you mean `{meant}`?"));
        }
        for given in ["", "zzz", "quux"] {
            assert_eq!((nearest(given, known), did_you_mean(given, known)), (None, String::new()), "{given}");
        }
        assert_eq!(did_you_mean("lamport", known), "", "it was said");
    }
}
