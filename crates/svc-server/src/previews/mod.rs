//! Previews: a branch or a pull request as a separate site.
//!
//! The list of previews is not stored separately; it is derived from the deployments. `decide`
//! maps an event of a forge to steps, and `expired_previews` selects previews to remove because
//! they have expired or the settings have changed.

mod decide;
mod name;
mod pattern;

pub(crate) use decide::{
    ActivePreview, Decision, Origin, PreviewStep, Situation, decide, expired_previews, expires,
    has_branch_preview, is_version,
};

#[cfg(test)]
mod tests;
