//! The word that somebody may have meant.

/// The longest word that is compared, in characters. Comparing takes time in the product of both lengths.
const LONGEST_WORD: usize = 64;

/// How much alike two words must be at least, 0 … 1: less is a guess that helps nobody.
const LEAST_LIKENESS: f64 = 0.75;

/// The candidate that is most like `given`; none if there is none that is like it.
pub fn nearest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if is_long(given) {
        return None;
    }
    let given = given.to_lowercase();
    let likeness = |candidate: &str| strsim::jaro_winkler(&given, &candidate.to_lowercase());
    let all = candidates
        .into_iter()
        .filter(|candidate| !is_long(candidate))
        .map(|candidate| (candidate, likeness(candidate)));
    let best = all.max_by(|one, other| one.1.total_cmp(&other.1));
    best.filter(|(_, likeness)| *likeness >= LEAST_LIKENESS).map(|(candidate, _)| candidate)
}

fn is_long(word: &str) -> bool {
    word.chars().nth(LONGEST_WORD).is_some()
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

    #[test]
    fn words_of_more_than_64_characters_are_not_compared() {
        let (longest, longer) = ("é".repeat(64), "é".repeat(65));
        assert_eq!(nearest(&longest, [&*longest]), Some(&*longest));
        assert_eq!(nearest(&longer, [&*longer, &*longest]), None);
        assert_eq!(nearest(&longest, [&*longer]), None);
    }
}
