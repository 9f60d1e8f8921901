//! Words that mean the same.

use std::collections::{BTreeSet, HashMap};

use crate::analysis::tokens;

/// Groups of words or phrases that mean the same, such as "SSO" and "single sign-on".
///
/// A section with one of them is also found by the others, but after those that contain what the
/// reader typed.
///
/// ```
/// use svc_search::{Analysis, Document, Index, Query, Section, Synonyms, Weights};
/// let section = Section { text: "Set up single sign-on.".into(), ..Section::default() };
/// let page = std::sync::Arc::new(Document { sections: [section].into(), ..Document::default() });
/// let weights = Weights::default();
/// let synonyms = Synonyms::new([["SSO", "single sign-on"]]);
/// let analysis = Analysis::with_synonyms(&page, &weights, &synonyms);
/// let index = Index::from_analyses(vec![page], &[&analysis], &weights);
/// assert_eq!(index.search(&Query::new("sso")).total, 1);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Synonyms {
    /// The members of each group as written.
    groups: Vec<Vec<String>>,
    /// By the first word of a member: all its words, its group and its number in it.
    by_first: HashMap<String, Vec<(Vec<String>, usize, usize)>>,
}

impl Synonyms {
    /// Creates synonyms from groups. Members without letters and digits are ignored.
    pub fn new<G>(groups: impl IntoIterator<Item = G>) -> Self
    where
        G: IntoIterator,
        G::Item: Into<String>,
    {
        let mut out = Self::default();
        for (group, members) in groups.into_iter().enumerate() {
            let members: Vec<String> = members.into_iter().map(Into::into).collect();
            for (number, member) in members.iter().enumerate() {
                let member = tokens(member);
                if let Some(first) = member.first() {
                    let list = out.by_first.entry(first.clone()).or_default();
                    list.push((member, group, number));
                }
            }
            out.groups.push(members);
        }
        out
    }

    /// Returns what else a text with these words says: the other members of its groups.
    pub(crate) fn of(&self, text: &[String]) -> BTreeSet<&str> {
        let mut present: BTreeSet<(usize, usize)> = BTreeSet::new();
        for (at, first) in text.iter().enumerate() {
            for (member, group, number) in self.by_first.get(first).into_iter().flatten() {
                if text[at..].starts_with(member) {
                    present.insert((*group, *number));
                }
            }
        }
        let groups: BTreeSet<usize> = present.iter().map(|(group, _)| *group).collect();
        let members = groups.iter().flat_map(|&group| {
            let members = self.groups[group].iter().enumerate();
            members.map(move |(number, member)| ((group, number), member.as_str()))
        });
        let missing = members.filter(|(key, _)| !present.contains(key));
        missing.map(|(_, member)| member).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Synonyms;
    use crate::analysis::tokens;

    #[test]
    fn the_other_members_of_a_group_are_returned() {
        let synonyms = Synonyms::new([vec!["SSO", "single sign-on", "SAML"], vec!["k8s", ""]]);
        let of = |text: &str| -> Vec<String> {
            let found = tokens(text);
            synonyms.of(&found).into_iter().map(str::to_owned).collect()
        };
        assert_eq!(of("a Single Sign-On."), ["SAML", "SSO"]);
        assert_eq!(of("single sign"), Vec::<String>::new());
        assert_eq!(of("sso and saml"), ["single sign-on"]);
        assert_eq!(of("K8s"), [""]);
    }
}
