//! The tree of a page: mdast names, byte spans into the page's text.

use svc_diagnostics::Span;

/// A whole page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    /// The block between `---` or `+++` at the very top.
    pub front_matter: Option<FrontMatter>,
    /// The content, in the order of the page.
    pub children: Vec<Node>,
}

/// The language of the front matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrontMatterKind {
    /// Between `---`.
    Yaml,
    /// Between `+++`.
    Toml,
}

/// The front matter, unread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrontMatter {
    /// YAML or TOML.
    pub kind: FrontMatterKind,
    /// With its fences.
    pub span: Span,
    /// Where the text between the fences is, without the last line ending.
    pub value: Span,
    /// That text.
    pub text: Box<str>,
}

/// One piece of content.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The bytes it was made from.
    pub span: Span,
    /// What it is.
    pub kind: Kind,
}

/// What a node is. Block kinds come first, then MDX, then inline kinds.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// Running text.
    Paragraph(Vec<Node>),
    /// `## Title`.
    Heading {
        /// 1 to 6.
        depth: u8,
        /// From `{#id}` at the end of the line.
        id: Option<Box<str>>,
        /// The title.
        children: Vec<Node>,
    },
    /// `---` between blocks.
    ThematicBreak,
    /// `> …`.
    Blockquote(Vec<Node>),
    /// A bullet or numbered list.
    List {
        /// Numbered.
        ordered: bool,
        /// First number of a numbered list.
        start: Option<u32>,
        /// Blank lines between the items.
        spread: bool,
        /// `ListItem`s.
        children: Vec<Node>,
    },
    /// One item of a list.
    ListItem {
        /// The tick of a task item.
        checked: Option<bool>,
        /// Blank lines between the item's own children.
        spread: bool,
        /// The item's content.
        children: Vec<Node>,
    },
    /// A fenced code block.
    Code {
        /// First word after the fence.
        lang: Option<Box<str>>,
        /// The rest of that line.
        meta: Option<Box<str>>,
        /// The code, without the last line ending.
        value: Box<str>,
    },
    /// A `$$` block.
    Math {
        /// The rest of the opening line.
        meta: Option<Box<str>>,
        /// The formula.
        value: Box<str>,
    },
    /// `[label]: url "title"`.
    Definition {
        /// Normalised label.
        identifier: Box<str>,
        /// Where it points.
        url: Box<str>,
        /// Its title.
        title: Option<Box<str>>,
    },
    /// `[^label]: …`.
    FootnoteDefinition {
        /// Normalised label.
        identifier: Box<str>,
        /// The note.
        children: Vec<Node>,
    },
    /// A table; the first row is the head.
    Table {
        /// One for each column.
        align: Vec<Align>,
        /// `TableRow`s.
        children: Vec<Node>,
    },
    /// One row of a table.
    TableRow(Vec<Node>),
    /// One cell of a row.
    TableCell(Vec<Node>),
    /// `import` and `export` lines.
    Esm(Box<str>),
    /// `{…}`; comments `{/* … */}` are expressions too.
    Expression {
        /// The text between the braces.
        value: Box<str>,
        /// On lines of its own.
        flow: bool,
    },
    /// `<Name …>…</Name>`.
    Element(Box<Element>),
    /// Plain text.
    Text(Box<str>),
    /// `*text*`.
    Emphasis(Vec<Node>),
    /// `**text**`.
    Strong(Vec<Node>),
    /// `~~text~~`.
    Delete(Vec<Node>),
    /// `` `code` ``.
    InlineCode(Box<str>),
    /// `$formula$`.
    InlineMath(Box<str>),
    /// A hard line break.
    Break,
    /// `[text](url "title")`, or an address in the text.
    Link {
        /// Where it points.
        url: Box<str>,
        /// Its title.
        title: Option<Box<str>>,
        /// Its text.
        children: Vec<Node>,
    },
    /// `![alt](url "title")`.
    Image {
        /// Where the picture is.
        url: Box<str>,
        /// Its title.
        title: Option<Box<str>>,
        /// Its description.
        alt: Box<str>,
    },
    /// `[text][label]` with a definition somewhere in the page.
    LinkReference {
        /// Normalised label.
        identifier: Box<str>,
        /// How it was written.
        reference: ReferenceKind,
        /// Its text.
        children: Vec<Node>,
    },
    /// `![alt][label]` with a definition somewhere in the page.
    ImageReference {
        /// Normalised label.
        identifier: Box<str>,
        /// How it was written.
        reference: ReferenceKind,
        /// Its description.
        alt: Box<str>,
    },
    /// `[^label]` with a footnote definition somewhere in the page.
    FootnoteReference {
        /// Normalised label.
        identifier: Box<str>,
    },
}

/// Alignment of a table column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// `---`.
    None,
    /// `:--`.
    Left,
    /// `--:`.
    Right,
    /// `:-:`.
    Center,
}

/// How a reference was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReferenceKind {
    /// `[text][label]`.
    Full,
    /// `[label][]`.
    Collapsed,
    /// `[label]`.
    Shortcut,
}

/// A JSX element or fragment.
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    /// `Card`, `Tree.File`, `xlink:use`; `None` for a fragment `<>…</>`.
    pub name: Option<Box<str>>,
    /// Where the name stands in the opening tag; empty for a fragment.
    pub name_span: Span,
    /// In the order of the tag.
    pub attributes: Vec<Attribute>,
    /// What is between the tags.
    pub children: Vec<Node>,
    /// Its tags are on lines of their own.
    pub flow: bool,
    /// Written `<A/>`.
    pub self_closing: bool,
}

/// One attribute of an element.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    /// The bytes it was made from.
    pub span: Span,
    /// Named or spread.
    pub kind: AttributeKind,
}

/// The two forms of attributes.
#[derive(Debug, Clone, PartialEq)]
pub enum AttributeKind {
    /// `name`, `name="…"`, `name={…}`.
    Named {
        /// With prefix: `xlink:href`.
        name: Box<str>,
        /// Its value.
        value: AttributeValue,
    },
    /// `{...value}`; the text after the dots.
    Spread(Box<str>),
}

/// The value of a named attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum AttributeValue {
    /// Only the name: `true`.
    None,
    /// Quoted; character references are decoded.
    String(Box<str>),
    /// `{…}`.
    Expression {
        /// The text between the braces.
        value: Box<str>,
        /// Where that text is.
        span: Span,
    },
}

impl Node {
    /// A node.
    pub const fn new(span: Span, kind: Kind) -> Self {
        Self { span, kind }
    }

    /// The nodes inside; empty for leaves.
    pub fn children(&self) -> &[Self] {
        match &self.kind {
            Kind::Paragraph(children)
            | Kind::Heading { children, .. }
            | Kind::Blockquote(children)
            | Kind::List { children, .. }
            | Kind::ListItem { children, .. }
            | Kind::FootnoteDefinition { children, .. }
            | Kind::Table { children, .. }
            | Kind::TableRow(children)
            | Kind::TableCell(children)
            | Kind::Emphasis(children)
            | Kind::Strong(children)
            | Kind::Delete(children)
            | Kind::Link { children, .. }
            | Kind::LinkReference { children, .. } => children,
            Kind::Element(element) => &element.children,
            Kind::ThematicBreak
            | Kind::Code { .. }
            | Kind::Math { .. }
            | Kind::Definition { .. }
            | Kind::Esm(_)
            | Kind::Expression { .. }
            | Kind::Text(_)
            | Kind::InlineCode(_)
            | Kind::InlineMath(_)
            | Kind::Break
            | Kind::Image { .. }
            | Kind::ImageReference { .. }
            | Kind::FootnoteReference { .. } => &[],
        }
    }

    /// The nodes inside, to change them; `None` for leaves.
    pub fn children_mut(&mut self) -> Option<&mut Vec<Self>> {
        match &mut self.kind {
            Kind::Paragraph(children)
            | Kind::Heading { children, .. }
            | Kind::Blockquote(children)
            | Kind::List { children, .. }
            | Kind::ListItem { children, .. }
            | Kind::FootnoteDefinition { children, .. }
            | Kind::Table { children, .. }
            | Kind::TableRow(children)
            | Kind::TableCell(children)
            | Kind::Emphasis(children)
            | Kind::Strong(children)
            | Kind::Delete(children)
            | Kind::Link { children, .. }
            | Kind::LinkReference { children, .. } => Some(children),
            Kind::Element(element) => Some(&mut element.children),
            Kind::ThematicBreak
            | Kind::Code { .. }
            | Kind::Math { .. }
            | Kind::Definition { .. }
            | Kind::Esm(_)
            | Kind::Expression { .. }
            | Kind::Text(_)
            | Kind::InlineCode(_)
            | Kind::InlineMath(_)
            | Kind::Break
            | Kind::Image { .. }
            | Kind::ImageReference { .. }
            | Kind::FootnoteReference { .. } => None,
        }
    }
}

impl Element {
    /// The attribute of this name, the last one when it is written twice.
    pub fn attribute(&self, wanted: &str) -> Option<&AttributeValue> {
        self.attributes
            .iter()
            .rev()
            .find_map(|attribute| match &attribute.kind {
                AttributeKind::Named { name, value } if **name == *wanted => Some(value),
                AttributeKind::Named { .. } | AttributeKind::Spread(_) => None,
            })
    }
}
