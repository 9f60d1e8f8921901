//! Schema of the settings, used for decoding, validation and documentation.

/// Schema of a table.
#[derive(Debug)]
pub(super) struct TableSchema {
    /// Dotted name of the table, such as `projects.source`; empty for the top level.
    pub(super) name: &'static str,
    /// Description in Markdown.
    pub(super) about: &'static str,
    pub(super) keys: &'static [KeySchema],
    pub(super) choices: &'static [ExclusiveKeys],
}

impl TableSchema {
    pub(super) fn key(&self, name: &str) -> Option<&'static KeySchema> {
        self.keys.iter().find(|key| key.name == name)
    }
}

/// Keys that exclude each other.
#[derive(Debug)]
pub(super) struct ExclusiveKeys {
    pub(super) keys: &'static [&'static str],
    /// Whether one of the keys is required.
    pub(super) required: bool,
}

/// Schema of a key.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeySchema {
    pub(super) name: &'static str,
    /// Description in Markdown.
    pub(super) about: &'static str,
    pub(super) value_type: ValueType,
    pub(super) required: bool,
    pub(super) default: DefaultValue,
    /// Example value in TOML.
    pub(super) example: &'static str,
    /// Key that this key requires; empty for none.
    pub(super) with: &'static str,
}

/// An optional key.
pub(super) const fn key(name: &'static str, form: ValueType, about: &'static str) -> KeySchema {
    KeySchema {
        name,
        about,
        value_type: form,
        required: false,
        default: DefaultValue::None,
        example: "",
        with: "",
    }
}

impl KeySchema {
    pub(super) const fn required(self) -> Self {
        Self {
            required: true,
            ..self
        }
    }

    pub(super) const fn default(self, default: DefaultValue) -> Self {
        Self { default, ..self }
    }

    pub(super) const fn example(self, example: &'static str) -> Self {
        Self { example, ..self }
    }

    pub(super) const fn with(self, with: &'static str) -> Self {
        Self { with, ..self }
    }
}

/// Value if the key is missing.
#[derive(Debug, Clone, Copy)]
pub(super) enum DefaultValue {
    None,
    Boolean(bool),
    Count(u32),
    Text(&'static str),
    /// A default that depends on other settings, described in words.
    Described(&'static str),
}

/// Type of a value.
#[derive(Debug, Clone, Copy)]
pub(super) enum ValueType {
    /// A non-empty string and the regular expression that it matches; empty for any string.
    Text(&'static str),
    /// A list of such strings.
    Texts(&'static str),
    Boolean,
    /// An integer within a range.
    Count(u32, u32),
    Duration(u64),
    /// `"1GB"`.
    Size,
    Path,
    Table(&'static TableSchema),
    /// A non-empty list of tables.
    Tables(&'static TableSchema),
    /// A table without effect, reserved for a later version.
    Reserved,
    /// A secret that must not appear in the file.
    Forbidden,
}
