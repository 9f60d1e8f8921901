//! Attributes of tags.

/// An attribute of a tag.
#[derive(Debug, Clone, Copy)]
pub struct Prop {
    /// Name of the attribute.
    pub name: &'static str,
    /// Type of its value.
    pub kind: PropKind,
    /// Whether the attribute is required.
    pub required: bool,
    /// Description in one line.
    pub doc: &'static str,
}

/// Type of an attribute's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PropKind {
    /// Plain text.
    Text,
    /// Text or JSX.
    Rich,
    /// A Boolean.
    Flag,
    /// A number.
    Number,
    /// A list.
    List,
    /// Icon name, URL, path or JSX.
    Icon,
    /// Any value.
    Any,
}

/// Defines a table of attributes, and a constant for each of them, with which its value is read.
macro_rules! props {
    ($table:ident: $($name:ident = $build:ident($text:literal, $kind:ident, $doc:literal);)*) => {
        $(pub(super) const $name: $crate::components::prop::Prop =
            $crate::components::prop::$build(
                $text, $crate::components::prop::PropKind::$kind, $doc);)*
        pub(super) const $table: &[$crate::components::prop::Prop] = &[$($name),*];
    };
}
pub(crate) use props;

/// An optional attribute.
pub(crate) const fn prop(name: &'static str, kind: PropKind, doc: &'static str) -> Prop {
    Prop {
        name,
        kind,
        required: false,
        doc,
    }
}

/// A required attribute.
pub(crate) const fn required(name: &'static str, kind: PropKind, doc: &'static str) -> Prop {
    Prop {
        name,
        kind,
        required: true,
        doc,
    }
}
