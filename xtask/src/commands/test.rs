//! `cargo xtask test`: all steps of `ci`, in order.

/// Runs all steps.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    if !arguments.is_empty() {
        return Err("takes no arguments; single steps run with `cargo xtask ci STEP…`".to_owned());
    }
    super::ci::run(&[])
}
