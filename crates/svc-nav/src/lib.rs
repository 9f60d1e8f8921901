//! Combines navigation, page index and API catalog into the site map.
//!
//! [`resolve`] computes all routes of a site: pages of the navigation, generated endpoint pages,
//! and pages outside of the navigation. Titles come from front matter and operations, never from
//! rendering, so the map is complete before the first page is rendered.
//!
//! The input is plain data: the configuration from `svc-config`, the front matter of all pages from
//! `svc-source`, and the documents from `svc-openapi`. No files are read. The result is a
//! [`SiteMap`] for rendering and serving: every [`Route`] with its title, position, neighbors and
//! flags, its sidebar, breadcrumbs and switchers, and the redirects. An invalid entry is dropped
//! and reported; the map is always usable.
//!
//! ```
//! # use svc_nav::SourceFile;
//! let docs = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#000000"},
//!     "navigation": {"versions": [
//!         {"version": "v2", "groups": [{"group": "Start", "root": "v2/hello", "pages": ["v2/setup"]}]},
//!         {"version": "v1", "pages": ["v1/setup", "v1/gone"]}]},
//!     "redirects": [{"source": "/latest/*", "destination": "/v2/*"}]}"##;
//! let tree = svc_source::SourceTree::from_files([
//!     ("v2/hello.mdx", "---\ntitle: Hello\n---"),
//!     ("v2/setup.mdx", "---\ntitle: Set it up\nsidebarTitle: Setup\n---"),
//!     ("v1/setup.mdx", ""),
//! ]);
//! let config = svc_config::parse(&SourceFile::new("docs.json", docs), &|_| None).value;
//! let config = config.ok_or("it is an object")?;
//! let pages = svc_source::pages(&tree).value;
//! let resolved = svc_nav::resolve(&config, &pages, &svc_openapi::ApiCatalog::default());
//!
//! let problem = resolved.diagnostics.first().ok_or("a page is missing")?;
//! assert_eq!((problem.code.id, problem.location_string()), ("nav-missing-page", "docs.json:4:49".to_owned()));
//!
//! let map = resolved.value;
//! assert_eq!(map.first_page(), Some("/v2/hello"));
//! let setup = map.route("/v2/setup").ok_or("it is listed")?;
//! assert_eq!((setup.title.as_str(), setup.short_title()), ("Set it up", "Setup"));
//! assert_eq!(setup.previous, map.routes.get_index_of("/v2/hello"));
//! assert_eq!(map.breadcrumbs("/v2/setup")[0].name, "Start");
//! let versions = map.divisions("/v2/setup");
//! assert_eq!(versions[0].items[1].href.as_deref(), Some("/v1/setup"));
//! assert_eq!(map.redirect("/latest/setup"), Some(("/v2/setup".to_owned(), 308)));
//! # Ok::<(), &str>(())
//! ```
#![deny(missing_docs)]

mod chrome;
mod codes;
mod fix;
mod json;
mod node;
mod redirects;
mod resolve;
mod route;
mod site_map;
mod switch;

pub use chrome::PageChrome;
pub use codes::{CODES, PROTECTED_ID};
pub use node::{Crumb, Division, DivisionLevel, GlobalLink, NavEntry, NavNode, NodeKind};
pub use redirects::{PatternSegment, RedirectPattern, Redirects};
pub use resolve::{Audience, WithheldPages, resolve, resolve_for};
pub use route::{OperationRef, Route, RouteBody, Visibility};
pub use site_map::SiteMap;
pub use svc_diagnostics::{Checked, Diagnostic, Severity, SourceFile, Span};
