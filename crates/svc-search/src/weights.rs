//! The constants of the ranking.

/// Constants of the ranking. The defaults were found by measuring on labeled queries.
///
/// An index is searched with the weights it was built with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// Weight of a word in the title of the page.
    pub title: f64,
    /// Weight of a word in [`Document::keywords`](crate::Document::keywords).
    pub keywords: f64,
    /// Factor for a synonym of a word of the section.
    pub synonyms: f64,
    /// Weight of a word in the heading of the section.
    pub heading: f64,
    /// Weight of a word in the headings above it.
    pub outer_heading: f64,
    /// Weight of a word in [`Section::identifiers`](crate::Section::identifiers).
    pub identifiers: f64,
    /// Weight of a word in the text.
    pub text: f64,
    /// Weight of a word in code.
    pub code: f64,
    /// Factor for a part of a word in camelCase.
    pub part: f64,
    /// Factor for several words written together.
    pub compound: f64,
    /// How much long titles and headings count less: 0 not at all, 1 in proportion.
    pub title_length: f64,
    /// The same for text and code.
    pub text_length: f64,
    /// Usual number of words of a title or heading.
    pub usual_title: f64,
    /// Usual number of words of a section.
    pub usual_text: f64,
    /// Weight at which more occurrences have half of their possible effect.
    pub saturation: f64,
    /// Factor for other forms of a word.
    pub stem: f64,
    /// The same for forms of a word that no page contains, which may as well be a typing error.
    pub stem_of_unknown: f64,
    /// Factor for words that begin with the last word of the query.
    pub prefix: f64,
    /// The same if the last word is a word of the site itself.
    pub prefix_of_word: f64,
    /// Factor for each typing error.
    pub edit: f64,
    /// Factor for similar words if the word itself is rare on the site.
    pub edit_of_word: f64,
    /// Factor for words whose beginning is similar to the last word of the query.
    pub edit_prefix: f64,
    /// Factor for two words of the query that a page writes as one.
    pub joined: f64,
    /// Importance of a compound of the query compared with that of a word.
    pub compound_word: f64,
    /// Importance of the words of a compound that pages contain.
    pub compound_parts: f64,
    /// Importance of the words of a compound that is similar to one of the pages.
    pub compound_parts_similar: f64,
    /// Factor for the importance of words such as "how" and "the".
    pub stopword: f64,
    /// Share of the whole page in its score; the rest is that of its best section.
    pub page: f64,
    /// Added to the factor of a page whose title is part of the query or the reverse.
    pub title_part: f64,
    /// Added if the title contains all words of the query.
    pub title_all: f64,
    /// Added if the title has no other words.
    pub title_exact: f64,
    /// Added if the heading of the section is the query.
    pub heading_exact: f64,
    /// Added if the words follow each other.
    pub near: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            title: 8.0,
            keywords: 4.0,
            synonyms: 0.5,
            heading: 5.0,
            outer_heading: 1.0,
            identifiers: 6.0,
            text: 1.0,
            code: 0.7,
            part: 0.7,
            compound: 0.1,
            title_length: 0.3,
            text_length: 0.27,
            usual_title: 4.0,
            usual_text: 120.0,
            saturation: 4.0,
            stem: 0.8,
            stem_of_unknown: 0.3,
            prefix: 0.6,
            prefix_of_word: 0.4,
            edit: 0.5,
            edit_of_word: 0.2,
            edit_prefix: 0.1,
            joined: 0.9,
            compound_word: 0.75,
            compound_parts: 0.2,
            compound_parts_similar: 0.45,
            stopword: 0.2,
            page: 0.5,
            title_part: 0.4,
            title_all: 0.15,
            title_exact: 0.5,
            heading_exact: 0.2,
            near: 0.4,
        }
    }
}
