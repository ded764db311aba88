//! A random schedule: what happens next is drawn from all that may.

use interlock_model::choice::Choice;
use interlock_model::impossible::Impossible;
use interlock_world::World;

/// Lets one of these choices happen, the one that `drawn` stands for, and says which; none if there are none.
///
/// # Errors
/// Why it cannot happen.
pub fn one_of(world: &mut World<'_>, mut choices: Vec<Choice>, drawn: u64) -> Result<Option<Choice>, Impossible> {
    if choices.is_empty() {
        return Ok(None);
    }
    let place = drawn % choices.len() as u64;
    let choice = choices.swap_remove(usize::try_from(place).unwrap_or_default());
    world.apply(&choice).map(|()| Some(choice))
}
