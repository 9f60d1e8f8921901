//! Words that mean the same.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::analysis::tokens;

/// Minimum length of a word without the `s` of its plural.
const MIN_SINGULAR_BYTES: usize = 3;

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
    /// By the first word of a member, without the `s` of a plural: all its words, its group and its
    /// number in it.
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
                let member = tokens(member).into_iter();
                let member: Vec<String> = member.map(|word| singular(&word).to_owned()).collect();
                if let Some(first) = member.first() {
                    let list = out.by_first.entry(first.clone()).or_default();
                    list.push((member, group, number));
                }
            }
            out.groups.push(members);
        }
        out
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Returns what else a text with these words says: the other members of its groups, and how
    /// often the text contains a member of the group.
    pub(crate) fn of(&self, text: &[&str]) -> BTreeMap<&str, u32> {
        let mut present: BTreeSet<(usize, usize)> = BTreeSet::new();
        let mut groups: BTreeMap<usize, u32> = BTreeMap::new();
        for (at, first) in text.iter().enumerate() {
            let members = self.by_first.get(singular(first)).into_iter().flatten();
            for (member, group, number) in members {
                let rest = text[at..].iter().map(|word| singular(word));
                if rest
                    .take(member.len())
                    .eq(member.iter().map(String::as_str))
                {
                    present.insert((*group, *number));
                    *groups.entry(*group).or_default() += 1;
                }
            }
        }
        let mut out: BTreeMap<&str, u32> = BTreeMap::new();
        for (group, count) in groups {
            for (number, member) in self.groups[group].iter().enumerate() {
                if !present.contains(&(group, number)) {
                    *out.entry(member).or_default() += count;
                }
            }
        }
        out
    }
}

/// Removes the `s` at the end of a plural.
fn singular(word: &str) -> &str {
    let shorter = word
        .strip_suffix('s')
        .filter(|rest| rest.len() >= MIN_SINGULAR_BYTES && !rest.ends_with('s') && rest.is_ascii());
    shorter.unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::Synonyms;
    use crate::analysis::tokens;

    #[test]
    fn the_other_members_of_a_group_are_returned() {
        let synonyms = Synonyms::new([vec!["SSO", "single sign-on", "SAML"], vec!["k8s", ""]]);
        let of = |text: &str| -> Vec<String> {
            let text = tokens(text);
            let text: Vec<&str> = text.iter().map(String::as_str).collect();
            synonyms.of(&text).into_keys().map(str::to_owned).collect()
        };
        assert_eq!(of("a Single Sign-On."), ["SAML", "SSO"]);
        assert_eq!(of("single sign"), Vec::<String>::new());
        assert_eq!(of("sso and saml"), ["single sign-on"]);
        assert_eq!(of("K8s"), [""]);
    }

    #[test]
    fn plurals_are_equal_to_singulars() {
        let synonyms = Synonyms::new([["coupon", "discount code"]]);
        assert_eq!(
            synonyms
                .of(&["discount", "codes"])
                .keys()
                .collect::<Vec<_>>(),
            [&"coupon"]
        );
        assert_eq!(synonyms.of(&["coupons", "coupon"])["discount code"], 2);
    }
}
