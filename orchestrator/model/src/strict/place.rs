//! Locations of values in a document, and the location of the first error.

use std::cell::OnceCell;

use serde_json::Error;

use crate::field_error::{FieldError, token};

/// JSON pointer to the location of the first error; empty until an error is found.
#[derive(Debug, Default)]
pub(super) struct Track(OnceCell<String>);

impl Track {
    /// Converts an error of the reader into an error with a pointer to its location.
    pub fn located(self, error: &Error) -> FieldError {
        FieldError::said(error).below(&self.0.into_inner().unwrap_or_default())
    }
}

/// One segment of a pointer: it leads from a value to a field or an item of this value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Segment<'p> {
    /// Leads to a field of an object.
    Field(&'p str),
    /// Leads to an item of a list.
    Item(usize),
}

/// The location of a value in a document: a linked list that leads from the value to the root. The list is on the
/// reader's stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'p> {
    track: &'p Track,
    parent: Option<(&'p Place<'p>, Segment<'p>)>,
}

impl<'p> Place<'p> {
    /// Returns the location of the whole document.
    pub const fn root(track: &'p Track) -> Self {
        Self { track, parent: None }
    }

    /// Returns the location of a field or an item of the value at this location.
    pub const fn part(&'p self, segment: Segment<'p>) -> Self {
        Self { track: self.track, parent: Some((self, segment)) }
    }

    /// Records this location as the location of the error, unless a location was already recorded. The innermost
    /// location is recorded first.
    pub fn note(&self) {
        self.track.0.get_or_init(|| self.pointer());
    }

    /// Returns a JSON pointer (RFC 6901) to this location.
    pub fn pointer(&self) -> String {
        match self.parent {
            None => String::new(),
            Some((parent, Segment::Field(name))) => parent.pointer() + &token(name),
            Some((parent, Segment::Item(at))) => format!("{}/{at}", parent.pointer()),
        }
    }
}
