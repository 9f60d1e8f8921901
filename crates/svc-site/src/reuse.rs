//! Comparison of the route fields that determine an article.

use svc_nav::Route;

/// Whether two routes have the same article as far as their fields determine it. Positions in the
/// navigation and visibility do not matter.
pub(crate) fn same_article(one: &Route, other: &Route) -> bool {
    // Destructures all fields, so that adding a field requires a decision here.
    let Route {
        path,
        slug,
        body,
        operation,
        title,
        sidebar_title: _,
        description,
        icon,
        tag,
        deprecated,
        method,
        openapi,
        trail: _,
        node: _,
        nodes: _,
        root_of: _,
        in_navigation: _,
        hidden: _,
        noindex: _,
        visibility: _,
        public,
        groups,
        protected,
        previous: _,
        next: _,
        version,
        language,
        boost: _,
        directory: _,
        url,
        metadata,
    } = one;
    *path == other.path
        && *slug == other.slug
        && *body == other.body
        && *operation == other.operation
        && *title == other.title
        && *description == other.description
        && *icon == other.icon
        && *tag == other.tag
        && *deprecated == other.deprecated
        && *method == other.method
        && *openapi == other.openapi
        && *public == other.public
        && *groups == other.groups
        && *protected == other.protected
        && *version == other.version
        && *language == other.language
        && *url == other.url
        && *metadata == other.metadata
}
