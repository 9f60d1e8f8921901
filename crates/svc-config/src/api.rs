//! `api`: the API reference.

use svc_diagnostics::Location;

use crate::{
    codes::UNSUPPORTED,
    decode::{Cx, NodeRef},
    string_enum::string_enum,
};

string_enum! {
    /// Whether nested parameters start open.
    ParamsExpanded {
        All = "all",
        Closed = "closed",
    }
}

string_enum! {
    /// What the playground offers.
    PlaygroundDisplay {
        Interactive = "interactive",
        Simple = "simple",
        None = "none",
        Auth = "auth",
    }
}

string_enum! {
    /// Which parameters examples hold.
    ExampleDefaults {
        Required = "required",
        All = "all",
    }
}

string_enum! {
    /// How requests of hand-written endpoint pages are authorised.
    MdxAuthMethod {
        Bearer = "bearer",
        Basic = "basic",
        Key = "key",
        Cobo = "cobo",
    }
}

/// OpenAPI documents an element or the site uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenApiRef {
    /// Paths (as written) or URLs.
    pub sources: Vec<String>,
    /// Output folder of generated pages.
    pub directory: Option<String>,
    /// Where it is written.
    pub location: Location,
    /// Where each of `sources` is written: place and JSON pointer.
    pub locations: Vec<(Location, String)>,
}

/// The playground.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Playground {
    /// What it offers.
    pub display: PlaygroundDisplay,
    /// Whether requests go through the site's relay.
    pub proxy: bool,
    /// Whether cookies are sent; only without relay.
    pub credentials: bool,
}

/// Request examples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Examples {
    /// Languages in the order of tabs; `None` is the built-in list.
    pub languages: Option<Vec<String>>,
    /// Which parameters they hold.
    pub defaults: ExampleDefaults,
    /// Whether fields start with the example's values.
    pub prefill: bool,
    /// Whether they are generated where the document has none.
    pub autogenerate: bool,
}

/// Authorisation of hand-written endpoint pages.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MdxAuth {
    /// Method.
    pub method: Option<MdxAuthMethod>,
    /// Name of the header or field.
    pub name: Option<String>,
}

/// The API reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Api {
    /// Default documents.
    pub openapi: Option<OpenApiRef>,
    /// Whether nested parameters start open.
    pub params_expanded: ParamsExpanded,
    /// Schema fields shown as badges on parameters.
    pub params_post: Vec<String>,
    /// Playground.
    pub playground: Playground,
    /// Request examples.
    pub examples: Examples,
    /// Whether the base URL is always shown.
    pub url_full: bool,
    /// Authorisation of hand-written endpoint pages.
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
    /// A path or URL, several of them, or an object with `source` and `directory`.
    pub(crate) fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let mut found = Self {
            sources: Vec::new(),
            directory: None,
            location: cx.location_of(at),
            locations: Vec::new(),
        };
        if at.is_array() {
            for item in at.items() {
                found.add(cx, &item);
            }
        } else {
            found.add(cx, at);
        }
        (!found.sources.is_empty()).then_some(found)
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
                cx.report(&UNSUPPORTED, &overlays, message, "nothing needs to be done");
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
        let found = site_of(&format!("\"api\":{json}"));
        assert!(found.diagnostics.is_empty(), "{:?}", found.diagnostics);
        found.value.unwrap().api
    }

    #[test]
    fn documents_are_named_in_four_ways() {
        let sources = |json: &str| {
            let found = api(&format!("{{\"openapi\":{json}}}")).openapi.unwrap();
            (found.sources.join(" "), found.directory)
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
