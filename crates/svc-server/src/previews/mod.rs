//! Previews: a branch or a pull request as a site of its own, beside the live one.
//!
//! Which of them stand is not kept here a second time: it is read from what is deployed. [`decide`]
//! says what an event of a forge means for a project, [`outdated`] which previews have to go
//! because time has passed or the settings are others.

mod decide;
mod name;
mod pattern;

pub(crate) use decide::{
    ActivePreview, Decision, Origin, PreviewStep, decide, expired_previews, expires,
};

#[cfg(test)]
mod tests;
