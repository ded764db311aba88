//! Means over several runs, and the confidence intervals of the means.
//!
//! The confidence interval of a mean is Student's (1908, "The Probable Error of a Mean"). This interval is valid
//! because runs with different seeds are independent, and because a figure of a long run is nearly normally
//! distributed.

use serde_json::{Map, Value};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Probability that the interval contains the true mean.
const CONFIDENCE: f64 = 0.95;

/// Returns the mean, or none if there are no numbers.
pub fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / count(numbers))
}

/// Returns the two ends of the 95 % confidence interval of the mean. If there are fewer than two numbers, returns
/// none.
pub fn interval(numbers: &[f64]) -> Option<[f64; 2]> {
    let mean = mean(numbers)?;
    let freedom = count(numbers) - 1.0;
    let student = StudentsT::new(0.0, 1.0, freedom).ok()?;
    let variance = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / freedom;
    let half = student.inverse_cdf(f64::midpoint(CONFIDENCE, 1.0)) * (variance / count(numbers)).sqrt();
    Some([mean - half, mean + half])
}

#[expect(clippy::cast_precision_loss, reason = "nobody repeats a run 2^53 times")]
const fn count(numbers: &[f64]) -> f64 {
    numbers.len() as f64
}

/// Combines documents of the same shape into one document, field by field. A number is combined from the documents
/// that contain it. A text or a Boolean is kept if it is equal in all documents. All other values become null.
pub fn combine(values: &[&Value], numbers: &dyn Fn(&[f64]) -> Value) -> Value {
    if values.iter().any(|value| value.is_object()) {
        let maps: Vec<_> = values.iter().filter_map(|value| value.as_object()).collect();
        let mut all = Map::new();
        for name in maps.iter().flat_map(|map| map.keys()) {
            if !all.contains_key(name) {
                let parts: Vec<_> = maps.iter().filter_map(|map| map.get(name)).collect();
                all.insert(name.clone(), combine(&parts, numbers));
            }
        }
        return all.into();
    }
    let lists: Vec<_> = values.iter().filter_map(|value| value.as_array()).collect();
    if let (Some(first), true) = (lists.first(), lists.len() == values.len()) {
        let part = |place: usize| lists.iter().filter_map(|list| list.get(place)).collect::<Vec<_>>();
        return (0..first.len()).map(|place| combine(&part(place), numbers)).collect();
    }
    let found: Vec<f64> = values.iter().filter_map(|value| value.as_f64()).collect();
    match values {
        _ if !found.is_empty() => numbers(&found),
        [first, rest @ ..] if rest.iter().all(|value| value == first) => (*first).clone(),
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_interval_is_that_of_the_tables() {
        // With 1, 4 and 29 degrees of freedom, the quantile of Student's distribution is 12.706, 2.776 and 2.045.
        for (numbers, half) in [(vec![0.0, 2.0], 12.706), (vec![1.0, 2.0, 3.0, 4.0, 5.0], 2.776 * 0.5_f64.sqrt())] {
            let [low, high] = interval(&numbers).expect("an interval");
            assert!(((high - low) / 2.0 - half).abs() < 0.001, "{low} … {high}");
        }
        let many: Vec<f64> = (0..30).map(f64::from).collect();
        let [low, high] = interval(&many).expect("an interval");
        assert!((high - 14.5 - 2.045 * (77.5_f64 / 30.0).sqrt()).abs() < 0.002 && (low + high - 29.0).abs() < 1e-9);
    }

    #[test]
    fn one_number_has_no_interval_and_equal_ones_a_narrow_one() {
        assert_eq!((interval(&[1.0]), interval(&[]), mean(&[])), (None, None, None));
        assert_eq!(interval(&[8.0, 8.0, 8.0]), Some([8.0, 8.0]));
    }

    #[test]
    fn documents_are_combined_place_by_place() {
        let (one, other) = (
            json!({ "a": 1, "b": { "c": [1, 2] }, "d": "T", "e": null, "f": "x" }),
            json!({ "a": 3, "b": { "c": [3, 4] }, "d": "T", "e": 5, "f": "y" }),
        );
        let combined = combine(&[&one, &other], &|numbers| json!(mean(numbers)));
        assert_eq!(combined, json!({ "a": 2.0, "b": { "c": [2.0, 3.0] }, "d": "T", "e": 5.0, "f": null }));
    }
}
