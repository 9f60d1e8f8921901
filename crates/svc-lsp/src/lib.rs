//! A language server for documentation repositories, over the Language Server Protocol 3.17.
//!
//! [`run`] serves one client, which is an editor. Documents that the editor has opened replace the
//! files on disk; after an edit the site is updated with [`svc_site::update`], which recomputes only
//! what the edit can change. Messages are handled in order on the calling thread. Diagnostics are
//! computed when no message is waiting, so that quick edits cause one computation.
//!
//! The input is not trusted: a message that is malformed, too large or out of range gets an error
//! response, and a panic while a message is handled ends neither the session nor its state.
//!
//! ```no_run
//! use svc_lsp::{Options, run};
//! use svc_site::LoadOptions;
//!
//! let options = Options { version: "1".to_owned(), load: Box::new(|_| LoadOptions::default()) };
//! let input = std::io::BufReader::new(std::io::stdin());
//! let was_shut_down = run(input, &mut std::io::stdout(), options)?;
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Modules
//!
//! | module | content |
//! |---|---|
//! | `transport`, `session` | framing of messages; the loop, the order of messages and cancellation |
//! | `dispatch`, `capabilities`, `client` | methods; what the server offers; what the client supports |
//! | `workspace`, `project`, `document` | all sites; a site with its open documents; an open document |
//! | `publish`, `convert`, `edits` | diagnostics that the client shows; values of the protocol; changes of texts |
//! | `view`, `cursor` | a document with the site around it; what is at a position |
//! | `role`, `schema` | what a text refers to; declared keys of `docs.json` |
//! | `complete`, `features` | completion; hover, definitions, references, symbols, links, actions and renames |
//! | `position`, `uri` | positions as byte offsets, URIs as paths |

mod capabilities;
mod client;
mod complete;
mod convert;
mod cursor;
mod dispatch;
mod document;
mod edits;
mod features;
mod position;
mod project;
mod publish;
mod role;
mod schema;
mod session;
mod transport;
mod uri;
mod view;
mod workspace;

pub use session::{Options, run};
