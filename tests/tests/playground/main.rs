//! The playground, driven by a browser against an API that tells what it was asked.

mod dialog;
mod fields;
mod play;
mod responses;
mod security;
