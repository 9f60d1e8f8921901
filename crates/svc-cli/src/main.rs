//! `svc`, the program; see [`svc_cli`].

fn main() -> std::process::ExitCode {
    svc_cli::main()
}
