//! What a new site begins with.

use clap::ValueEnum;
use serde_json::{Value, json};

/// Kind of a new site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Template {
    /// Guides for users
    Guide,
    /// An API reference with a few pages around it
    Api,
    /// Guides, an API reference and a changelog, in tabs
    Product,
}

/// A file of a template. `{name}` is the name of the site.
#[derive(Debug)]
pub(super) struct TemplateFile {
    pub(super) path: &'static str,
    pub(super) text: &'static str,
}

const GUIDE: &[TemplateFile] = &[
    TemplateFile {
        path: "index.mdx",
        text: include_str!("templates/guide/index.mdx"),
    },
    TemplateFile {
        path: "quickstart.mdx",
        text: include_str!("templates/guide/quickstart.mdx"),
    },
    TemplateFile {
        path: "guides/writing.mdx",
        text: include_str!("templates/guide/writing.mdx"),
    },
];
const AUTHENTICATION: TemplateFile = TemplateFile {
    path: "authentication.mdx",
    text: include_str!("templates/api/authentication.mdx"),
};
const ERRORS: TemplateFile = TemplateFile {
    path: "errors.mdx",
    text: include_str!("templates/api/errors.mdx"),
};
const DOCUMENT: TemplateFile = TemplateFile {
    path: "openapi.yaml",
    text: include_str!("templates/api/openapi.yaml"),
};
const API: &[TemplateFile] = &[
    TemplateFile {
        path: "index.mdx",
        text: include_str!("templates/api/index.mdx"),
    },
    AUTHENTICATION,
    ERRORS,
    DOCUMENT,
];
const PRODUCT: &[TemplateFile] = &[
    AUTHENTICATION,
    ERRORS,
    TemplateFile {
        path: "changelog.mdx",
        text: include_str!("templates/product/changelog.mdx"),
    },
    DOCUMENT,
];

impl Template {
    pub(super) fn files(self) -> Vec<&'static TemplateFile> {
        match self {
            Self::Guide => GUIDE.iter().collect(),
            Self::Api => API.iter().collect(),
            Self::Product => GUIDE.iter().chain(PRODUCT).collect(),
        }
    }

    /// The navigation; `document` is the path of the OpenAPI document.
    pub(super) fn navigation(self, document: &str) -> Value {
        let guides = json!([
            { "group": "Get started", "pages": ["index", "quickstart"] },
            { "group": "Guides", "pages": ["guides/writing"] },
        ]);
        let reference = json!({ "group": "Reference", "openapi": document });
        match self {
            Self::Guide => json!({ "groups": guides }),
            Self::Api => json!({ "groups": [
                { "group": "Get started", "pages": ["index", "authentication", "errors"] },
                reference,
            ]}),
            Self::Product => json!({ "tabs": [
                { "tab": "Guides", "groups": guides },
                { "tab": "API", "groups": [
                    { "group": "Basics", "pages": ["authentication", "errors"] },
                    reference,
                ]},
                { "tab": "Changelog", "pages": ["changelog"] },
            ]}),
        }
    }
}
