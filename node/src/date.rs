//! The date according to the clock of this machine.
//!
//! The HTTP library writes the date into each answer. The library panics if HTTP cannot represent the date, so
//! every HTTP server must check the date before it starts. Setting the clock back later does no harm: the library
//! then repeats the date that it wrote last.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// First moment after the last date that HTTP can represent: the beginning of the year 10,000.
const TOO_LATE: Duration = Duration::from_hours(70_389_528);

/// The clock shows a date that HTTP cannot represent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot serve HTTP: the clock of this machine shows a date before 1970 or after 9999; set the clock")]
pub struct ImpossibleDate;

/// Checks that HTTP can represent the current date.
///
/// # Errors
/// If HTTP cannot represent the date.
pub fn check_date() -> Result<(), ImpossibleDate> {
    check(SystemTime::now())
}

fn check(now: SystemTime) -> Result<(), ImpossibleDate> {
    let since = now.duration_since(UNIX_EPOCH).map_err(|_| ImpossibleDate)?;
    if since < TOO_LATE { Ok(()) } else { Err(ImpossibleDate) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_dates_from_1970_to_9999_are_possible() {
        let tick = Duration::from_nanos(1);
        for (date, expected) in [
            (UNIX_EPOCH, Ok(())),
            (UNIX_EPOCH - tick, Err(ImpossibleDate)),
            (UNIX_EPOCH + TOO_LATE - tick, Ok(())),
            (UNIX_EPOCH + TOO_LATE, Err(ImpossibleDate)),
        ] {
            assert_eq!(check(date), expected, "{date:?}");
        }
    }
}
