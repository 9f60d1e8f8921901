//! Schema fragments: parts of schemas that are rendered on demand.
//!
//! A page contains the first levels of its schemas. Deeper levels and recursive schemas are
//! collapsed sections with a link to a separate page, whose content a script inserts when the
//! section is opened. The URL of a fragment identifies a position in a document and not on a page,
//! so that all pages share fragments and their number is limited by the document.

use askama::Template;
use svc_openapi::{ApiCatalog, ApiDocument, Direction, SchemaPath, SchemaView};
use svc_source::encoded_path;

use super::opens;
use super::schema::{FieldListContext, fields, innermost};
use super::schema_budget::SchemaBudget;
use crate::article::{Article, Modules};
use crate::assets::names;
use crate::chrome;
use crate::ctx::{Ctx, RenderContext, SourceContext};
use crate::html::Html;
use crate::i18n::{self, split_placeholder};
use crate::themes;

/// Nesting depth up to which collapsed sections are always rendered inline.
const MAX_INLINE_DEPTH: usize = 1;
/// Like [`MAX_INLINE_DEPTH`], for small sections on a page that is far below its budget.
const MAX_SMALL_INLINE_DEPTH: usize = 4;
/// Maximum number of fields of a small section.
const MAX_SMALL_FIELDS: usize = 15;
/// Prefix of the URL paths of fragments.
const PREFIX: &str = "/_svc/api/schema/";

/// Identifies a schema fragment: the document, the position in it, the direction and the language.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SchemaFragment {
    /// Index of the document in the catalog.
    pub document: usize,
    /// Whether the schema belongs to a request or a response.
    pub direction: Direction,
    /// Language code of the surrounding pages.
    pub language: String,
    /// Position of the schema in the document.
    pub schema: SchemaPath,
    /// Index of the first property or alternative.
    pub from: usize,
}

/// The name of a document in the URLs of its fragments. For a remote document it is a hash, because
/// its URL can be long and can contain characters that file names must not.
fn name_of(document: &ApiDocument) -> String {
    if !document.is_remote() {
        return document.path.replace('~', "~0").replace('/', "~1");
    }
    // FNV-1a, because URLs must not change with the compiler version.
    let hash = document
        .path
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
    format!("hosted-{hash:016x}")
}

/// A link to a schema fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FragmentLink {
    /// Prefix of the ids in the fragment once it is inserted into the page.
    pub owner: String,
    /// URL path without base path, decoded.
    pub path: String,
}

impl SchemaFragment {
    /// The URL path without base path, decoded; `None` if the position cannot be expressed in a
    /// URL.
    pub fn path(&self, catalog: &ApiCatalog) -> Option<String> {
        let document = catalog.documents.get(self.document)?;
        let direction = match self.direction {
            Direction::Request => "request",
            Direction::Response => "response",
        };
        let document = name_of(document);
        let schema_path = self.schema.to_url_path()?;
        let from = match self.from {
            0 => String::new(),
            from => format!("~f{from}"),
        };
        Some(format!(
            "{PREFIX}{direction}/{}/{document}/{schema_path}{from}.html",
            self.language
        ))
    }

    /// Parses the URL path of a fragment; `None` if it is not one.
    pub fn from_path(catalog: &ApiCatalog, path: &str) -> Option<Self> {
        let rest = path.strip_prefix(PREFIX)?.strip_suffix(".html")?;
        let (direction, rest) = rest.split_once('/')?;
        let direction = match direction {
            "request" => Direction::Request,
            "response" => Direction::Response,
            _ => return None,
        };
        let (language, rest) = rest.split_once('/')?;
        let (name, url) = rest.split_once('/')?;
        let mut documents = catalog.documents.iter();
        let at = documents.position(|document| name_of(document) == name)?;
        let (url, from) = match url.rsplit_once("~f") {
            Some((url, from)) => (url, from.parse().ok().filter(|from| *from > 0)?),
            None => (url, 0),
        };
        let part = Self {
            document: at,
            direction,
            language: language.to_owned(),
            schema: SchemaPath::from_url_path(catalog.documents.get(at)?, url)?,
            from,
        };
        // Only the canonical form is accepted: `7`, but not `07`.
        (part.path(catalog).as_deref() == Some(path)).then_some(part)
    }
}

/// Content of a collapsible section.
pub(super) struct Collapsible<'a> {
    pub(super) kind: CollapsibleKind,
    /// Name of the schema.
    pub(super) name: Option<&'a str>,
    /// Position of the schema.
    pub(super) schema: &'a SchemaPath,
    /// Index of the first property.
    pub(super) from: usize,
}

/// Kind of the content, which determines the section's title.
#[derive(Debug, Clone, Copy)]
pub(super) enum CollapsibleKind {
    /// The properties of an object.
    Attributes,
    /// Number of alternatives.
    Alternatives(usize),
    /// The remaining properties of the surrounding schema.
    Further,
}

/// Maximum number that is counted for the title of a collapsed section.
const MAX_COUNTED: usize = 1_000;

/// The title of a collapsed section.
fn title(cx: &Ctx<'_>, sheet: &SchemaBudget<'_>, fold: &Collapsible<'_>) -> Html {
    let mut out = Html::new();
    let texts = cx.texts;
    let number = |text: &str, number: usize| text.replace("{}", &number.to_string());
    match fold.kind {
        CollapsibleKind::Further => {
            out.esc(texts.show_all);
        }
        CollapsibleKind::Alternatives(count) => {
            out.esc(&number(texts.one_of, count));
        }
        CollapsibleKind::Attributes => {
            let names = svc_openapi::property_names(sheet.document, fold.schema, MAX_COUNTED);
            // Property names of maps are not known.
            let show = match names.len() {
                0 | 1 => texts.show_attribute.to_owned(),
                count => number(texts.show_attributes, count),
            };
            out.lit("<span class=\"svc-fold-show\">")
                .esc(&show)
                .lit("</span><span class=\"svc-fold-hide\">")
                .esc(texts.hide_attributes)
                .lit("</span>");
        }
    }
    out
}

/// Renders a collapsed section: inline if the budget allows it and it is not recursive, otherwise
/// as a link.
pub(super) fn collapsible(
    cx: &mut Ctx<'_>,
    sheet: &mut SchemaBudget<'_>,
    fold: &Collapsible<'_>,
    spot: FieldListContext<'_>,
) -> Html {
    let mut out = Html::new();
    let title = title(cx, sheet, fold);
    let inside = match inline_fields(cx, sheet, fold, spot) {
        Some(inside) if inside.is_blank() => return out,
        Some(inside) => {
            out.lit("<details class=\"svc-api-nested expandable\"")
                .flag("open", opens(cx))
                .lit("><summary>")
                .add(&title);
            inside
        }
        None => {
            let link = link(cx, sheet, fold, spot.prefix);
            out.lit("<details class=\"svc-api-nested expandable\"")
                .attr("data-svc-part", spot.prefix)
                .lit("><summary>")
                .add(&title);
            if let Some(name) = fold.name {
                out.lit("<span class=\"svc-part-note\">")
                    .esc(name)
                    .lit("</span>");
            }
            link
        }
    };
    out.lit("</summary>").add(&inside).lit("</details>");
    out
}

/// Renders an alternative: collapsed, with its description and its properties or a link to them.
pub(super) fn variant(
    cx: &mut Ctx<'_>,
    sheet: &mut SchemaBudget<'_>,
    (title, mut inside): (&Html, Html),
    schema: &SchemaView,
    spot: FieldListContext<'_>,
) -> Html {
    let mut out = Html::new();
    out.lit("<details class=\"svc-variant\"")
        .attr("id", spot.prefix);
    let mut open = opens(cx);
    if schema.truncated {
        let fold = Collapsible {
            kind: CollapsibleKind::Attributes,
            name: innermost(schema).ref_name.as_deref(),
            schema: &schema.path,
            from: 0,
        };
        match inline_fields(cx, sheet, &fold, spot) {
            Some(fields) => {
                inside.add(&fields);
            }
            None => {
                open = false;
                out.attr("data-svc-part", spot.prefix);
                inside.add(&link(cx, sheet, &fold, spot.prefix));
            }
        }
    }
    if inside.is_blank() {
        inside
            .lit("<p class=\"svc-field-type\">")
            .esc(&schema.type_text())
            .lit("</p>");
    }
    out.flag("open", open)
        .lit("><summary>")
        .add(title)
        .lit("</summary>");
    out.add(&inside).lit("</details>");
    out
}

/// The fields of a section if they are rendered inline; otherwise `None`.
fn inline_fields(
    cx: &mut Ctx<'_>,
    sheet: &mut SchemaBudget<'_>,
    fold: &Collapsible<'_>,
    spot: FieldListContext<'_>,
) -> Option<Html> {
    let again = fold
        .name
        .is_some_and(|name| sheet.ancestors.iter().any(|around| around == name));
    if spot.depth >= MAX_SMALL_INLINE_DEPTH || again || !sheet.can_inline() {
        return None;
    }
    let is_deep = spot.depth >= MAX_INLINE_DEPTH && !opens(cx);
    if is_deep && !sheet.can_inline_small() {
        return None;
    }
    let level = sheet.level(fold.schema, fold.from)?;
    let inner = innermost(&level.view);
    let fields = inner.properties.len() + inner.variants.len();
    if is_deep && fields > MAX_SMALL_FIELDS {
        return None;
    }
    let depth = sheet.ancestors.len();
    sheet.ancestors.extend(fold.name.map(str::to_owned));
    let spot = FieldListContext {
        depth: spot.depth + 1,
        ..spot
    };
    let inside = super::schema::fields(cx, sheet, (fold.schema, &level), spot);
    sheet.ancestors.truncate(depth);
    Some(inside)
}

/// The link that a script replaces with the content of its target.
fn link(
    cx: &mut Ctx<'_>,
    sheet: &mut SchemaBudget<'_>,
    fold: &Collapsible<'_>,
    owner: &str,
) -> Html {
    let part = SchemaFragment {
        document: sheet.document_index,
        direction: sheet.direction,
        language: cx.language.clone().unwrap_or_else(|| "en".to_owned()),
        schema: fold.schema.clone(),
        from: fold.from,
    };
    let mut out = Html::literal("<p class=\"svc-api-also\" data-svc-part-link>");
    let Some(path) = part.path(cx.site.catalog) else {
        out.lit("…</p>");
        return out;
    };
    for name in sheet.names(fold.schema) {
        cx.push_search_text(name);
    }
    let title = part.schema.title();
    let (before, behind) = split_placeholder(cx.texts.show_part);
    out.lit("<a")
        .attr(
            "href",
            &format!("{}{}", cx.site.options.site.base_path, encoded_path(&path)),
        )
        .lit(">")
        .esc(before)
        .lit("<code>")
        .esc(fold.name.unwrap_or(&title))
        .lit("</code>")
        .esc(behind)
        .lit("</a></p>");
    cx.fragments.push(FragmentLink {
        owner: owner.to_owned(),
        path,
    });
    out
}

#[derive(Template)]
#[template(path = "api/schema_fragment/part.html")]
struct FragmentPage<'a> {
    lang: &'a str,
    dir: &'static str,
    theme: &'static str,
    color_mode: &'static str,
    title: &'a str,
    document: &'a str,
    site: &'a str,
    home: String,
    asset_base: String,
    theme_script: &'a str,
    stylesheet: &'a str,
    site_css: Html,
    content: &'a Html,
}

/// Renders a fragment as a page of its own with its article. `None` if its document does not exist
/// any more.
pub fn render_schema_fragment(
    cx: &RenderContext<'_>,
    part: &SchemaFragment,
) -> Option<(String, Article)> {
    let document = cx.catalog.documents.get(part.document)?;
    let modules = Modules::new(cx);
    let source = SourceContext {
        file: document.file.clone(),
        shift: 0,
        module: modules.empty(),
        locals: std::rc::Rc::default(),
    };
    let texts = i18n::messages(Some(&part.language));
    let mut state = Ctx::new(cx, texts, source, modules);
    state.language = Some(part.language.clone());
    let mut sheet = SchemaBudget::fragment(document, part.document, part.direction);
    sheet.ancestors.extend(part.schema.component_name());
    let level = sheet.level(&part.schema, part.from)?;
    let spot = FieldListContext {
        prefix: "",
        depth: 0,
    };
    let html = fields(&mut state, &mut sheet, (&part.schema, &level), spot);
    let config = cx.config;
    let names = names(config.theme);
    let title = part.schema.title();
    let lang = chrome::language_tag(&part.language);
    let page = FragmentPage {
        lang,
        dir: chrome::direction(lang),
        theme: config.theme.name(),
        color_mode: chrome::color_mode(config),
        title: &title,
        document: &document.title,
        site: &config.name,
        home: chrome::resolve_url(&cx.options.site.base_path, "/"),
        asset_base: format!("{}/_svc/assets/", cx.options.site.base_path),
        theme_script: &names.early,
        stylesheet: &names.css,
        site_css: Html::trusted(themes::site_css(config, &cx.options)),
        content: &html,
    };
    // Formatting a `String` cannot fail.
    let page = page.render().unwrap_or_default();
    let article = Article {
        ids: state.ids,
        fragments: state.fragments,
        ..Article::default()
    };
    Some((page, article))
}
