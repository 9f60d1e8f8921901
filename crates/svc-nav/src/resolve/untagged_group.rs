//! The group of operations without a tag, in the languages of the user interface.

use svc_openapi::UNTAGGED_GROUP;

/// A language and its name of the group in each line.
const NAMES: &str = include_str!("untagged_group.txt");

/// Returns the name of the group on pages of a language; English if there is none.
pub(super) fn untagged_group(language: Option<&str>) -> &'static str {
    let mut names = NAMES.lines().filter_map(|line| line.split_once(' '));
    let name = names.find(|(code, _)| Some(*code) == language);
    name.map_or(UNTAGGED_GROUP, |(_, name)| name)
}
