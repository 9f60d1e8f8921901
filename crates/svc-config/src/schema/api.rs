//! `api`, and references to OpenAPI documents.

use super::{
    patterns,
    table::{
        Definition, List, Object, Shape,
        Shape::{Boolean, Enum, NonEmpty, OneOf, Pattern, Text},
        key, list, object, variants,
    },
};
use crate::{ExampleDefaults, MdxAuthMethod, ParamsExpanded, PlaygroundDisplay};

/// References to OpenAPI documents.
pub(super) static OPENAPI: Definition = Definition {
    name: "openapi",
    title: "OpenAPI documents",
    description: "A path of the repository, a URL, an object that also sets the folder of generated pages, or an array of these.",
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
        "OpenAPI documents of pages that do not specify one.",
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
    key(
        "url",
        "Whether the base URL is always shown.",
        OneOf(&["full"]),
    )
    .default("shown if there are several servers"),
    key(
        "mdx",
        "Requests of hand-written endpoint pages.",
        Shape::Object(&MDX),
    ),
    key("asyncapi", "AsyncAPI documents.", Shape::Anything)
        .deprecated("Accepted, but has no effect yet."),
]]);

static POST: List = list(NonEmpty);

static PARAMS: Object = object(&[&[
    key(
        "expanded",
        "Whether nested parameters are initially expanded.",
        Enum(variants::<ParamsExpanded>),
    )
    .default("\"closed\""),
    key(
        "post",
        "Schema keywords that are shown as badges on every parameter.",
        Shape::List(&POST),
    )
    .example("[\"x-unit\"]"),
]]);

static PLAYGROUND: Object = object(&[&[
    key(
        "display",
        "Mode: a form, a read-only form, no playground, or a form for signed-in readers, who are not supported yet.",
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
        "Parameters that examples contain.",
        Enum(variants::<ExampleDefaults>),
    )
    .default("\"all\""),
    key(
        "prefill",
        "Whether the fields of the form start with the example values.",
        Boolean,
    )
    .default("false"),
    key(
        "autogenerate",
        "Whether examples are generated if the document has none.",
        Boolean,
    )
    .default("true"),
]]);

static SERVERS: List = list(Pattern(&patterns::WEB_URL));

static MDX: Object = object(&[&[
    key("auth", "Authorization of requests.", Shape::Object(&AUTH)),
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
