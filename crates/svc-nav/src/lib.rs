//! Navigation, page index and API catalogue to the site map.
//!
//! [`resolve`] computes every address of a site: pages of the navigation, generated endpoint
//! pages, and pages that no menu names. Titles come from front matter and operations, never from
//! rendering, so the whole map is known before the first page is drawn.
//!
//! ```
//! # use svc_diagnostics::{SourceFile, Span};
//! # let file = SourceFile::new("docs.json",
//! #   r##"{"theme": "svc", "name": "A", "colors": {"primary": "#000000"}, "navigation": {"pages": ["a"]}}"##);
//! # let Some(config) = svc_config::parse(&file, &|_| None).value else { return };
//! let tree = svc_source::SourceTree::from_files([("a.mdx", "# A")]);
//! let pages = svc_source::pages(&tree).value;
//! let map = svc_nav::resolve(&config, &pages, &svc_openapi::ApiCatalog::default()).value;
//! assert_eq!(map.first_page(), Some("/a"));
//! ```

mod codes;
mod json;
mod node;
mod redirects;
mod resolve;
mod route;
mod site_map;
mod visible;

pub use codes::CODES;
pub use node::{Crumb, Division, DivisionLevel, GlobalLink, NavEntry, NavNode, NodeKind};
pub use redirects::Redirects;
pub use resolve::resolve;
pub use route::{Discovery, OperationRef, Route, RouteBody};
pub use site_map::SiteMap;
pub use visible::{Audience, visible};
