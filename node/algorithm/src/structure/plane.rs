//! Finite projective planes by Singer's difference sets (Singer 1938, "A theorem in finite projective geometry and some
//! applications to number theory").
//!
//! The points of the plane of order q are the numbers 0 … q² + q. Point i is the i-th power of a generator of GF(q³),
//! up to factors from GF(q). The points whose trace to GF(q) is 0 form a line, and all other lines are rotations of
//! this line. The field is computed over GF(p), where q is a power of the prime p. An element is represented as a
//! number whose base-p digits are the coefficients of a polynomial.

use alloc::vec::Vec;

/// Greatest order for which planes are made. Its plane has 9,507 points.
const GREATEST_ORDER: u32 = 97;

/// Returns a line of the plane with `points` points, as differences from one of its points. 0 is among these
/// differences. Returns none if no such plane can be made here.
#[must_use]
pub fn difference_set(points: u32) -> Option<Vec<u32>> {
    let order = orders().find(|&order| size(order) == points)?;
    if order == 1 {
        return Some([0, 1].into());
    }
    let (prime, exponent) = prime_power(order)?;
    let field = Field { prime: prime.into(), degree: 3 * exponent };
    let powers = field.powers();
    let power = |exponent: u64| {
        let place = exponent % u64::try_from(powers.len()).unwrap_or(u64::MAX);
        usize::try_from(place).ok().and_then(|place| powers.get(place)).copied().unwrap_or_default()
    };
    let q = u64::from(order);
    let trace = |point: u64| field.add(field.add(power(point), power(point * q)), power(point * q * q));
    let line: Vec<u32> = (0..points).filter(|&point| trace(point.into()) == 0).collect();
    let first = *line.first()?;
    Some(line.into_iter().map(|point| point - first).collect())
}

/// Returns the nearest numbers of points for which there are planes: the greatest number below and the least above,
/// if they exist.
#[must_use]
pub fn nearest(points: u32) -> Vec<u32> {
    let below = orders().map(size).filter(|&size| size < points).max();
    let above = orders().map(size).filter(|&size| size > points).min();
    below.into_iter().chain(above).collect()
}

/// Returns the orders of the planes made here. Order 1 gives the triangle, whose lines are its sides.
fn orders() -> impl Iterator<Item = u32> {
    (1..=GREATEST_ORDER).filter(|&order| order == 1 || prime_power(order).is_some())
}

const fn size(order: u32) -> u32 {
    order * order + order + 1
}

/// Returns the prime and the exponent if the number is a prime power.
fn prime_power(number: u32) -> Option<(u32, u32)> {
    let prime = (2..=number).find(|divisor| number.is_multiple_of(*divisor))?;
    let exponent = number.ilog(prime);
    (prime.pow(exponent) == number).then_some((prime, exponent))
}

/// The field GF(pⁿ).
struct Field {
    prime: u64,
    degree: u32,
}

impl Field {
    const fn size(&self) -> u64 {
        self.prime.pow(self.degree)
    }

    /// Adds two elements coefficient by coefficient.
    const fn add(&self, mut a: u64, mut b: u64) -> u64 {
        let (mut sum, mut place) = (0, 1);
        while a > 0 || b > 0 {
            sum += place * ((a % self.prime + b % self.prime) % self.prime);
            place *= self.prime;
            (a, b) = (a / self.prime, b / self.prime);
        }
        sum
    }

    /// Multiplies each coefficient by a factor.
    const fn scale(&self, mut a: u64, factor: u64) -> u64 {
        let (mut product, mut place) = (0, 1);
        while a > 0 {
            product += place * (a % self.prime * factor % self.prime);
            place *= self.prime;
            a /= self.prime;
        }
        product
    }

    /// Returns the powers of x in order, from 1 until they repeat. The field's polynomial is the first x^n = `rest`
    /// for which the powers are all elements except 0.
    fn powers(&self) -> Vec<u64> {
        let all = self.size() - 1;
        (1..=all).map(|rest| self.powers_with(rest)).find(|powers| powers.len() as u64 == all).unwrap_or_default()
    }

    fn powers_with(&self, rest: u64) -> Vec<u64> {
        let top = self.size() / self.prime;
        let times_x = |a: u64| self.add(a % top * self.prime, self.scale(rest, a / top));
        let mut powers = Vec::new();
        let mut power = 1;
        while power != 0 && (power != 1 || powers.is_empty()) && (powers.len() as u64) < self.size() {
            powers.push(power);
            power = times_x(power);
        }
        if power == 1 { powers } else { Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every difference except 0 occurs exactly once, so every two lines intersect in exactly one point.
    #[test]
    fn every_difference_comes_once() {
        for points in [3, 7, 13, 21, 31, 57, 73, 91, 273, 757] {
            let line = difference_set(points).expect("a plane");
            assert!(line.contains(&0));
            let pairs = line.iter().flat_map(|a| line.iter().map(move |b| (a, b))).filter(|(a, b)| a != b);
            let mut differences: Vec<u32> = pairs.map(|(a, b)| (a + points - b) % points).collect();
            differences.sort_unstable();
            assert!(differences.into_iter().eq(1..points), "{points}");
        }
    }

    #[test]
    fn there_is_none_of_an_order_that_is_no_power_of_a_prime() {
        for points in [0, 1, 2, 4, 6, 8, 43, 111, 1_000] {
            assert_eq!(difference_set(points), None, "{points}");
        }
        let table: [(u32, &[u32]); 5] = [(0, &[3]), (3, &[7]), (8, &[7, 13]), (43, &[31, 57]), (1_000_000, &[9_507])];
        for (points, planes) in table {
            assert_eq!(nearest(points), planes, "{points}");
        }
    }

    #[test]
    fn prime_powers_are_told() {
        let known: Vec<u32> = (1..30).filter(|&number| prime_power(number).is_some()).collect();
        assert_eq!(known, [2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29]);
    }
}
