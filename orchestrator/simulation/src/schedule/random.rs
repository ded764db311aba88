//! Random schedules: each next action is drawn from all actions that are possible.

use interlock_model::choice::Choice;
use interlock_model::impossible::Impossible;
use interlock_world::World;

/// Executes one of the actions `choices`, and returns this action. The random number `drawn` selects the action.
/// Returns none if `choices` is empty.
///
/// # Errors
///
/// Returns the reason why the action is impossible.
pub fn one_of(world: &mut World<'_>, mut choices: Vec<Choice>, drawn: u64) -> Result<Option<Choice>, Impossible> {
    if choices.is_empty() {
        return Ok(None);
    }
    let place = drawn % choices.len() as u64;
    let choice = choices.swap_remove(usize::try_from(place).unwrap_or_default());
    world.apply(&choice).map(|()| Some(choice))
}
