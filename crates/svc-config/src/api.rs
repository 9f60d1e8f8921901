//! `api`: the API reference.

use svc_diagnostics::Location;

use crate::{
    codes::UNSUPPORTED,
    decode::{Cx, NodeRef},
    keys::{
        ValueKind, key,
        kinds::{ListOf, NonEmpty, Text},
        object,
        shape::{Definition, Shape, list},
        value_kind,
    },
    link::WebUrl,
    string_enum::string_enum,
};

string_enum! {
    /// `api.params.expanded`: whether nested parameters are initially expanded.
    ParamsExpanded {
        All = "all",
        Closed = "closed",
    }
}

string_enum! {
    /// `api.playground.display`: the mode of the playground.
    PlaygroundDisplay {
        Interactive = "interactive",
        Simple = "simple",
        None = "none",
        Auth = "auth",
    }
}

string_enum! {
    /// `api.examples.defaults`: the parameters that examples contain.
    ExampleDefaults {
        Required = "required",
        All = "all",
    }
}

string_enum! {
    /// `api.mdx.auth.method`: the authorization of requests on hand-written endpoint pages.
    MdxAuthMethod {
        Bearer = "bearer",
        Basic = "basic",
        Key = "key",
        Cobo = "cobo",
    }
}

/// `openapi`: the OpenAPI documents of the site or of a navigation element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenApiRef {
    /// Paths (as written) or URLs.
    pub sources: Vec<String>,
    /// `directory`: the output folder of generated pages.
    pub directory: Option<String>,
    /// Location of the value.
    pub location: Location,
    /// Location and JSON pointer of each entry of `sources`.
    pub locations: Vec<(Location, String)>,
}

object! {
    /// `api.playground`: the API playground.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Playground {
        /// Mode: a form, a read-only form, no playground, or a form for readers who have signed in.
        display: PlaygroundDisplay = key::<PlaygroundDisplay>("display")
            .or(|| PlaygroundDisplay::Interactive),
        /// Whether requests go through the relay of the site.
        proxy: bool = key::<bool>("proxy").or(|| true),
        /// Whether cookies are sent.
        ///
        /// Ignored when `proxy` is set.
        credentials: bool = key::<bool>("credentials").or(|| false).rule("Only without the relay."),
    }
    impl Default
}

object! {
    /// `api.examples`: generated request examples.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Examples {
        /// Languages, in the order of their tabs.
        ///
        /// None for the built-in list.
        languages: Option<Vec<String>> = key::<ListOf<NonEmpty>>("languages")
            .example("[\"curl\", \"python\"]"),
        /// Parameters that examples contain.
        defaults: ExampleDefaults = key::<ExampleDefaults>("defaults").or(|| ExampleDefaults::All),
        /// Whether the fields of the form start with the example values.
        prefill: bool = key::<bool>("prefill").or(|| false),
        /// Whether examples are generated if the document has none.
        autogenerate: bool = key::<bool>("autogenerate").or(|| true),
    }
    impl Default
}

object! {
    /// `api.mdx.auth`: the authorization of hand-written endpoint pages.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct MdxAuth {
        /// Method.
        ///
        /// None if requests need no authorization.
        method: Option<MdxAuthMethod> = key::<MdxAuthMethod>("method"),
        /// Name of the header or field.
        name: Option<String> = key::<Text>("name"),
    }
}

/// `api`: the API reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Api {
    /// OpenAPI documents of pages that name none.
    pub openapi: Option<OpenApiRef>,
    /// Whether nested parameters are initially expanded.
    pub params_expanded: ParamsExpanded,
    /// Schema keywords that are shown as badges on parameters.
    pub params_post: Vec<String>,
    /// The playground.
    pub playground: Playground,
    /// Request examples.
    pub examples: Examples,
    /// Whether the base URL is always shown.
    pub url_full: bool,
    /// Authorization of hand-written endpoint pages.
    pub mdx_auth: MdxAuth,
    /// Servers of hand-written endpoint pages.
    pub mdx_servers: Vec<String>,
}

object! {
    struct ApiKeys {
        /// OpenAPI documents of pages that do not specify one.
        openapi: Option<OpenApiRef> = key::<OpenApiRef>("openapi"),
        /// How parameters are shown.
        params: Params = key::<Params>("params").or_default(),
        /// The form that sends requests.
        playground: Playground = key::<Playground>("playground").or_default(),
        /// Request examples.
        examples: Examples = key::<Examples>("examples").or_default(),
        /// Whether the base URL is always shown.
        url: Option<BaseUrl> = key::<BaseUrl>("url").default("shown if there are several servers"),
        /// Requests of hand-written endpoint pages.
        mdx: Mdx = key::<Mdx>("mdx").or_default(),
    }
    unsupported { "asyncapi": "AsyncAPI documents." }
    impl Default
}

object! {
    struct Params {
        /// Whether nested parameters are initially expanded.
        expanded: ParamsExpanded = key::<ParamsExpanded>("expanded").or(|| ParamsExpanded::Closed),
        /// Schema keywords that are shown as badges on every parameter.
        post: Vec<String> = key::<ListOf<NonEmpty>>("post").or_default().example("[\"x-unit\"]"),
    }
    impl Default
}

object! {
    #[derive(Default)]
    struct Mdx {
        /// Authorization of requests.
        auth: MdxAuth = key::<MdxAuth>("auth").or_default(),
        /// Base URL, or several.
        server: Vec<String> = key::<Servers>("server").or_default(),
    }
}

object! {
    struct OpenApiKeys {
        /// Path or URL of the document.
        source: Option<String> = key::<NonEmpty>("source").expected(),
        /// Folder of the generated pages.
        directory: Option<String> = key::<NonEmpty>("directory").default("\"api-reference\""),
        /// OpenAPI overlays of the document.
        = key::<Overlays>("overlays").deprecated("Accepted, but has no effect yet."),
    }
}

string_enum!(private BaseUrl {
    Full = "full",
});

value_kind!(Overlays -> () = Shape::Anything, |cx, at| {
    let message = "`overlays` is accepted but has no effect yet";
    let hint = "remove it, or leave it for a later version";
    cx.report(&UNSUPPORTED, at, message, hint);
    None
});
value_kind!(Servers -> Vec<String> =
    Shape::Any(vec![WebUrl::shape(), ListOf::<WebUrl>::shape()]), |cx, at| {
    if at.is_string() {
        return Some(cx.web_url(at).into_iter().collect());
    }
    if !at.is_array() {
        cx.type_mismatch(at, "a URL or an array of URLs");
        return None;
    }
    cx.list(at, Cx::web_url)
});
value_kind!(pub(crate) ApiReference -> Api = ApiKeys::shape(), |cx, at| {
    ApiKeys::decode(cx, at).map(Api::from)
});

impl Default for Api {
    fn default() -> Self {
        ApiKeys::default().into()
    }
}

impl From<ApiKeys> for Api {
    fn from(keys: ApiKeys) -> Self {
        Self {
            openapi: keys.openapi,
            params_expanded: keys.params.expanded,
            params_post: keys.params.post,
            playground: keys.playground,
            examples: keys.examples,
            url_full: keys.url.is_some(),
            mdx_auth: keys.mdx.auth,
            mdx_servers: keys.mdx.server,
        }
    }
}

impl ValueKind for OpenApiRef {
    type Value = Self;

    const DEFINITION: Option<Definition> = Some(Definition::new(
        "openapi",
        "OpenAPI documents",
        "A path of the repository, a URL, an object that also sets the folder of generated pages, or an array of these.",
    ));

    fn shape() -> Shape {
        let one = || vec![Shape::NonEmpty, OpenApiKeys::shape()];
        let mut any = one();
        any.push(Shape::List(Box::new(list(Shape::Any(one())))));
        Shape::Any(any)
    }

    fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let mut documents = Self {
            sources: Vec::new(),
            directory: None,
            location: cx.location_of(at),
            locations: Vec::new(),
        };
        if at.is_array() {
            for item in at.items() {
                documents.add(cx, &item);
            }
        } else {
            documents.add(cx, at);
        }
        (!documents.sources.is_empty()).then_some(documents)
    }
}

impl OpenApiRef {
    fn add(&mut self, cx: &mut Cx, at: &NodeRef<'_>) {
        if at.is_string() {
            let source = cx.non_empty_string(at);
            self.push(cx, at, source);
        } else if at.is_object() {
            let Some(fields) = cx.object(at, OpenApiKeys::NAMES) else {
                return;
            };
            let Some(keys) = OpenApiKeys::read(cx, &fields) else {
                return;
            };
            if let Some(at) = fields.get("source") {
                self.push(cx, &at, keys.source);
            }
            self.directory = self.directory.take().or(keys.directory);
        } else {
            cx.type_mismatch(at, "a string, an array or an object with `source`");
        }
    }

    fn push(&mut self, cx: &Cx, at: &NodeRef<'_>, source: Option<String>) {
        if let Some(source) = source {
            self.sources.push(source);
            self.locations.push((cx.location_of(at), at.pointer()));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        Api, ParamsExpanded, PlaygroundDisplay,
        tests::{errors_of, site_of},
    };

    fn api(json: &str) -> Api {
        let checked = site_of(&format!("\"api\":{json}"));
        assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
        checked.value.unwrap().api
    }

    #[test]
    fn openapi_has_four_forms() {
        let sources = |json: &str| {
            let refs = api(&format!("{{\"openapi\":{json}}}")).openapi.unwrap();
            (refs.sources.join(" "), refs.directory)
        };
        assert_eq!(sources("\"a.json\""), ("a.json".into(), None));
        assert_eq!(
            sources(r#"["a.json","https://x.com/b"]"#),
            ("a.json https://x.com/b".into(), None)
        );
        assert_eq!(
            sources(r#"{"source":"a","directory":"d"}"#),
            ("a".into(), Some("d".into()))
        );
        assert_eq!(sources(r#"[{"source":"a"},"b"]"#), ("a b".into(), None));
        assert_eq!(api(r#"{"openapi":[]}"#).openapi, None);
    }

    #[test]
    fn every_setting_is_read() {
        let api = api(
            r#"{"params":{"expanded":"all","post":["x-a"]},"playground":{"display":"auth","proxy":false,"credentials":true},"examples":{"languages":["curl"],"defaults":"required","prefill":true,"autogenerate":false},"url":"full","mdx":{"auth":{"method":"key","name":"X"},"server":["https://a.b"]}}"#,
        );
        assert_eq!(api.params_expanded, ParamsExpanded::All);
        assert_eq!(api.params_post, ["x-a"]);
        assert_eq!(api.playground.display, PlaygroundDisplay::Auth);
        assert!(!api.playground.proxy && api.playground.credentials && api.url_full);
        assert_eq!(
            api.examples.languages.as_deref(),
            Some(&["curl".to_owned()][..])
        );
        assert_eq!(api.mdx_servers, ["https://a.b"]);
        assert_eq!(api.mdx_auth.name.as_deref(), Some("X"));
    }

    #[test]
    fn problems_of_the_api() {
        for (json, expected) in [
            (r#"{"url":"short"}"#, "/api/url config-invalid-value"),
            (
                r#"{"playground":{"display":"x"}}"#,
                "/api/playground/display config-invalid-value",
            ),
            (
                r#"{"mdx":{"server":"notaurl"}}"#,
                "/api/mdx/server config-url",
            ),
            (r#"{"openapi":5}"#, "/api/openapi config-type"),
            (r#"{"openapi":{}}"#, "/api/openapi/source config-missing"),
            (r#"{"params":{"post":"a"}}"#, "/api/params/post config-type"),
            (
                r#"{"mdx":{"auth":{"method":"oauth"}}}"#,
                "/api/mdx/auth/method config-invalid-value",
            ),
        ] {
            assert_eq!(errors_of(&format!("\"api\":{json}")), [expected]);
        }
    }
}
