//! The form of the descriptions from which the file is read, checked and explained.

/// A table of the file.
#[derive(Debug)]
pub(super) struct TableSchema {
    /// How its header names it, `projects.source`; empty for the keys before all headers.
    pub(super) name: &'static str,
    /// What it is about, in Markdown.
    pub(super) about: &'static str,
    pub(super) keys: &'static [KeySchema],
    pub(super) choices: &'static [ExclusiveKeys],
}

impl TableSchema {
    pub(super) fn key(&self, name: &str) -> Option<&'static KeySchema> {
        self.keys.iter().find(|key| key.name == name)
    }
}

/// Keys of which only one may be there.
#[derive(Debug)]
pub(super) struct ExclusiveKeys {
    pub(super) keys: &'static [&'static str],
    /// Whether one has to be there.
    pub(super) required: bool,
}

/// One key of a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeySchema {
    pub(super) name: &'static str,
    /// What it means, in Markdown.
    pub(super) about: &'static str,
    pub(super) value_type: ValueType,
    pub(super) required: bool,
    pub(super) default: DefaultValue,
    /// A value, as TOML.
    pub(super) example: &'static str,
    /// A key that has to be there too; empty for none.
    pub(super) with: &'static str,
}

/// A key that may be missing.
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

/// The value without the key.
#[derive(Debug, Clone, Copy)]
pub(super) enum DefaultValue {
    None,
    Boolean(bool),
    Count(u32),
    Text(&'static str),
    /// A value that depends, in words.
    Described(&'static str),
}

/// What a value may be.
#[derive(Debug, Clone, Copy)]
pub(super) enum ValueType {
    /// A string that is not empty, and the regular expression that it matches; empty for any.
    Text(&'static str),
    /// Several of them.
    Texts(&'static str),
    Boolean,
    /// A whole number in a range.
    Count(u32, u32),
    /// `"5m"`, at least so many seconds.
    Duration(u64),
    /// `"1GB"`.
    Size,
    /// A path, relative to the file.
    Path,
    /// A table.
    Table(&'static TableSchema),
    /// A list of tables, at least one.
    Tables(&'static TableSchema),
    /// A table that has no effect yet.
    Reserved,
    /// A text that may not stand in the file.
    Forbidden,
}
