//! Texts in all languages of the page.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A text in all languages of the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// English.
    pub en: String,
    /// German.
    pub de: String,
    /// Czech.
    pub cs: String,
}
