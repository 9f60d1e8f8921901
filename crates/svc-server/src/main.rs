//! `svc-server`, the program; see [`svc_server::program`].

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    svc_server::program::main()
}
