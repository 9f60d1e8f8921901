//! Selectors for the style sheets and scripts of a repository. They are those of Mintlify, so that
//! the style sheets of existing sites keep working.

/// A selector that is stable across versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StyleHook {
    /// A selector for one element: type, id, classes and attributes.
    pub selector: &'static str,
    /// The selected element.
    pub description: &'static str,
}

const fn hook(selector: &'static str, description: &'static str) -> StyleHook {
    StyleHook {
        selector,
        description,
    }
}

/// All stable selectors, in the order of the page. The guide "Custom styles" lists them too.
pub const STYLE_HOOKS: &[StyleHook] = &[
    hook("html[data-current-path]", "The page, by its path"),
    hook("#body-content", "The body of the page"),
    hook("#banner", "The announcement above the header"),
    hook("#navbar", "The header"),
    hook(".nav-logo", "The logo"),
    hook("#search-bar-entry", "The search button of the header"),
    hook(
        "#search-bar-entry-mobile",
        "The search button of the drawer",
    ),
    hook("#search-input", "The field of the search dialog"),
    hook(".topbar-right-container", "The links of the header"),
    hook("li.navbar-link", "A link of the header; contains an `a`"),
    hook(
        "#topbar-cta-button",
        "The button of the header; contains an `a`",
    ),
    hook(
        "[data-component-name=\"theme-toggle\"]",
        "The color mode toggle",
    ),
    hook("#mobile-nav", "The button that opens the drawer"),
    hook(".nav-tabs", "The row of tabs"),
    hook(".nav-tabs-item", "A tab"),
    hook(".nav-tabs-item[data-active]", "The active tab"),
    hook(".nav-tag-pill", "A tag next to a name in the navigation"),
    hook(
        ".nav-dropdown-trigger",
        "The button that opens a menu of versions or dropdowns",
    ),
    hook(".nav-dropdown-content", "Such a menu, also that of a tab"),
    hook(".nav-dropdown-item", "An entry of the menu"),
    hook(".nav-dropdown-item[data-active]", "The active entry"),
    hook(".nav-dropdown-item-icon", "The icon of an entry"),
    hook(".nav-dropdown-item-title", "The title of an entry"),
    hook(
        ".nav-dropdown-item-description",
        "The description of an entry",
    ),
    hook(
        ".nav-dropdown-products-selector-trigger",
        "The button that opens the menu of products",
    ),
    hook(
        ".nav-dropdown-products-selector-content",
        "The menu of products",
    ),
    hook(
        ".nav-dropdown-products-selector-item",
        "An entry of the menu of products",
    ),
    hook(
        ".nav-dropdown-products-selector-item-icon",
        "The icon of the entry",
    ),
    hook(
        ".nav-dropdown-products-selector-item-title",
        "The title of the entry",
    ),
    hook(
        ".nav-dropdown-products-selector-item-description",
        "The description of the entry",
    ),
    hook(
        ".localization-select-trigger",
        "The button that opens the menu of languages",
    ),
    hook(".localization-select-content", "The menu of languages"),
    hook(
        ".localization-select-item",
        "An entry of the menu of languages",
    ),
    hook("#sidebar", "The sidebar; the drawer in small windows"),
    hook(
        "#sidebar-content",
        "Menus, anchors and pages in the sidebar",
    ),
    hook(".nav-anchors", "The list of anchors"),
    hook(".nav-anchor", "An anchor"),
    hook("#navigation-items", "The list of pages"),
    hook(".sidebar-group", "A group of pages"),
    hook(".sidebar-group-header", "The header of a group"),
    hook(".sidebar-title", "The title of a group"),
    hook("li[data-active]", "The active entry"),
    hook(
        ".method-nav-pill",
        "The method of an endpoint in the sidebar",
    ),
    hook("#content-container", "Sidebar, text and table of contents"),
    hook("#content-area", "The column of the text"),
    hook("#header", "Title and description of the page"),
    hook(".eyebrow", "The section above the title"),
    hook(".breadcrumb-list", "The breadcrumbs above the title"),
    hook(".breadcrumb-item", "A breadcrumb"),
    hook("#page-title", "The title"),
    hook("#page-context-menu", "The page menu"),
    hook(
        "#page-context-menu-button",
        "The button that opens the page menu",
    ),
    hook("#content", "The text"),
    hook(".mdx-content", "The text"),
    hook(".link", "`Link`"),
    hook("#pagination", "The links below the text"),
    hook(".pagination-prev", "The link to the previous page"),
    hook(".pagination-next", "The link to the next page"),
    hook(".pagination-title", "The title in such a link"),
    hook("#footer", "The footer"),
    hook(".advanced-footer", "A footer with columns of links"),
    hook(
        "#content-side-layout",
        "The column next to the text: table of contents or examples",
    ),
    hook(
        "#table-of-contents-layout",
        "The table of contents without the page menu",
    ),
    hook("#table-of-contents", "The table of contents"),
    hook("#table-of-contents-content", "The list of headings"),
    hook(".toc", "The table of contents"),
    hook(".toc-item", "A heading; the current one has `data-active`"),
    hook(".accordion", "`Accordion`"),
    hook(".accordion-group", "`AccordionGroup`"),
    hook("[data-badge]", "`Badge`"),
    hook(".callout", "`Note`, `Warning` and the other callouts"),
    hook(".card", "`Card`"),
    hook(".card-group", "`CardGroup`"),
    hook(".columns", "`Columns`"),
    hook(".code-block", "A code block"),
    hook(".code-block-icon", "The icon of a code block"),
    hook(".code-block-copy-button", "The copy button of a code block"),
    hook(".code-group", "`CodeGroup`"),
    hook(".color", "`Color`"),
    hook(".color-row", "`Color.Row`"),
    hook(".color-item", "`Color.Item`"),
    hook(".expandable", "`Expandable`"),
    hook(
        ".field",
        "`ParamField`, `ResponseField` and the fields of endpoints",
    ),
    hook(".frame", "`Frame`"),
    hook(".icon", "An icon"),
    hook(".mermaid", "A diagram"),
    hook("#multi-view-dropdown", "The selector of a page's views"),
    hook(".multi-view-item", "An option of the view selector"),
    hook(".panel", "`Panel`"),
    hook("#panel", "The first `Panel` of the page"),
    hook(".prompt", "`Prompt`"),
    hook("#request-example", "`RequestExample`"),
    hook("#response-example", "`ResponseExample`"),
    hook(".steps", "`Steps`"),
    hook(".step", "`Step`"),
    hook(".tabs", "`Tabs`"),
    hook(".tab-icon", "The icon of a `Tab`"),
    hook(".tile", "`Tile`"),
    hook(".tooltip", "`Tooltip`"),
    hook(".tree", "`Tree`"),
    hook(".tree-folder", "`Tree.Folder`"),
    hook(".tree-file", "`Tree.File`"),
    hook(".update", "`Update`"),
    hook("#changelog-filters", "The tag filter of a changelog"),
    hook(
        "#changelog-filters-content",
        "The buttons of the tag filter",
    ),
    hook(
        "[data-as=\"p\"]",
        "A paragraph, on sites whose style sheets name `data-as`",
    ),
    hook(
        ".directory",
        "The pages of a section, listed on its first page",
    ),
    hook(".directory-page", "A page in the list"),
    hook(".directory-group", "A group in the list"),
    hook(".directory-card", "A page in a list of cards"),
    hook(".method-pill", "The method of an endpoint"),
    hook(".tryit-button", "The button that opens the playground"),
    hook(
        ".api-section-heading",
        "The heading of a section of an endpoint page",
    ),
    hook(
        ".not-found-status-code",
        "The status code on the page for missing paths",
    ),
    hook(".not-found-description", "The text of that page"),
    hook(
        ".not-found-recommended-pages-list",
        "The list of suggested pages",
    ),
    hook(".not-found-recommended-page-link", "A suggested page"),
];
