//! The inputs of rendering ([`RenderContext`]) and the state of one page ([`Ctx`]).
//!
//! The parts of `Ctx` are data in leaf modules. Rendering is recursive across modules, so the
//! functions that render nodes, elements, values and children are methods of `Ctx`, defined in
//! `article` and `markdown`; components need no other path to their children.

mod budget;
mod fix;
mod frames;
mod ids;
pub(crate) mod input;
pub(crate) mod marks;
mod output;
mod scope;
mod variables;

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

use indexmap::IndexMap;
use svc_diagnostics::{Diagnostic, DiagnosticCode, Span};
use svc_openapi::request::TokenKind;

use crate::evaluate::Value;
use crate::html::Html;
use crate::i18n::{Messages, messages};
use crate::islands::state::Islands;
use crate::modules::{Module, Modules};
use budget::Budget;
use frames::Frames;
use ids::Ids;
use marks::SourceMarks;
use output::Output;
use variables::Variables;

pub(crate) use budget::{MAX_DEPTH, MAX_SNIPPETS, PAGE_TOO_LARGE};
pub(crate) use frames::{Panel, ParentContext, TitleSize};
pub use input::{Reader, RenderContext, RenderOptions};
pub(crate) use output::MdxField;
pub use output::{FragmentLink, PageFeatures, PageLink, TocItem};
pub(crate) use scope::FileScope;

/// Language and layout of a page.
#[derive(Debug, Default)]
pub(crate) struct PageSettings {
    /// Language code.
    pub(crate) language: Option<String>,
    /// Whether the layout has no side column: modes `wide`, `center` and `custom`.
    pub(crate) without_aside: bool,
    /// Whether headings have neither ids nor entries in the table of contents: modes `custom` and
    /// `frame`.
    pub(crate) plain_headings: bool,
    /// The OpenAPI document of an API page, as its index in the catalog.
    pub(crate) document: Option<usize>,
    /// URL path of an API page.
    pub(crate) path: String,
}

/// Results that a page needs several times.
#[derive(Debug, Default)]
pub(crate) struct PageCache {
    /// Icons by library, style and name.
    pub(crate) icons: HashMap<String, Option<Html>>,
    /// Classes of the tokens of generated samples.
    pub(crate) token_classes: OnceCell<Vec<(TokenKind, String)>>,
}

/// State of the page that is being rendered.
#[derive(Debug)]
pub(crate) struct Ctx<'c> {
    pub(crate) input: &'c RenderContext<'c>,
    pub(crate) page: PageSettings,
    /// Interface texts in the language of the page.
    pub(crate) texts: &'static Messages,
    pub(crate) variables: Variables,
    pub(crate) modules: Modules<'c>,
    pub(crate) scope: FileScope,
    pub(crate) frames: Frames,
    pub(crate) budget: Budget,
    pub(crate) ids: Ids,
    /// Components of the page that run in the sandbox.
    pub(crate) islands: Islands,
    pub(crate) cache: PageCache,
    /// Locations of elements, if the article is rendered for checks.
    pub(crate) marks: Option<SourceMarks>,
    pub(crate) out: Output,
}

impl<'c> Ctx<'c> {
    pub(crate) fn new(
        input: &'c RenderContext<'c>,
        language: Option<&str>,
        scope: FileScope,
        modules: Modules<'c>,
    ) -> Self {
        Self {
            input,
            page: PageSettings {
                language: language.map(str::to_owned),
                ..PageSettings::default()
            },
            texts: messages(language),
            variables: Variables::new(input.config, input.tree.mounts().root_of(scope.file.path())),
            modules,
            scope,
            frames: Frames::default(),
            budget: Budget::default(),
            ids: Ids::default(),
            islands: Islands::default(),
            cache: PageCache::default(),
            marks: None,
            out: Output::default(),
        }
    }

    /// Reports a problem at a span of the current file.
    pub(crate) fn report(
        &mut self,
        code: &'static DiagnosticCode,
        span: Span,
        message: String,
        hint: impl Into<String>,
    ) {
        let hint = hint.into();
        let diagnostic = Diagnostic::new(code, message).at(self.scope.location(span));
        self.out.diagnostics.push(if hint.is_empty() {
            diagnostic
        } else {
            diagnostic.hint(hint)
        });
    }

    /// Charges one node and `bytes` bytes of output. Returns false once the page exceeds a limit,
    /// which is reported once.
    pub(crate) fn charge(&mut self, bytes: usize) -> bool {
        let is_first = self.budget.is_within_limits();
        let is_within_limits = self.budget.spend(bytes);
        if is_first && !is_within_limits {
            self.report(
                &PAGE_TOO_LARGE,
                Span::default(),
                "the page exceeds the limit of 8 MiB or 400,000 nodes and is truncated".to_owned(),
                "split the page, or nest fewer snippets",
            );
        }
        is_within_limits
    }

    /// Whether the current file may contain scripts and style sheets: a page or script of the
    /// repository if components are enabled. Text of an OpenAPI document must not.
    pub(crate) fn is_trusted_program(&self) -> bool {
        let path = self.scope.file.path();
        !self.input.options.site.without_scripts
            && [".mdx", ".md", ".jsx", ".tsx", ".js", ".ts"]
                .iter()
                .any(|end| path.ends_with(end))
    }

    /// Calls `render` so that its headings are not added to the table of contents.
    pub(crate) fn outside_toc(&mut self, render: impl FnOnce(&mut Self) -> Html) -> Html {
        self.out.toc.pause();
        let html = render(self);
        self.out.toc.resume();
        html
    }

    /// Calls `render` with the scope of another file.
    pub(crate) fn within(
        &mut self,
        module: &Rc<Module>,
        locals: Rc<IndexMap<String, Value>>,
        render: impl FnOnce(&mut Self) -> Html,
    ) -> Html {
        let file = module.file.as_ref().unwrap_or(&self.scope.file).clone();
        let same = file.path() == self.scope.file.path();
        let scope = FileScope {
            locals,
            ..FileScope::new(
                file,
                if same { self.scope.shift } else { 0 },
                Rc::clone(module),
            )
        };
        let before = std::mem::replace(&mut self.scope, scope);
        let html = render(self);
        self.scope = before;
        html
    }

    /// Like [`Self::within`] for generated content: its headings are not added to the table of
    /// contents, which lists only headings of the page itself.
    pub(crate) fn within_program(
        &mut self,
        module: &Rc<Module>,
        render: impl FnOnce(&mut Self) -> Html,
    ) -> Html {
        self.outside_toc(|cx| cx.within(module, Rc::default(), render))
    }
}
