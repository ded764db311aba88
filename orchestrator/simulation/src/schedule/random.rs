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
    let Some(place) = place(choices.len(), drawn) else { return Ok(None) };
    let choice = choices.swap_remove(place);
    world.apply(&choice).map(|()| Some(choice))
}

/// Returns the index of the selected one of `count` actions; none if there are no actions.
fn place(count: usize, drawn: u64) -> Option<usize> {
    let count = u64::try_from(count).ok().filter(|&count| count > 0)?;
    usize::try_from(drawn % count).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_action_can_be_drawn() {
        let places: Vec<_> = (0..6).map(|drawn| place(3, drawn)).collect();
        assert_eq!(places, [0, 1, 2, 0, 1, 2].map(Some));
        assert_eq!(place(0, 5), None);
    }
}
