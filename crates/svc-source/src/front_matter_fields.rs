//! The declared fields of front matter.

/// A field of front matter that has an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrontMatterField {
    /// Name, such as `sidebarTitle`.
    pub name: &'static str,
    /// Type of the value, as text: "true or false".
    pub kind: &'static str,
    /// The allowed or usual values; empty for any value of the type.
    pub values: &'static [&'static str],
    /// Description, in Markdown.
    pub description: &'static str,
}

const fn field(
    name: &'static str,
    kind: &'static str,
    values: &'static [&'static str],
    description: &'static str,
) -> FrontMatterField {
    FrontMatterField {
        name,
        kind,
        values,
        description,
    }
}

const FLAG: &str = "true or false";
const FLAG_VALUES: &[&str] = &["true", "false"];

/// All fields of front matter that have an effect. The reader suggests these names, and editors
/// complete them.
pub static FRONT_MATTER_FIELDS: &[FrontMatterField] = &[
    field(
        "title",
        "text",
        &[],
        "Heading of the page, title of the browser tab and name in the navigation. Default: made from the last part of the path.",
    ),
    field(
        "sidebarTitle",
        "text",
        &[],
        "A shorter name for the navigation.",
    ),
    field(
        "description",
        "text",
        &[],
        "Line below the heading; description for search engines and `llms.txt`.",
    ),
    field(
        "icon",
        "name, path or URL",
        &[],
        "Icon next to the navigation entry.",
    ),
    field(
        "iconType",
        "text",
        &["solid", "regular", "brands"],
        "Style of a Font Awesome icon, such as `solid` or `regular`.",
    ),
    field(
        "tag",
        "text",
        &[],
        "Small label next to the navigation entry.",
    ),
    field(
        "mode",
        "text",
        &["default", "wide", "custom", "frame", "center"],
        "Layout: `wide` has no table of contents; `center` has neither sidebar nor table of contents; `frame` keeps the sidebar around a page of your own; `custom` keeps only the header.",
    ),
    field(
        "hidden",
        FLAG,
        FLAG_VALUES,
        "`true` removes the page from the navigation, search, the sitemap and `llms.txt`; its URL still works. `false` includes the page in search even if it is not in the navigation.",
    ),
    field(
        "noindex",
        FLAG,
        FLAG_VALUES,
        "Keeps the page in the navigation, but removes it from search, the sitemap and the files for machines.",
    ),
    field(
        "searchable",
        FLAG,
        FLAG_VALUES,
        "`false` removes the page from the search of the site.",
    ),
    field("boost", "number", &[], "Weight in search: 2 doubles it."),
    field(
        "deprecated",
        FLAG,
        FLAG_VALUES,
        "Shows a label next to the title and in the navigation.",
    ),
    field(
        "url",
        "URL",
        &[],
        "Makes the navigation entry link to this URL.",
    ),
    field(
        "openapi",
        "text",
        &[],
        "Operation or webhook that the page documents: `GET /users`, `api/users.yaml GET /users` or `webhook orderPlaced`.",
    ),
    field(
        "openapi-schema",
        "text",
        &[],
        "Schema of `components.schemas` that the page documents: `User`, or `api/users.yaml User`.",
    ),
    field(
        "api",
        "text",
        &[],
        "Endpoint that is documented by hand, with `ParamField` and `ResponseField`: `POST /users`, or `POST https://api.example.com/users`.",
    ),
    field(
        "version",
        "text",
        &[],
        "Version label of the page. Default: that of the nearest anchor, tab, group or version.",
    ),
    field(
        "groups",
        "list of texts",
        &[],
        "Requires readers who belong to one of these groups.",
    ),
    field(
        "public",
        FLAG,
        FLAG_VALUES,
        "`false` requires readers who are signed in.",
    ),
    field(
        "isPublic",
        FLAG,
        FLAG_VALUES,
        "Another spelling of `public`.",
    ),
    field(
        "keywords",
        "list of texts",
        &[],
        "Additional search terms for the page, and the `keywords` meta tag.",
    ),
    field(
        "timestamp",
        FLAG,
        FLAG_VALUES,
        "Shows or hides the date of the last change, regardless of the setting of the site.",
    ),
    field(
        "canonical",
        "URL",
        &[],
        "Canonical URL. Default: the URL of the page.",
    ),
    field("robots", "text", &[], "Content of the `robots` meta tag."),
    field(
        "hideFooterPagination",
        FLAG,
        FLAG_VALUES,
        "Hides the links to the previous and the next page.",
    ),
    field(
        "hideApiMarker",
        FLAG,
        FLAG_VALUES,
        "Hides the method next to the navigation entry.",
    ),
    field(
        "rss",
        FLAG,
        FLAG_VALUES,
        "Shows a feed button on a page with `Update` components.",
    ),
    field(
        "playground",
        "text",
        &["interactive", "simple", "none", "auth"],
        "Display of the playground on this page.",
    ),
    field(
        "related",
        "false, or a list",
        &[],
        "Pages listed under \"Related\": paths, URLs, or `Title: link`.",
    ),
    field(
        "auth",
        "text",
        &[],
        "Name of the authentication field of an endpoint that is documented by hand.",
    ),
    field(
        "authMethod",
        "text",
        &["bearer", "basic", "key", "none"],
        "Authentication method of an endpoint that is documented by hand.",
    ),
    field(
        "contentType",
        "media type",
        &[],
        "Media type of the request body of an endpoint that is documented by hand.",
    ),
    field(
        "lastUpdatedDate",
        "date",
        &[],
        "Replaces the date from Git.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mode;

    #[test]
    fn modes_are_those_that_the_reader_accepts() {
        let mode = FRONT_MATTER_FIELDS
            .iter()
            .find(|field| field.name == "mode");
        let names = Mode::ALL.map(|(name, _)| name);
        assert_eq!(mode.map(|mode| mode.values), Some(&names[..]));
    }
}
