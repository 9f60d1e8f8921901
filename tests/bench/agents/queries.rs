//! The questions with their answers.

use std::collections::BTreeMap;
use std::io;

use svc_site::Site;
use svc_tests::sites;

/// A question and the section that answers it.
#[derive(Debug, serde::Deserialize)]
pub(crate) struct LabeledQuery {
    site: String,
    /// Kind of question: how-to, error, setting, concept or identifier.
    pub(crate) kind: String,
    /// The question as a user asks it.
    pub(crate) question: String,
    page: String,
    /// Id of the section.
    pub(crate) section: String,
    /// Words of the answer that are nowhere else on the page.
    answer: String,
}

/// Reads the questions, by site.
pub(crate) fn by_site() -> io::Result<BTreeMap<String, Vec<LabeledQuery>>> {
    let file = sites::workspace().join("tests/bench/agents/questions.csv");
    let mut all: BTreeMap<String, Vec<LabeledQuery>> = BTreeMap::new();
    for question in csv::Reader::from_path(file)?.deserialize() {
        let question: LabeledQuery = question?;
        all.entry(question.site.clone()).or_default().push(question);
    }
    Ok(all)
}

impl LabeledQuery {
    /// Path of the page that has the answer.
    pub(crate) fn path(&self) -> String {
        format!("/{}", self.page)
    }

    /// Whether a text contains the words of the answer in their order.
    pub(crate) fn is_covered_by(&self, text: &str) -> bool {
        terms(text).contains(&terms(&self.answer))
    }

    /// Checks that the section exists and alone has the words of the answer.
    ///
    /// # Errors
    /// If not: the site has changed, or the label is wrong.
    pub(crate) fn check(&self, site: &Site) -> Result<(), String> {
        let error = |reason: &str| {
            let path = self.path();
            let section = &self.section;
            Err(format!("{}{path}#{section}: {reason}", self.site))
        };
        let path = self.path();
        let path = path.strip_suffix("/index").unwrap_or(&path);
        let Some(sections) = site.page_sections(path) else {
            return error("the page is missing");
        };
        let with_answer: Vec<&str> = sections
            .iter()
            .filter(|section| {
                let heading = section.headings.last().map_or("", String::as_str);
                let text = format!("{heading}\n{}\n{}", section.text, section.code);
                self.is_covered_by(&text)
            })
            .map(|section| section.id.as_str())
            .collect();
        match with_answer.as_slice() {
            [id] if *id == self.section => Ok(()),
            [] => error("no section of the page has the words of the answer"),
            others => error(&format!("the words of the answer are in {others:?}")),
        }
    }
}

/// The words of a text without formatting, separated by single spaces, with spaces around them.
fn terms(text: &str) -> String {
    let mut out = String::from(" ");
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        // The destination of a link is not read.
        if let Some(after) = rest.strip_prefix("](")
            && let Some(end) = after.find([')', '\n'])
        {
            rest = &after[end..];
            continue;
        }
        if c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
        rest = &rest[c.len_utf8()..];
    }
    if !out.ends_with(' ') {
        out.push(' ');
    }
    out
}
