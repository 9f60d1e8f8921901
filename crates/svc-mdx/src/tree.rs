//! The tree of a page, with the names of mdast and byte spans in the text of the page.

use svc_diagnostics::Span;

/// A page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    /// Front matter between `---` or `+++` at the start.
    pub front_matter: Option<FrontMatter>,
    /// Content, in the order of the page.
    pub children: Vec<Node>,
}

/// Language of the front matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrontMatterKind {
    /// YAML, between `---`.
    Yaml,
    /// TOML, between `+++`.
    Toml,
}

/// Front matter, not parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrontMatter {
    /// Language.
    pub kind: FrontMatterKind,
    /// Span including the fences.
    pub span: Span,
    /// Span of the text between the fences, without the last line ending.
    pub value: Span,
    /// Text between the fences.
    pub text: Box<str>,
}

/// A node of the tree.
///
/// # Example
///
/// ```
/// use svc_mdx::{Kind, Node, Span};
/// let mut node = Node::new(Span::new(0, 1), Kind::Paragraph(Vec::new()));
/// let text = Node::new(Span::new(0, 1), Kind::Text("a".into()));
/// node.children_mut().expect("a paragraph has children").push(text);
/// assert_eq!(node.children().len(), 1);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Span in the text of the page.
    pub span: Span,
    /// Kind of node.
    pub kind: Kind,
}

/// Kind of a node. Block kinds are first, followed by MDX and inline kinds.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A paragraph.
    Paragraph(Vec<Node>),
    /// A heading: `## Title`.
    Heading {
        /// Level, from 1 to 6.
        depth: u8,
        /// Explicit id: `{#id}` at the end of the line.
        id: Option<Box<str>>,
        /// Content of the heading.
        children: Vec<Node>,
    },
    /// A thematic break: `---`.
    ThematicBreak,
    /// A block quote: `> …`.
    Blockquote(Vec<Node>),
    /// A bullet list or an ordered list.
    List {
        /// True for an ordered list.
        ordered: bool,
        /// First number of an ordered list.
        start: Option<u32>,
        /// True if there are blank lines between the items.
        spread: bool,
        /// The items, of kind `ListItem`.
        children: Vec<Node>,
    },
    /// An item of a list.
    ListItem {
        /// State of a task list item; `None` if the item is not a task.
        checked: Option<bool>,
        /// True if there are blank lines between the children.
        spread: bool,
        /// Content of the item.
        children: Vec<Node>,
    },
    /// A fenced code block.
    Code {
        /// First word of the info string.
        lang: Option<Box<str>>,
        /// Rest of the info string.
        meta: Option<Box<str>>,
        /// The code, without the last line ending.
        value: Box<str>,
    },
    /// A math block: `$$`.
    Math {
        /// Rest of the opening line.
        meta: Option<Box<str>>,
        /// The formula.
        value: Box<str>,
    },
    /// A link reference definition: `[label]: url "title"`.
    Definition {
        /// Normalized label.
        identifier: Box<str>,
        /// Link destination.
        url: Box<str>,
        /// Link title.
        title: Option<Box<str>>,
    },
    /// A footnote definition: `[^label]: …`.
    FootnoteDefinition {
        /// Normalized label.
        identifier: Box<str>,
        /// Content of the footnote.
        children: Vec<Node>,
    },
    /// A table; the first row is the header.
    Table {
        /// Alignment of each column.
        align: Vec<Align>,
        /// The rows, of kind `TableRow`.
        children: Vec<Node>,
    },
    /// A row of a table.
    TableRow(Vec<Node>),
    /// A cell of a row.
    TableCell(Vec<Node>),
    /// ES module code: `import` and `export` lines.
    Esm(Box<str>),
    /// An expression: `{…}`. Comments `{/* … */}` are expressions too.
    Expression {
        /// Text between the braces.
        value: Box<str>,
        /// True if the expression is a block.
        flow: bool,
    },
    /// A JSX element: `<Name …>…</Name>`.
    Element(Box<Element>),
    /// Text.
    Text(Box<str>),
    /// Emphasis: `*text*`.
    Emphasis(Vec<Node>),
    /// Strong emphasis: `**text**`.
    Strong(Vec<Node>),
    /// Strikethrough: `~~text~~`.
    Delete(Vec<Node>),
    /// A code span: `` `code` ``.
    InlineCode(Box<str>),
    /// Inline math: `$formula$`.
    InlineMath(Box<str>),
    /// A hard line break.
    Break,
    /// A link: `[text](url "title")`, or an autolink.
    Link {
        /// Link destination.
        url: Box<str>,
        /// Link title.
        title: Option<Box<str>>,
        /// Link text.
        children: Vec<Node>,
    },
    /// An image: `![alt](url "title")`.
    Image {
        /// Image source.
        url: Box<str>,
        /// Image title.
        title: Option<Box<str>>,
        /// Alternative text.
        alt: Box<str>,
    },
    /// A link reference `[text][label]`, whose definition is in the page.
    LinkReference {
        /// Normalized label.
        identifier: Box<str>,
        /// Form of the reference.
        reference: ReferenceKind,
        /// Link text.
        children: Vec<Node>,
    },
    /// An image reference `![alt][label]`, whose definition is in the page.
    ImageReference {
        /// Normalized label.
        identifier: Box<str>,
        /// Form of the reference.
        reference: ReferenceKind,
        /// Alternative text.
        alt: Box<str>,
    },
    /// A footnote reference `[^label]`, whose definition is in the page.
    FootnoteReference {
        /// Normalized label.
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

/// Form of a reference.
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
    /// Name, such as `Card`, `Tree.File` or `xlink:use`; `None` for a fragment `<>…</>`.
    pub name: Option<Box<str>>,
    /// Span of the name in the opening tag; empty for a fragment.
    pub name_span: Span,
    /// Attributes in the order of the tag.
    pub attributes: Vec<Attribute>,
    /// Content between the tags.
    pub children: Vec<Node>,
    /// True if the element is a block.
    pub flow: bool,
    /// True for `<A/>`.
    pub self_closing: bool,
}

/// An attribute of an element.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    /// Span in the text of the page.
    pub span: Span,
    /// Name and value, or a spread.
    pub kind: AttributeKind,
}

/// Kind of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum AttributeKind {
    /// A named attribute: `name`, `name="…"`, `name={…}`.
    Named {
        /// Name with its prefix, such as `xlink:href`.
        name: Box<str>,
        /// Value.
        value: AttributeValue,
    },
    /// A spread `{...value}`: the text after the dots.
    Spread(Box<str>),
}

/// Value of a named attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum AttributeValue {
    /// No value, which means `true`.
    None,
    /// A string with decoded character references.
    String(Box<str>),
    /// An expression: `{…}`.
    Expression {
        /// Text between the braces.
        value: Box<str>,
        /// Span of that text.
        span: Span,
    },
}

impl Node {
    /// Creates a node.
    ///
    /// Example: [`Node`](crate::Node#example).
    pub const fn new(span: Span, kind: Kind) -> Self {
        Self { span, kind }
    }

    /// Returns the children; empty for leaves.
    ///
    /// Example: [`Node`](crate::Node#example).
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

    /// Returns the children; `None` for leaves.
    ///
    /// Example: [`Node`](crate::Node#example).
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
    /// Returns the value of the attribute with this name, the last one if there are several; `None`
    /// if there is none.
    ///
    /// # Example
    ///
    /// ```
    /// use svc_mdx::{AttributeValue, Kind, Options, parse};
    /// let page = parse("<A b=\"c\" />", &Options::default()).value;
    /// let Kind::Element(element) = &page.children[0].kind else { panic!("it is an element") };
    /// assert_eq!(element.attribute("b"), Some(&AttributeValue::String("c".into())));
    /// ```
    pub fn attribute(&self, attribute_name: &str) -> Option<&AttributeValue> {
        self.attributes
            .iter()
            .rev()
            .find_map(|attribute| match &attribute.kind {
                AttributeKind::Named { name, value } if **name == *attribute_name => Some(value),
                AttributeKind::Named { .. } | AttributeKind::Spread(_) => None,
            })
    }
}
