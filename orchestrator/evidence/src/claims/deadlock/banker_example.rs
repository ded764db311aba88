//! The example of the lecture for the banker's algorithm: five processes and four kinds of units.

/// Number of units of each kind that P1 … P5 hold.
pub(super) const HELD: [[u32; 4]; 5] = [[3, 0, 1, 1], [0, 1, 0, 0], [1, 1, 1, 0], [1, 1, 0, 1], [0, 0, 0, 0]];
/// Number of units of each kind that P1 … P5 may still request.
const NEEDED: [[u32; 4]; 5] = [[1, 1, 0, 0], [0, 1, 1, 2], [3, 1, 0, 0], [0, 0, 1, 0], [2, 1, 1, 0]];

/// Returns the maximum claims of P1 … P5, as a parameter of the algorithm.
pub(super) fn claims() -> String {
    let claims: Vec<String> = HELD
        .iter()
        .zip(NEEDED)
        .map(|(held, needed)| held.iter().zip(needed).map(|(held, needed)| (held + needed).to_string()).collect())
        .map(|row: Vec<String>| row.join(","))
        .collect();
    claims.join(";")
}
