//! `api`: the API reference.

use svc_diagnostics::Location;

use crate::{
    codes::UNSUPPORTED,
    decode::{Cx, NodeRef},
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

/// `api.playground`: the API playground.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Playground {
    /// The mode.
    pub display: PlaygroundDisplay,
    /// Whether requests go through the proxy of the site.
    pub proxy: bool,
    /// Whether cookies are sent; ignored when `proxy` is set.
    pub credentials: bool,
}

/// `api.examples`: generated request examples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Examples {
    /// Languages in the order of their tabs; None for the built-in list.
    pub languages: Option<Vec<String>>,
    /// The parameters that examples contain.
    pub defaults: ExampleDefaults,
    /// Whether the fields of the form start with the example values.
    pub prefill: bool,
    /// Whether examples are generated where the document has none.
    pub autogenerate: bool,
}

/// `api.mdx.auth`: the authorization of hand-written endpoint pages.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MdxAuth {
    /// The method; None if requests need no authorization.
    pub method: Option<MdxAuthMethod>,
    /// Name of the header or field.
    pub name: Option<String>,
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

impl Default for Playground {
    fn default() -> Self {
        Self {
            display: PlaygroundDisplay::Interactive,
            proxy: true,
            credentials: false,
        }
    }
}

impl Default for Examples {
    fn default() -> Self {
        Self {
            languages: None,
            defaults: ExampleDefaults::All,
            prefill: false,
            autogenerate: true,
        }
    }
}

impl Default for Api {
    fn default() -> Self {
        Self {
            openapi: None,
            params_expanded: ParamsExpanded::Closed,
            params_post: Vec::new(),
            playground: Playground::default(),
            examples: Examples::default(),
            url_full: false,
            mdx_auth: MdxAuth::default(),
            mdx_servers: Vec::new(),
        }
    }
}

impl Api {
    pub(crate) fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let fields = cx.object(
            at,
            &["openapi", "params", "playground", "examples", "url", "mdx"],
        )?;
        let mut api = Self {
            openapi: cx.optional(&fields, "openapi", OpenApiRef::decode),
            playground: cx
                .optional(&fields, "playground", Playground::decode)
                .unwrap_or_default(),
            examples: cx
                .optional(&fields, "examples", Examples::decode)
                .unwrap_or_default(),
            url_full: cx
                .optional(&fields, "url", Cx::string_enum::<BaseUrl>)
                .is_some(),
            ..Self::default()
        };
        cx.optional(&fields, "params", |cx, at| {
            let fields = cx.object(at, &["expanded", "post"])?;
            if let Some(expanded) = cx.optional(&fields, "expanded", Cx::string_enum) {
                api.params_expanded = expanded;
            }
            api.params_post = cx
                .optional(&fields, "post", |cx, at| cx.list(at, Cx::non_empty_string))
                .unwrap_or_default();
            Some(())
        });
        cx.optional(&fields, "mdx", |cx, at| {
            let fields = cx.object(at, &["auth", "server"])?;
            api.mdx_auth = cx
                .optional(&fields, "auth", MdxAuth::decode)
                .unwrap_or_default();
            api.mdx_servers = cx.optional(&fields, "server", servers).unwrap_or_default();
            Some(())
        });
        Some(api)
    }
}

string_enum!(private BaseUrl {
    Full = "full",
});

fn servers(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Vec<String>> {
    if at.is_string() {
        return Some(cx.web_url(at).into_iter().collect());
    }
    if !at.is_array() {
        cx.type_mismatch(at, "a URL or an array of URLs");
        return None;
    }
    cx.list(at, Cx::web_url)
}

impl Playground {
    fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let fields = cx.object(at, &["display", "proxy", "credentials"])?;
        let default = Self::default();
        Some(Self {
            display: cx
                .optional(&fields, "display", Cx::string_enum)
                .unwrap_or(default.display),
            proxy: cx.bool_or(&fields, "proxy", default.proxy),
            credentials: cx.bool_or(&fields, "credentials", default.credentials),
        })
    }
}

impl Examples {
    fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let fields = cx.object(at, &["languages", "defaults", "prefill", "autogenerate"])?;
        let default = Self::default();
        Some(Self {
            languages: cx.optional(&fields, "languages", |cx, at| {
                cx.list(at, Cx::non_empty_string)
            }),
            defaults: cx
                .optional(&fields, "defaults", Cx::string_enum)
                .unwrap_or(default.defaults),
            prefill: cx.bool_or(&fields, "prefill", default.prefill),
            autogenerate: cx.bool_or(&fields, "autogenerate", default.autogenerate),
        })
    }
}

impl MdxAuth {
    fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let fields = cx.object(at, &["method", "name"])?;
        Some(Self {
            method: cx.optional(&fields, "method", Cx::string_enum),
            name: cx.optional(&fields, "name", Cx::string),
        })
    }
}

impl OpenApiRef {
    /// Decodes a path or URL, an array of them, or an object with `source` and `directory`.
    pub(crate) fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
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

    fn add(&mut self, cx: &mut Cx, at: &NodeRef<'_>) {
        if at.is_string() {
            let source = cx.non_empty_string(at);
            self.push(cx, at, source);
        } else if at.is_object() {
            let Some(fields) = cx.object(at, &["source", "directory", "overlays"]) else {
                return;
            };
            if let Some(overlays) = fields.get("overlays") {
                let message = "`overlays` is accepted but has no effect yet";
                cx.report(
                    &UNSUPPORTED,
                    &overlays,
                    message,
                    "remove it, or leave it for a later version",
                );
            }
            let source = cx.required(&fields, "source", Cx::non_empty_string);
            if let Some(at) = fields.get("source") {
                self.push(cx, &at, source);
            }
            let directory = cx.optional(&fields, "directory", Cx::non_empty_string);
            self.directory = self.directory.take().or(directory);
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
