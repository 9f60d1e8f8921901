//! `api`, and how OpenAPI documents are named.

use super::{
    patterns,
    table::{
        Definition, List, Object, Shape,
        Shape::{Boolean, Enum, NonEmpty, OneOf, Pattern, Text},
        key, list, object, variants,
    },
};
use crate::{ExampleDefaults, MdxAuthMethod, ParamsExpanded, PlaygroundDisplay};

/// How OpenAPI documents are named.
pub(super) static OPENAPI: Definition = Definition {
    name: "openapi",
    title: "OpenAPI documents",
    description: "A path of the repository, a URL, an object that says where generated pages go, or an array of these.",
    shape: Shape::Any(&[
        NonEmpty,
        Shape::Object(&OPENAPI_OBJECT),
        Shape::List(&OPENAPI_LIST),
    ]),
};

static OPENAPI_OBJECT: Object = object(&[&[
    key("source", "Path or URL of the document.", NonEmpty).required(),
    key("directory", "Folder of the generated pages.", NonEmpty).default("\"api-reference\""),
    key(
        "overlays",
        "OpenAPI overlays of the document.",
        Shape::Anything,
    )
    .deprecated("Accepted, but has no effect yet."),
]]);

static OPENAPI_LIST: List = list(Shape::Any(&[NonEmpty, Shape::Object(&OPENAPI_OBJECT)]));

pub(super) static API: Object = object(&[&[
    key(
        "openapi",
        "Documents of pages that name none.",
        Shape::Definition(&OPENAPI),
    ),
    key(
        "params",
        "How parameters are shown.",
        Shape::Object(&PARAMS),
    ),
    key(
        "playground",
        "The form that sends requests.",
        Shape::Object(&PLAYGROUND),
    ),
    key("examples", "Request examples.", Shape::Object(&EXAMPLES)),
    key("url", "Shows the base URL always.", OneOf(&["full"]))
        .default("shown where there are several servers"),
    key(
        "mdx",
        "Requests of endpoint pages that are written by hand.",
        Shape::Object(&MDX),
    ),
    key("asyncapi", "AsyncAPI documents.", Shape::Anything)
        .deprecated("Accepted, but has no effect yet."),
]]);

static POST: List = list(NonEmpty);

static PARAMS: Object = object(&[&[
    key(
        "expanded",
        "Whether nested parameters start open.",
        Enum(variants::<ParamsExpanded>),
    )
    .default("\"closed\""),
    key(
        "post",
        "Keys of the OpenAPI schema that are shown as badges on every parameter.",
        Shape::List(&POST),
    )
    .example("[\"x-unit\"]"),
]]);

static PLAYGROUND: Object = object(&[&[
    key(
        "display",
        "What it offers: a form, a read-only one, nothing, or a form for readers who are signed in, of whom there are none yet.",
        Enum(variants::<PlaygroundDisplay>),
    )
    .default("\"interactive\""),
    key(
        "proxy",
        "Whether requests go through the relay of the site.",
        Boolean,
    )
    .default("true"),
    key("credentials", "Whether cookies are sent.", Boolean)
        .default("false")
        .rule("Only without the relay."),
]]);

static LANGUAGES: List = list(NonEmpty);

static EXAMPLES: Object = object(&[&[
    key(
        "languages",
        "Languages, in the order of their tabs.",
        Shape::List(&LANGUAGES),
    )
    .example("[\"curl\", \"python\"]"),
    key(
        "defaults",
        "Which parameters the examples hold.",
        Enum(variants::<ExampleDefaults>),
    )
    .default("\"all\""),
    key(
        "prefill",
        "Whether the fields of the form start with the values of the example.",
        Boolean,
    )
    .default("false"),
    key(
        "autogenerate",
        "Whether examples are made where the document has none.",
        Boolean,
    )
    .default("true"),
]]);

static SERVERS: List = list(Pattern(&patterns::WEB_URL));

static MDX: Object = object(&[&[
    key("auth", "How requests are authorised.", Shape::Object(&AUTH)),
    key(
        "server",
        "Base URL, or several.",
        Shape::Any(&[Pattern(&patterns::WEB_URL), Shape::List(&SERVERS)]),
    ),
]]);

static AUTH: Object = object(&[&[
    key("method", "Method.", Enum(variants::<MdxAuthMethod>)),
    key("name", "Name of the header or field.", Text),
]]);
