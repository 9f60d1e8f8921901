//! Elements and snippets that enclose the current node.

use std::sync::Arc;

use crate::html::Html;

/// State that an element shares with its children, and that they add to.
#[derive(Debug, Default)]
pub(crate) enum ParentContext {
    /// No shared state.
    #[default]
    Plain,
    /// `Tabs`, `CodeGroup` and request examples: collects panels.
    Panels {
        /// Whether code blocks become panels as well.
        code: bool,
        /// Panels so far.
        panels: Vec<Panel>,
    },
    /// `Steps`: counts the steps and sets the size of their titles.
    Steps {
        /// Number of steps so far.
        count: u32,
        /// Size of the titles: `p`, `h2`, `h3` or `h4`.
        size: TitleSize,
    },
    /// `Columns` and `CardGroup`.
    Columns,
    /// `Tree` and its directories.
    Tree,
    /// `Tile`, in which images do not zoom.
    Tile,
    /// `<a>`, which must not contain other links.
    Link,
    /// `Frame`, in which autoplaying videos are muted and looped.
    Frame,
}

/// Element that a title is rendered as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum TitleSize {
    /// `p`.
    #[default]
    P,
    /// `h2`.
    H2,
    /// `h3`.
    H3,
    /// `h4`.
    H4,
}

/// A panel with its tab.
#[derive(Debug, Clone, Default)]
pub(crate) struct Panel {
    /// Text of the tab; empty for a code block without a title.
    pub(crate) title: String,
    pub(crate) id: Option<String>,
    pub(crate) icon: Option<Html>,
    /// Display name of the language, for a code block.
    pub(crate) language: String,
    pub(crate) body: Html,
}

/// Stacks of the elements and snippets that enclose the current node.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    parents: Vec<ParentContext>,
    /// Paths of the snippets.
    pub(crate) snippets: Vec<Arc<str>>,
}

impl Frames {
    /// Adds the context of an element.
    pub(crate) fn push(&mut self, context: ParentContext) {
        self.parents.push(context);
    }

    /// Removes and returns the context that was added last.
    pub(crate) fn pop(&mut self) -> Option<ParentContext> {
        self.parents.pop()
    }

    /// The context of the current element.
    pub(crate) fn current(&mut self) -> Option<&mut ParentContext> {
        self.parents.last_mut()
    }

    /// The context of the parent of the current element.
    pub(crate) fn outer(&mut self) -> Option<&mut ParentContext> {
        let at = self.parents.len().checked_sub(2)?;
        self.parents.get_mut(at)
    }

    /// Replaces the context of the current element and returns the previous one.
    pub(crate) fn swap(&mut self, context: ParentContext) -> ParentContext {
        match self.parents.last_mut() {
            Some(own) => std::mem::replace(own, context),
            None => {
                self.parents.push(context);
                ParentContext::Plain
            }
        }
    }

    /// Whether a close ancestor of the current element has a context that matches `context`.
    pub(crate) fn is_inside(&self, context: impl Fn(&ParentContext) -> bool) -> bool {
        self.parents.iter().rev().take(4).any(context)
    }

    /// Whether the current node is inside of a link at any depth.
    pub(crate) fn is_linked(&self) -> bool {
        let mut parents = self.parents.iter();
        parents.any(|context| matches!(context, ParentContext::Link))
    }

    /// Takes the panels that the children of the current element have added.
    pub(crate) fn take_panels(&mut self) -> Vec<Panel> {
        match self.swap(ParentContext::Plain) {
            ParentContext::Panels { panels, .. } => panels,
            _ => Vec::new(),
        }
    }
}
