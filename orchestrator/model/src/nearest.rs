//! Suggestions for misspelt words.

/// Minimum similarity of two words for a suggestion, 0 … 1. A suggestion with less similarity would not help.
const LEAST_LIKENESS: f64 = 0.75;
/// Maximum length of a compared word, in characters. The work of a comparison grows with the product of the two
/// lengths.
const LONGEST_WORD: usize = 64;

/// Returns the candidate that is most similar to `given`; none if no candidate is similar enough.
pub fn nearest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let all = candidates.into_iter().map(|candidate| (candidate, likeness(given, candidate)));
    let best = all.max_by(|one, other| one.1.total_cmp(&other.1));
    best.filter(|(_, likeness)| is_alike(*likeness)).map(|(candidate, _)| candidate)
}

/// Returns the similarity of two words, 0 … 1, regardless of case. If a word is too long for the comparison,
/// returns 0.
#[must_use]
pub fn likeness(one: &str, other: &str) -> f64 {
    let is_long = |word: &str| word.chars().nth(LONGEST_WORD).is_some();
    if is_long(one) || is_long(other) {
        return 0.0;
    }
    strsim::jaro_winkler(&one.to_lowercase(), &other.to_lowercase())
}

/// Returns whether a similarity is high enough for a suggestion.
#[must_use]
pub fn is_alike(likeness: f64) -> bool {
    likeness >= LEAST_LIKENESS
}

/// If a candidate is similar to `given`, returns `; did you mean …?` as the end of a sentence; otherwise an empty
/// text.
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

    #[test]
    fn a_word_that_is_too_long_is_not_compared() {
        let (longest, too_long) = ("a".repeat(64), "a".repeat(65));
        assert_eq!(nearest(&longest, [&*longest]), Some(&*longest));
        assert_eq!((nearest(&too_long, [&*longest]), nearest(&longest, [&*too_long])), (None, None));
    }
}
