//! Limits of a formula, checked before the engine parses it.
//!
//! The engine recurses once per group, environment and pair of delimiters, and at most once per
//! command. One level takes less than 10 kB of stack (measured for every kind of nesting that KaTeX
//! supports; 5 to 10 kB for the worst). The number of groups is limited; the number of commands
//! determines the stack size. Commands that a formula defines can multiply both, so the number of
//! expansions is limited.

use super::error::FormulaError;

/// Maximum size of a formula in bytes.
pub(super) const MAX_SOURCE_BYTES: usize = 16_000;
/// Maximum nesting depth of groups, environments and delimiters.
pub(super) const MAX_DEPTH: usize = 100;
/// Maximum number of commands in a formula.
pub(super) const MAX_COMMANDS: usize = 4_000;
/// Maximum size in bytes of a formula that defines commands.
pub(super) const MAX_DEFINING_SOURCE: usize = 2_000;
/// Maximum number of levels from all expansions of a formula's own commands.
const MAX_LEVELS: usize = 8_000;
/// Maximum number of expansions for a formula that defines no commands; built-in macros do not nest
/// by themselves.
const MAX_EXPANSIONS: usize = 1_000;
/// Stack for one level in bytes, twice the measured maximum.
const LEVEL_STACK: usize = 20 * 1024;
/// Stack for everything else in bytes.
const BASE_STACK: usize = 1024 * 1024;

/// Limits for one formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FormulaLimits {
    /// Stack size in bytes.
    pub(super) stack: usize,
    /// Maximum number of macro expansions.
    pub(super) expansions: usize,
}

/// Checks the size of a formula and computes its limits.
pub(super) fn measure(source: &str) -> Result<FormulaLimits, FormulaError> {
    if source.len() > MAX_SOURCE_BYTES {
        return Err(FormulaError::new(
            "the source exceeds the limit of 16,000 bytes",
        ));
    }
    let mut depth = 0_usize;
    let mut deepest = 0_usize;
    let mut commands = 0_usize;
    let mut defines = false;
    let mut rest = source;
    while let Some(at) = rest.find(['{', '}', '\\', '$', '%']) {
        let tail = rest.get(at..).unwrap_or("");
        let mut taken = 1;
        match tail.as_bytes().first() {
            Some(b'{') => depth += 1,
            Some(b'}') => depth = depth.saturating_sub(1),
            // `$` switches to math inside of text, and the engine recurses over comment lines.
            // Counting all of them is a safe upper bound.
            Some(b'$' | b'%') => commands += 1,
            _ => {
                let name = command(tail);
                taken = name.len();
                match name {
                    "\\begin" | "\\left" => depth += 1,
                    "\\end" | "\\right" => depth = depth.saturating_sub(1),
                    "\\{" | "\\}" | "\\$" | "\\\\" => {}
                    _ => {
                        commands += 1;
                        defines |= DEFINING.contains(&name);
                    }
                }
            }
        }
        deepest = deepest.max(depth);
        rest = tail.get(taken..).unwrap_or("");
    }
    if deepest > MAX_DEPTH {
        return Err(FormulaError::new("groups exceed the nesting limit of 100"));
    }
    if commands > MAX_COMMANDS {
        return Err(FormulaError::new(
            "the number of commands exceeds the limit of 4,000",
        ));
    }
    let own = deepest + commands;
    if !defines {
        return Ok(FormulaLimits {
            stack: BASE_STACK + own * LEVEL_STACK,
            expansions: MAX_EXPANSIONS,
        });
    }
    if source.len() > MAX_DEFINING_SOURCE {
        return Err(FormulaError::new(
            "formulas that define commands must have at most 2,000 bytes",
        ));
    }
    let expansions = (MAX_LEVELS / own.max(1)).min(MAX_EXPANSIONS);
    Ok(FormulaLimits {
        stack: BASE_STACK + (own + own * expansions) * LEVEL_STACK,
        expansions,
    })
}

/// The name of the command at the beginning of `text`: letters, or one character.
fn command(text: &str) -> &str {
    let after = text.get(1..).unwrap_or("");
    let letters = after
        .find(|c: char| !(c.is_ascii_alphabetic() || c == '@'))
        .unwrap_or(after.len());
    let length = if letters > 0 {
        letters
    } else {
        after.chars().next().map_or(0, char::len_utf8)
    };
    text.get(..=length).unwrap_or(text)
}

/// Commands that define commands.
const DEFINING: &[&str] = &[
    "\\def",
    "\\edef",
    "\\gdef",
    "\\xdef",
    "\\let",
    "\\futurelet",
    "\\global",
    "\\long",
    "\\newcommand",
    "\\renewcommand",
    "\\providecommand",
    "\\DeclareMathOperator",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_braces_are_not_groups() {
        let plain = measure("\\{\\{\\{ x \\}\\}\\}").expect("within limits");
        assert_eq!(plain, measure("x").expect("within limits"));
    }

    #[test]
    fn formulas_above_the_limits_are_rejected() {
        for source in [
            "x".repeat(MAX_SOURCE_BYTES + 1),
            "{".repeat(MAX_DEPTH + 1),
            "\\begin".repeat(MAX_DEPTH + 1),
            "\\left(".repeat(MAX_DEPTH + 1),
            "\\a".repeat(MAX_COMMANDS + 1),
            format!("\\def\\a{{b}}{}", "x".repeat(MAX_DEFINING_SOURCE)),
        ] {
            assert!(measure(&source).is_err(), "{source:.20}");
        }
    }

    #[test]
    fn larger_definitions_allow_fewer_expansions() {
        let small = measure("\\def\\R{\\mathbb{R}} \\R").expect("within limits");
        let large =
            measure(&format!("\\def\\a{{x}} {}", "\\a ".repeat(200))).expect("within limits");
        assert!(large.expansions < small.expansions);
        assert!(small.stack.max(large.stack) < 256 << 20);
    }
}
