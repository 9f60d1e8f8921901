//! The keys of elements and of the root.

use super::{
    links,
    listing::{AnyListing, Listing},
    reference::VersionRef,
    types::{Element, PageRef},
};
use crate::{
    Banner, Footer, Icon, McpRef, ModeColors, Navbar, OpenApiRef,
    codes::TYPE_IGNORED,
    decode::{Cx, NodeRef},
    icons::AnyIcon,
    keys::{
        ValueKind as _, key, keys,
        kinds::{NonEmpty, Public, Text},
        shape::Shape,
        shape_of, value_kind,
    },
    link::ElementLink,
    string_enum::string_enum,
};

keys! {
    pub(super) struct RootKeys {
        /// How the root page of a group lists the pages of the group.
        directory: Option<Listing> = key::<AnyListing>("directory").default("\"none\"")
            .rule("All elements below inherit it."),
        /// OpenAPI documents of all elements.
        openapi: Option<OpenApiRef> = key::<Documents>("openapi")
            .rule("Elements below inherit them unless they have their own."),
        /// Links that all pages show.
        global: Vec<Element> = key::<GlobalLinks>("global").or_default(),
    }
    unsupported { "asyncapi": "AsyncAPI documents." }
}

keys! {
    /// Keys of every element.
    #[derive(Default)]
    pub(super) struct CommonKeys {
        /// Icon.
        icon: Option<Icon> = key::<AnyIcon>("icon"),
        /// Badge beside the name.
        tag: Option<String> = key::<Text>("tag")
            .field(|tag| Some(tag.filter(|tag| !tag.trim().is_empty()))),
        /// Whether it is left out of menus; its pages are still available at their URLs.
        hidden: Option<bool> = key::<bool>("hidden").default("false"),
        /// Whether the pages of a hidden element can be found by search.
        searchable: Option<bool> = key::<bool>("searchable").default("false"),
        /// Whether the pages below are public; the nearest element takes precedence. With `false`
        /// they are not served, unless the operator allows it.
        public: Option<bool> = key::<Public>("public"),
        /// Weight in search; the nearest element takes precedence.
        boost: Option<f64> = key::<f64>("boost").default("1"),
    }
}

keys! {
    /// Keys of every element that are part of its content.
    pub(super) struct ContentKeys {
        /// How the root page of a group lists the pages of the group.
        directory: Option<Listing> = key::<AnyListing>("directory").default("inherited")
            .rule("Beside `openapi` or `mcp` any other text is the folder of the generated pages."),
        /// OpenAPI documents of the pages below.
        openapi: Option<OpenApiRef> = key::<Documents>("openapi").default("inherited")
            .rule("Without pages of its own, an element shows all operations of its documents."),
        /// File with the tools of an MCP server: its response to `tools/list`.
        mcp: Option<McpRef> = key::<McpRef>("mcp").default("inherited")
            .rule("Without pages of its own, an element shows all tools; `pages` can contain their names."),
    }
}

keys! {
    pub(super) struct VersionKeys {
        /// Version of the endpoint pages below.
        version: Option<String> = key::<NonEmpty>("version"),
    }
}

keys! {
    /// Additional keys of every element except groups.
    pub(super) struct DivisionKeys {
        /// One line below the name.
        description: Option<String> = key::<Text>("description"),
        /// Colour.
        color: Option<ModeColors> = key::<ModeColors>("color"),
    }
}

keys! {
    /// Additional keys of every element except groups that are part of its content.
    pub(super) struct DivisionContentKeys {
        /// Target, for an element that is a link.
        href: Option<String> = key::<ElementLink>("href").rule("Content beside it is ignored."),
        /// Links that all pages below show.
        global: Vec<Element> = key::<GlobalLinks>("global").or_default(),
    }
}

keys! {
    pub(super) struct GroupKeys {
        /// Page that a click on the title opens.
        root: Option<PageRef> = key::<PageRef>("root"),
        /// Whether a nested group is initially expanded.
        expanded: Option<bool> = key::<bool>("expanded").default("false")
            .rule("Groups of the first level are always expanded."),
    }
}

keys! {
    pub(super) struct TabKeys {
        /// Side of the row on which it is shown.
        align_end: bool = key::<Align>("align").or(|| Align::Start)
            .field(|align| align.map(|align| align == Align::End)),
    }
}

keys! {
    pub(super) struct ProductKeys {
        /// Name that is shown instead of it.
        name: Option<String> = key::<NonEmpty>("name"),
    }
}

keys! {
    /// Additional keys of versions and languages.
    pub(super) struct ChoiceKeys {
        /// Whether it is the default.
        default: bool = key::<bool>("default").or(|| false).default("the first entry"),
    }
}

keys! {
    pub(super) struct ReferenceKeys {
        /// Branch, tag or commit of the same repository that the files of the version come from:
        /// pages, images, snippets, OpenAPI documents and the `navigation` of its `docs.json`.
        reference: Option<VersionRef> = key::<VersionRef>("ref")
            .rule("Only in `navigation.versions`, and without pages beside it. The pages are below the name of the version: `/v1/guide`."),
    }
}

keys! {
    pub(super) struct LanguageKeys {
        /// Banner of this language.
        banner: Option<Banner> = key::<Banner>("banner").default("the banner of the site"),
        /// Footer of this language.
        footer: Option<Footer> = key::<Footer>("footer").default("the footer of the site"),
        /// Header of this language.
        navbar: Option<Navbar> = key::<Navbar>("navbar").default("the header of the site"),
    }
}

string_enum!(private Align {
    Start = "start",
    End = "end",
});

value_kind!(
    /// The documents of an element or of the root; a scalar is ignored with a warning.
    Documents -> OpenApiRef = Shape::Any(vec![
        shape_of::<OpenApiRef>(),
        Shape::Deprecated(
            Box::new(Shape::Scalar),
            "Write the path or URL of an OpenAPI document.",
        ),
    ]), documents,
    definition ("documents", "", "")
);
value_kind!(GlobalLinks -> Vec<Element> = links::global_links(), Element::global_links);

fn documents(cx: &mut Cx, at: &NodeRef<'_>) -> Option<OpenApiRef> {
    if at.is_string() || at.is_array() || at.is_object() || cx.is_failed(at) {
        return OpenApiRef::decode(cx, at);
    }
    let message = format!(
        "{} must be a string, an array or an object, not {}",
        at.name(),
        at.tree.kind()
    );
    let hint = "write the path or URL of an OpenAPI document";
    cx.report(&TYPE_IGNORED, at, message, hint);
    None
}
