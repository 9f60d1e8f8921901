//! The whole file.

use svc_diagnostics::SourceFile;

use crate::{
    Api, Appearance, Background, Banner, Colors, Contextual, Document, Favicon, Fonts, Footer,
    I18n, IconLibrary, Interaction, Logo, Markdown, Navbar, Navigation, NotFound, Redirect, Seo,
    Styling, Theme, Thumbnails, VersionSettings,
    api::ApiReference,
    background::NamedImages,
    codes::URL,
    errors::Errors,
    icons::Icons,
    integrations::{Integration, Integrations},
    keys::{
        key,
        kinds::{Anything, NonEmpty, Public, Text},
        object, patterns,
        shape::Shape,
        single_key, value_kind,
    },
    redirects::Redirects,
    search::Search,
    text::shorten,
    theme::ThemeName,
    url::is_url,
    variables::Variables,
};

object! {
    /// The checked form of `docs.json`, with defaults filled in.
    #[derive(Debug, Clone)]
    pub struct SiteConfig {
        /// URL of the JSON Schema of this file; editors use it for completion and validation.
        = key::<SchemaUrl>("$schema").rule("Any URL; it is never fetched.")
            .example("\"https://svc.dev/schema/docs.json\""),
        /// Theme of the site.
        theme: Theme = key::<ThemeName>("theme").expected().or_else(|| Theme::Svc)
            .rule("The older name `mint` is read as `svc`.")
            .example("\"svc\""),
        /// Name of the project, organization or product; shown in the title of the browser tab.
        name: String = key::<NonEmpty>("name").expected().or_else(|| "Documentation".into())
            .example("\"Acme\""),
        /// One sentence about the site, for search engines and `llms.txt`.
        description: Option<String> = key::<Text>("description").field(|text| Some(trimmed(text)))
            .example("\"How to build with Acme.\""),
        /// Whether pages are public unless they say otherwise. With `false`, pages without
        /// `public: true` are only for readers who sign in, and not served where readers cannot.
        public: Option<bool> = key::<Public>("public")
            .default("`true`; `false` beside `auth` or `userAuth`"),
        /// Sign-in of readers.
        = key::<Anything>("auth").deprecated(NO_SIGN_IN),
        /// Sign-in of readers for personalized content.
        = key::<Anything>("userAuth").deprecated(NO_SIGN_IN),
        /// Accent colors.
        colors: Colors = key::<Colors>("colors").expected().or_default()
            .rule("Without `light` and `dark`, `primary` is used everywhere.")
            .example(r##"{ "primary": "#0f766e", "light": "#2dd4bf", "dark": "#0f766e" }"##),
        /// Image in the header.
        logo: Option<Logo> = key::<Logo>("logo")
            .example(r#"{ "light": "/logo/light.svg", "dark": "/logo/dark.svg", "href": "/" }"#),
        /// Icon in the browser tab.
        favicon: Option<Favicon> = key::<NamedImages>("favicon")
            .field(|images| Some(images.map(Favicon::from)))
            .example("\"/favicon.svg\""),
        /// Light and dark mode.
        appearance: Appearance = key::<Appearance>("appearance").or_default()
            .example(r#"{ "default": "dark", "strict": true }"#),
        /// Typefaces of headings and text.
        fonts: Fonts = key::<Fonts>("fonts").or_default().default("the fonts of the theme")
            .example(r#"{ "family": "Inter", "heading": { "family": "Lora", "weight": 700 } }"#),
        /// Icon library.
        icons: IconLibrary = key::<Icons>("icons").or_else(|| IconLibrary::FontAwesome)
            .example(r#"{ "library": "lucide" }"#),
        /// Page background.
        background: Background = key::<Background>("background").or_default()
            .example(r##"{ "decoration": "grid", "color": { "light": "#ffffff", "dark": "#0b0f14" } }"##),
        /// Details of the look.
        styling: Styling = key::<Styling>("styling").or_default()
            .example(r#"{ "eyebrows": "breadcrumbs", "codeblocks": "dark" }"#),
        /// Generated preview images of pages.
        thumbnails: Thumbnails = key::<Thumbnails>("thumbnails").or_default()
            .example(r#"{ "appearance": "light", "background": "/images/thumbnail.png" }"#),
        /// Links in the header.
        navbar: Navbar = key::<Navbar>("navbar").or_default()
            .rule("A language's own header replaces it.")
            .example(r#"{ "links": [{ "label": "Blog", "href": "/blog" }], "primary": { "type": "button", "label": "Sign up", "href": "https://example.com" } }"#),
        /// Links at the end of every page.
        footer: Footer = key::<Footer>("footer").or_default()
            .rule("A language's own footer replaces it.")
            .example(r#"{ "socials": { "github": "https://github.com/acme" }, "links": [{ "header": "Company", "items": [{ "label": "About", "href": "https://example.com/about" }] }] }"#),
        /// A line above the header.
        banner: Option<Banner> = key::<Banner>("banner")
            .rule("A language's own banner replaces it.")
            .example(r#"{ "content": "Version 2 is [out](/changelog).", "dismissible": true }"#),
        /// The pages of the site and their order.
        navigation: Navigation = key::<Navigation>("navigation").expected().or_default()
            .rule("Exactly one of `pages`, `groups`, `tabs`, `anchors`, `dropdowns`, `products`, `versions` and `languages`, or `openapi` alone.")
            .example(r#"{ "groups": [{ "group": "Start", "pages": ["introduction", "quickstart"] }] }"#),
        /// Sites in several languages.
        i18n: I18n = key::<I18n>("i18n").or_default()
            .example(r#"{ "detect": false }"#),
        /// What a click in the sidebar does.
        interaction: Interaction = key::<Interaction>("interaction").or_default()
            .example(r#"{ "drilldown": true }"#),
        /// Menu beside the title of a page.
        contextual: Option<Contextual> = key::<Contextual>("contextual")
            .rule("A page's own menu replaces it.")
            .example(r#"{ "options": ["copy", "view", "download-spec"] }"#),
        /// The API reference.
        api: Api = key::<ApiReference>("api").or_default()
            .example(r#"{ "openapi": "openapi.yaml", "playground": { "display": "interactive" } }"#),
        /// The search of the site.
        search: Search = key::<Search>("search").or_default()
            .example(r#"{ "prompt": "Find something" }"#),
        /// Settings for search engines.
        seo: Seo = key::<Seo>("seo").or_default()
            .example(r#"{ "indexing": "navigable", "metatags": { "og:site_name": "Acme" } }"#),
        /// Moved paths.
        redirects: Vec<Redirect> = key::<Redirects>("redirects").or_default()
            .rule("Every `source` must be unique.")
            .example(r#"[{ "source": "/old/:slug*", "destination": "/new/:slug*" }]"#),
        /// Analytics, chat and consent services that pages load.
        integrations: Vec<Integration> = key::<Integrations>("integrations")
            .or_default()
            .rule("[Analytics](/guides/analytics) says what each service loads. Previews and `svc dev` load none.")
            .example(r#"{ "plausible": { "domain": "docs.example.com" } }"#),
        /// The page for paths that do not exist.
        not_found: NotFound = key::<Errors>("errors").or_default()
            .example(r#"{ "404": { "title": "Nothing here", "description": "Try the search." } }"#),
        /// Metadata that pages show.
        ///
        /// Whether they show the date of their last change.
        timestamp: bool = key::<Timestamp>("metadata").or_default()
            .example(r#"{ "timestamp": true }"#),
        /// Texts that replace `{{name}}` in pages and snippets.
        ///
        /// Pairs of name and text.
        variables: Vec<(String, String)> = key::<Variables>("variables").or_default()
            .rule("Names hold letters, digits, `-`, `_` and `.`.")
            .example(r#"{ "product-name": "Acme" }"#),
        /// The Markdown form of pages.
        markdown: Markdown = key::<Markdown>("markdown").or_default()
            .example(r#"{ "instructions": "Prefer the REST API in examples." }"#),
    }
    and {
        /// Whether it configures a sign-in of readers: `auth` or `userAuth`.
        sign_in: bool = |_, fields| fields.has("auth") || fields.has("userAuth"),
        /// Settings of the versions whose files come from other revisions.
        versions: Vec<VersionSettings> = |_, _| Vec::new(),
        /// The file that the configuration was read from.
        file: SourceFile = |cx, _| cx.files.root(),
    }
    unsupported {
        "variations": "Variants of one site.",
        "assistant": "Settings of a chat assistant.",
    }
}

const NO_SIGN_IN: &str = "It protects pages as `\"public\": false` does; how readers sign in is a setting of the server.";

single_key!(Timestamp -> bool {
    /// Whether pages show the date of their last change.
    = key::<bool>("timestamp").or(|| false)
});
value_kind!(SchemaUrl -> () = Shape::Pattern(&patterns::URI), |cx, at| {
    let text = cx.non_empty_string(at)?;
    if !is_url(&text) {
        let message = format!("`$schema` is not a URL: `{}`", shorten(&text));
        cx.report(&URL, at, message, "write the URL of the schema or remove the key");
    }
    Some(())
});

fn trimmed(text: Option<String>) -> Option<String> {
    let text = text.map(|text| text.trim().to_owned());
    text.filter(|text| !text.is_empty())
}

impl SiteConfig {
    /// Whether pages request protection unless they say otherwise.
    ///
    /// ```
    /// use svc_config::{SourceFile, parse};
    /// let text = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#070"},
    ///     "public": false, "navigation": {"pages": ["index"]}}"##;
    /// let site = parse(&SourceFile::new("docs.json", text), &|_| None).value.expect("a site");
    /// assert!(site.is_protected());
    /// assert_eq!(site.document().get("/public").and_then(|node| node.as_bool()), Some(false));
    /// ```
    pub fn is_protected(&self) -> bool {
        match self.public {
            Some(public) => !public,
            None => self.sign_in,
        }
    }

    /// The raw form: the file as it is written, with unknown keys and `$ref`s. It can be edited and
    /// saved. [`is_protected`](Self::is_protected) has an example.
    pub fn document(&self) -> Document {
        Document::read(&self.file).value
    }
}
