//! Imports that every algorithm needs. They are collected here, so that the file of an algorithm can begin with its
//! paper.

pub(crate) use alloc::boxed::Box;
pub(crate) use alloc::collections::VecDeque;
pub(crate) use alloc::format;
pub(crate) use alloc::string::String;
pub(crate) use alloc::vec;
pub(crate) use alloc::vec::Vec;

pub(crate) use serde::{Deserialize, Serialize};

pub(crate) use crate::choice::{Choice, Variant};
pub(crate) use crate::clock::{Clock, Show, Timed, Timestamp};
pub(crate) use crate::command::Command;
pub(crate) use crate::conduct::Conduct;
pub(crate) use crate::configuration::{Configuration, ParameterValue, Refusal};
pub(crate) use crate::contract::{Algorithm, Effects, Input};
pub(crate) use crate::entry::{Entry, LockUse, Parameter, Source, Structure};
pub(crate) use crate::flat::{FlatMap, FlatSet};
pub(crate) use crate::identity::{LockId, NodeId, RequestId, Ticks};
pub(crate) use crate::needs::{Assumptions, FailureDetector, Risk, TimeOut};
pub(crate) use crate::outcome::Outcome;
pub(crate) use crate::range::{Pace, Range, Times, Word};
pub(crate) use crate::said::{choices, messages, reasons, setting, timers};
pub(crate) use crate::sentence::Sentence;
pub(crate) use crate::turn::Turn;
pub(crate) use crate::view::{Queued, Value, View, count};
