//! The whole file.

use std::collections::BTreeMap;

use svc_data::Node;
use svc_diagnostics::{Checked, Diagnostic, SourceFile, Span};

use crate::{
    Api, Appearance, Background, Banner, Colors, Contextual, Document, Favicon, Fonts, Footer,
    IconLibrary, Interaction, Logo, Markdown, Navbar, Navigation, NotFound, Redirect,
    ResolveContext, Seo, Styling, Theme, Thumbnails, aliases,
    codes::{LEGACY, LIMIT, UNREADABLE, URL},
    contrast,
    decode::{Cx, MAX_DIAGNOSTICS, NodeRef, shorten},
    effect, integrations,
    json_ref::{self, opening},
    legacy, redirects,
    resolve_context::DeferredChecks,
    tree::{FileSpan, Value},
    url::is_url,
    variables,
};

/// Everything `docs.json` says, defaults filled in.
#[derive(Debug, Clone)]
pub struct SiteConfig {
    /// Look.
    pub theme: Theme,
    /// Name of the project.
    pub name: String,
    /// One sentence about the site.
    pub description: Option<String>,
    /// Whether pages are open to everyone unless they say otherwise.
    pub public: Option<bool>,
    /// Whether it names a way for readers to sign in: `auth` or `userAuth`.
    pub sign_in: bool,
    /// Accent colours.
    pub colors: Colors,
    /// Logo.
    pub logo: Option<Logo>,
    /// Picture in the browser tab.
    pub favicon: Option<Favicon>,
    /// Light and dark mode.
    pub appearance: Appearance,
    /// Typefaces.
    pub fonts: Fonts,
    /// Where icon names come from.
    pub icons: IconLibrary,
    /// What lies behind the page.
    pub background: Background,
    /// Details of the look.
    pub styling: Styling,
    /// Preview pictures.
    pub thumbnails: Thumbnails,
    /// Header.
    pub navbar: Navbar,
    /// End of every page.
    pub footer: Footer,
    /// Line above the header.
    pub banner: Option<Banner>,
    /// Behaviour of the sidebar.
    pub interaction: Interaction,
    /// Menu beside a page's title.
    pub contextual: Option<Contextual>,
    /// API reference.
    pub api: Api,
    /// Text in the empty search field.
    pub search_prompt: Option<String>,
    /// What search engines see.
    pub seo: Seo,
    /// Moved addresses.
    pub redirects: Vec<Redirect>,
    /// Analytics and the like: name and settings, as written.
    pub integrations: Vec<(String, serde_json::Value)>,
    /// The 404 page.
    pub not_found: NotFound,
    /// Whether pages show when they were changed.
    pub timestamp: bool,
    /// Names and texts that replace `{{name}}`.
    pub variables: Vec<(String, String)>,
    /// Markdown twins.
    pub markdown: Markdown,
    /// Navigation.
    pub navigation: Navigation,
    /// The file it was read from.
    pub file: SourceFile,
}

/// The top-level keys, in the order of the specification.
const KEYS: &[&str] = &[
    "$schema",
    "theme",
    "name",
    "description",
    "public",
    "auth",
    "userAuth",
    "colors",
    "logo",
    "favicon",
    "appearance",
    "fonts",
    "icons",
    "background",
    "styling",
    "thumbnails",
    "navbar",
    "footer",
    "banner",
    "navigation",
    "interaction",
    "contextual",
    "api",
    "search",
    "seo",
    "redirects",
    "integrations",
    "errors",
    "metadata",
    "variables",
    "markdown",
];

/// Keys that say how readers sign in.
const SIGN_IN: [&str; 2] = ["auth", "userAuth"];

/// Reads `docs.json` (or, by file name, `mint.json`); `lookup` gives the files that `$ref` names,
/// by path relative to the root. `None` only when there is no readable object.
///
/// ```
/// use svc_diagnostics::SourceFile;
/// let text = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#070"},
///     "navigation": {"pages": ["index"]}}"##;
/// let found = svc_config::parse(&SourceFile::new("docs.json", text), &|_| None);
/// assert!(found.diagnostics.is_empty());
/// assert_eq!(found.value.map(|site| site.colors.primary).as_deref(), Some("#007700"));
/// ```
pub fn parse(
    file: &SourceFile,
    lookup: &dyn Fn(&str) -> Option<SourceFile>,
) -> Checked<Option<SiteConfig>> {
    parse_with(file, &ResolveContext::default().read_file_with(lookup))
}

/// Reads `docs.json` with all that is known about the repository around it.
pub fn parse_with(
    file: &SourceFile,
    surroundings: &ResolveContext<'_>,
) -> Checked<Option<SiteConfig>> {
    let read = Document::read(file);
    resolve_root(file, read.value.into_root(), read.diagnostics, surroundings)
}

impl Document {
    /// The checked form of the document, with everything that is wrong with its values; what is
    /// wrong with its text was reported when it was read.
    pub fn resolve(&self, surroundings: &ResolveContext<'_>) -> Checked<Option<SiteConfig>> {
        let root = self.root().clone();
        resolve_root(self.file(), root, Vec::new(), surroundings)
    }
}

fn resolve_root(
    file: &SourceFile,
    root: Node,
    mut diagnostics: Vec<Diagnostic>,
    surroundings: &ResolveContext<'_>,
) -> Checked<Option<SiteConfig>> {
    let resolved = json_ref::resolve(root, file, surroundings.text);
    diagnostics.extend(resolved.diagnostics);
    let mut cx = Cx {
        files: resolved.files,
        diagnostics,
        deferred: DeferredChecks::new(surroundings),
    };
    let mut tree = resolved.tree;
    if matches!(tree.value, Value::Object(_)) && is_legacy(file) {
        let place = FileSpan {
            offsets: opening(tree.span.offsets),
        };
        let message = "`mint.json` is read as `docs.json`";
        let hint = "`svc migrate --write` turns it into a `docs.json`";
        cx.report_at(&LEGACY, place, String::new(), message, hint);
        tree = legacy::convert(tree);
    }
    let root = NodeRef::root(&tree);
    let value = if root.is_object() {
        site(&mut cx, &root, file)
    } else {
        // The whole document may stand in a file whose problem is reported already.
        let mut place = tree.span;
        place.offsets = opening(place.offsets);
        let message = format!("`{}` holds no readable object", file.path());
        let hint = "the file is one JSON object: `{ \"theme\": …, \"name\": … }`";
        cx.report_at(&UNREADABLE, place, String::new(), message, hint);
        None
    };
    if let Some(site) = &value {
        cx.run_deferred_checks(surroundings, site.icons);
        contrast::check(&mut cx, &root, site);
        effect::check(&mut cx, &root, site);
    }
    let diagnostics = sorted_diagnostics(cx);
    Checked { value, diagnostics }
}

fn is_legacy(file: &SourceFile) -> bool {
    file.path().rsplit('/').next() == Some(aliases::FILE.old)
}

fn site(cx: &mut Cx, at: &NodeRef<'_>, file: &SourceFile) -> Option<SiteConfig> {
    let fields = cx.object(at, KEYS)?;
    cx.optional(&fields, "$schema", |cx, at| {
        let text = cx.non_empty_string(at)?;
        if !is_url(&text) {
            let message = format!("`$schema` is not a URL: `{}`", shorten(&text));
            cx.report(
                &URL,
                at,
                message,
                "write the URL of the schema or remove the key",
            );
        }
        Some(())
    });
    let search_prompt = cx.optional(&fields, "search", |cx, at| {
        let fields = cx.object(at, &["prompt"])?;
        cx.optional(&fields, "prompt", Cx::string)
    });
    let timestamp = cx.optional(&fields, "metadata", |cx, at| {
        let fields = cx.object(at, &["timestamp"])?;
        cx.optional(&fields, "timestamp", Cx::boolean)
    });
    let redirects = cx
        .optional(&fields, "redirects", redirects::decode)
        .unwrap_or_default();
    let has_mcp = redirects
        .iter()
        .any(|one| one.source.trim_end_matches('/') == "/mcp");
    Some(SiteConfig {
        theme: cx
            .required(&fields, "theme", Theme::decode)
            .unwrap_or(Theme::Svc),
        name: cx
            .required(&fields, "name", Cx::non_empty_string)
            .unwrap_or_else(|| "Documentation".into()),
        description: cx
            .optional(&fields, "description", Cx::string)
            .map(|text| text.trim().to_owned())
            .filter(|text| !text.is_empty()),
        public: cx.public(&fields),
        sign_in: SIGN_IN.into_iter().any(|key| fields.has(key)),
        colors: cx
            .required(&fields, "colors", Colors::decode)
            .unwrap_or_default(),
        logo: cx.optional(&fields, "logo", Logo::decode),
        favicon: cx.optional(&fields, "favicon", Favicon::decode),
        appearance: cx
            .optional(&fields, "appearance", Appearance::decode)
            .unwrap_or_default(),
        fonts: cx
            .optional(&fields, "fonts", Fonts::decode)
            .unwrap_or_default(),
        icons: cx
            .optional(&fields, "icons", IconLibrary::decode)
            .unwrap_or(IconLibrary::FontAwesome),
        background: cx
            .optional(&fields, "background", Background::decode)
            .unwrap_or_default(),
        styling: cx
            .optional(&fields, "styling", Styling::decode)
            .unwrap_or_default(),
        thumbnails: cx
            .optional(&fields, "thumbnails", Thumbnails::decode)
            .unwrap_or_default(),
        navbar: cx
            .optional(&fields, "navbar", Navbar::decode)
            .unwrap_or_default(),
        footer: cx
            .optional(&fields, "footer", Footer::decode)
            .unwrap_or_default(),
        banner: cx.optional(&fields, "banner", Banner::decode),
        interaction: cx
            .optional(&fields, "interaction", Interaction::decode)
            .unwrap_or_default(),
        contextual: cx.optional(&fields, "contextual", |cx, at| {
            let menu = Contextual::decode(cx, at)?;
            menu.report_unoffered(cx, at, has_mcp);
            Some(menu)
        }),
        api: cx.optional(&fields, "api", Api::decode).unwrap_or_default(),
        search_prompt,
        seo: cx.optional(&fields, "seo", Seo::decode).unwrap_or_default(),
        redirects,
        integrations: cx
            .optional(&fields, "integrations", integrations::decode)
            .unwrap_or_default(),
        not_found: cx
            .optional(&fields, "errors", NotFound::decode)
            .unwrap_or_default(),
        timestamp: timestamp.unwrap_or(false),
        variables: cx
            .optional(&fields, "variables", variables::decode)
            .unwrap_or_default(),
        markdown: cx
            .optional(&fields, "markdown", Markdown::decode)
            .unwrap_or_default(),
        navigation: cx
            .required(&fields, "navigation", Navigation::decode)
            .unwrap_or_default(),
        file: file.clone(),
    })
}

/// The problems in the order of the files and, within one, of the text.
fn sorted_diagnostics(cx: Cx) -> Vec<Diagnostic> {
    let order: BTreeMap<&str, usize> = cx
        .files
        .iter()
        .enumerate()
        .map(|(index, file)| (&**file.path(), index))
        .collect();
    let mut diagnostics = cx.diagnostics;
    if diagnostics.len() >= MAX_DIAGNOSTICS
        && let Some(file) = cx.files.get(0)
    {
        let end = u32::try_from(file.text().len()).unwrap_or(u32::MAX);
        let message = format!("only the first {MAX_DIAGNOSTICS} problems are listed");
        let note = Diagnostic::new(&LIMIT, message)
            .at(file.location(Span::new(end, end)))
            .pointer("")
            .hint("correct these first");
        diagnostics.push(note);
    }
    diagnostics.sort_by_key(|found| {
        found
            .location
            .as_ref()
            .map(|at| (order.get(&*at.file).copied(), at.span.start))
    });
    diagnostics
}

impl SiteConfig {
    /// Whether pages ask for protection unless they say otherwise.
    pub fn is_protected(&self) -> bool {
        match self.public {
            Some(public) => !public,
            None => self.sign_in,
        }
    }

    /// The raw form: the file as it is written, with unknown keys and `$ref`s. It is what an editor
    /// changes and saves back.
    pub fn document(&self) -> Document {
        Document::read(&self.file).value
    }
}
