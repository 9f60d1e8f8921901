//! Messages of the marks on pages of previews, which are loaded together with the changes.

/// Messages of the marks of changes in one language. `{}` is a placeholder.
#[derive(Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChangeMarkMessages {
    /// Accessible name of the bar.
    pub(crate) bar: &'static str,
    /// Button that shows the marks; `{}` is the number of changes.
    pub(crate) show: &'static str,
    /// Button that hides the marks.
    pub(crate) hide: &'static str,
    /// Number of changes on the page; `{}` is the number.
    pub(crate) count: &'static str,
    /// Button that leads to the previous change.
    pub(crate) previous: &'static str,
    /// Button that leads to the next change.
    pub(crate) next: &'static str,
    /// Label of a new block.
    pub(crate) added: &'static str,
    /// Label of a different block.
    pub(crate) changed: &'static str,
    /// Kind of a change that only removes blocks.
    pub(crate) removed: &'static str,
    /// Title of a note of what was removed; `{}` is the number of blocks.
    pub(crate) removed_blocks: &'static str,
    /// Status of a page that the live site does not have.
    pub(crate) new_page: &'static str,
    /// Status of a page without changes.
    pub(crate) none: &'static str,
}
