//! `svc-server`, the program; see [`svc_server::program`].

fn main() -> std::process::ExitCode {
    svc_server::program::main()
}
