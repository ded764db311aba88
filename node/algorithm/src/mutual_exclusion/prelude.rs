//! Imports that every algorithm for mutual exclusion needs.

pub(super) use super::first::{first, is_first};
pub(super) use super::section::{Asked, Section, steps};
pub(super) use super::{DETECTED_CRASHES, FAMILY, HOLDER};
pub(super) use crate::prelude::*;
