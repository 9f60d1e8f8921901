//! The groups of readers that make a difference to a site.

use std::collections::BTreeSet;

use svc_diagnostics::Diagnostic;
use svc_nav::Audience;
use svc_source::Contents;

use crate::Site;
use crate::codes::UNKNOWN_GROUP;

/// Maximum length of the name of a group in bytes.
const MAX_GROUP_BYTES: usize = 200;

impl Site {
    /// The groups that pages require, and all quoted texts of files that show content to groups.
    /// Readers who differ only in other groups see the same site.
    pub fn reader_groups(&self) -> &BTreeSet<String> {
        self.reader_groups.get_or_init(|| {
            let texts = self.tree.iter().filter_map(|(_, contents)| match contents {
                Contents::Text(file) => Some(&**file.text()),
                Contents::Bytes(_) | Contents::Disk { .. } => None,
            });
            let with_groups =
                texts.filter(|text| text.contains("Visibility") && text.contains("groups"));
            let quoted = with_groups.flat_map(|text| text.split(['"', '\'', '`']));
            let names = quoted.filter(|name| is_group(name)).map(str::to_owned);
            names.chain(self.map.withheld.groups.clone()).collect()
        })
    }

    /// Reports the groups of the site's audience that no page names. Where readers sign in, the
    /// groups are theirs, and the operator did not write them.
    pub(crate) fn report_unknown_groups(&self) -> Vec<Diagnostic> {
        let Audience::Members(groups) = &self.options.site.audience else {
            return Vec::new();
        };
        if self.options.site.sign_in {
            return Vec::new();
        }
        let unknown = groups.difference(self.reader_groups());
        let report = |group: &String| {
            let message = format!("no page is for the group `{group}`");
            let hint = match self.reader_groups().iter().next() {
                Some(_) => {
                    "check the spelling: groups are named in `groups` of pages, in `x-svc.groups` of operations and in `Visibility`"
                }
                None => {
                    "the site has no groups; `--audience signed-in` is for readers who have signed in"
                }
            };
            Diagnostic::new(&UNKNOWN_GROUP, message).hint(hint)
        };
        unknown.map(report).collect()
    }
}

fn is_group(text: &str) -> bool {
    (1..=MAX_GROUP_BYTES).contains(&text.len()) && !text.contains(char::is_control)
}
