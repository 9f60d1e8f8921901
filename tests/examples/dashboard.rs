//! Serves the dashboard over a store in memory for manual inspection: `cargo run -p svc-tests
//! --example dashboard`.
#![expect(clippy::print_stdout, reason = "the URL is printed")]

use std::error::Error;

use svc_tests::dashboard::{ACCOUNT, serve};

fn main() -> Result<(), Box<dyn Error>> {
    let server = serve(8082)?;
    let (name, password) = ACCOUNT;
    println!("{} ({name}, {password})", server.url("/"));
    loop {
        std::thread::park();
    }
}
