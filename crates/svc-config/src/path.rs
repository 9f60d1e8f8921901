//! Paths of values in a document.

/// A step from a value to one that it contains.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum Segment<'a> {
    /// The root; that of a referenced file takes the position of the `$ref`.
    #[default]
    Root,
    Key(&'a str),
    Index(usize),
}

/// The JSON pointer (RFC 6901) of a path from the value up to the root.
pub(crate) fn pointer<'a>(
    path: impl Iterator<Item = Segment<'a>>,
    escape: fn(&str) -> String,
) -> String {
    let steps: Vec<String> = path
        .filter_map(|segment| match segment {
            Segment::Root => None,
            Segment::Key(key) => Some(escape(key)),
            Segment::Index(index) => Some(index.to_string()),
        })
        .collect();
    let steps = steps.iter().rev();
    steps.fold(String::new(), |pointer, step| pointer + "/" + step)
}
