//! The page frame: one module per part, each with its template, style sheet and script.

mod banner;
mod breadcrumbs;
mod contextual;
mod directory;
mod footer;
mod head;
mod navbar;
mod outdated;
mod page;
mod pager;
mod related;
mod search;
mod shell;
mod sidebar;
mod switcher;
mod timestamp;
mod toc;
mod view;

pub(crate) use page::Page;
pub(crate) use search::scripts as search_scripts;
pub use search::{SearchPage, SearchPageResult, search_page};
pub(crate) use shell::document;
pub use shell::scripts::inline_scripts;
pub use switcher::start_script;
pub use view::last_modified;
pub(crate) use view::{View, color_mode, external_mark};

/// Style sheets of the parts, in the order of the page.
pub(crate) const CSS: &[&str] = &[
    include_str!("shell/shell.css"),
    include_str!("banner/banner.css"),
    include_str!("navbar/navbar.css"),
    include_str!("sidebar/sidebar.css"),
    include_str!("popup/popup.css"),
    include_str!("switcher/switcher.css"),
    include_str!("breadcrumbs/breadcrumbs.css"),
    include_str!("contextual/contextual.css"),
    include_str!("outdated/outdated.css"),
    include_str!("directory/directory.css"),
    include_str!("related/related.css"),
    include_str!("toc/toc.css"),
    include_str!("timestamp/timestamp.css"),
    include_str!("pager/pager.css"),
    include_str!("footer/footer.css"),
    include_str!("search/search.css"),
    include_str!("shell/side.css"),
    include_str!("shell/missing.css"),
    include_str!("shell/sign_in.css"),
    include_str!("shell/modes.css"),
];

/// Scripts of the parts; each one finds its own elements.
pub(crate) const JS: &[&str] = &[
    include_str!("theme_toggle/theme_toggle.js"),
    include_str!("navbar/navbar.js"),
    include_str!("popup/popup.js"),
    include_str!("switcher/switcher.js"),
    include_str!("sidebar/sidebar.js"),
    include_str!("contextual/contextual.js"),
    include_str!("prefetch/prefetch.js"),
    include_str!("shell/print.js"),
    include_str!("shell/jump.js"),
    include_str!("shell/missing.js"),
    include_str!("banner/banner.js"),
    include_str!("timestamp/timestamp.js"),
    include_str!("reader/reader.js"),
    include_str!("toc/toc.js"),
    include_str!("search/opener.js"),
];

/// The script of the live preview: it reloads changed pages and shows diagnostics.
pub(crate) const PREVIEW_JS: &str = include_str!("preview/preview.js");

/// The script of previews that marks what differs on a page, and its style sheet.
pub(crate) const CHANGE_MARKS_JS: &str = include_str!("change_marks/change_marks.js");
pub(crate) const CHANGE_MARKS_CSS: &str = include_str!("change_marks/change_marks.css");

/// The script that runs before the first paint.
pub(crate) const EARLY_JS: &str = concat!(
    include_str!("theme_toggle/theme.js"),
    include_str!("sidebar/place.js")
);
