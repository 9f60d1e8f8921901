//! The keys as the reference describes them.

/// Keys that are described together: a top-level key, or a kind of element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionGroup {
    /// The top-level key, or the name of the kind.
    pub title: String,
    /// Whether it is a top-level key.
    pub top: bool,
    /// Description, in Markdown.
    pub description: String,
    /// Example value, as JSON.
    pub example: String,
    /// The keys, outermost first. The first one of a top-level key is the key itself.
    pub keys: Vec<OptionDoc>,
}

/// A key of `docs.json`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OptionDoc {
    /// Path from the root (or from the element): `navbar.links[].label`; `*` stands for any name.
    pub path: String,
    /// The types of the value: "string or object".
    pub kind: String,
    /// The allowed values; empty if any value of the type is allowed.
    pub values: Vec<String>,
    /// The title of the group that describes the value further.
    pub see: Option<String>,
    /// Whether the key is required.
    pub required: bool,
    /// The default: JSON or a description; empty if there is none.
    pub default: String,
    /// Description, in Markdown.
    pub description: String,
    /// Rules that the type does not express, in Markdown.
    pub rule: String,
    /// The version that introduced the key.
    pub since: &'static str,
    /// What to use instead; empty for keys that are not deprecated.
    pub deprecated: String,
}
