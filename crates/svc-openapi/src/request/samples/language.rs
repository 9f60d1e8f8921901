//! Programming languages of code samples.

use crate::request::json::LITERALS;

/// Syntax of a single-line string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShortLiteral {
    /// Double quotes, `\n`, `\u001f`.
    Double,
    /// Like `Double`, and `\$`.
    DoubleDollar,
    /// Double quotes, `\u{1f}`.
    DoubleBraces,
    /// Double quotes, `\037`.
    DoubleOctal,
    /// Single quotes; only `\` and `'` are escaped.
    Single,
    /// Single quotes of a POSIX shell.
    Shell,
    /// Single quotes, doubled inside.
    Doubled,
}

/// Syntax of a multi-line string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LongLiteral {
    /// Between delimiters, unless the text contains one of `never` or ends with `end`.
    Between {
        /// Opening delimiter.
        open: &'static str,
        /// Closing delimiter.
        close: &'static str,
        /// Texts that the string must not contain.
        never: &'static [&'static str],
        /// Text that the string must not end with.
        end: &'static str,
    },
    /// A single-line string for each line.
    Pieces,
    /// One single-line string.
    Short,
}

/// A programming language: its names, its literals and the template of a request.
#[derive(Debug)]
pub struct Language {
    /// Key in `api.examples.languages`.
    pub name: &'static str,
    /// Display name.
    pub label: &'static str,
    /// Other accepted spellings of the key.
    pub aliases: &'static [&'static str],
    /// Syntax of single-line strings.
    pub short: ShortLiteral,
    /// Syntax of multi-line strings.
    pub long: LongLiteral,
    /// Literals for null, true, false.
    pub literals: [&'static str; 3],
    /// One level of indentation.
    pub indent: &'static str,
    /// Keywords to highlight.
    pub keywords: &'static [&'static str],
    /// Template of the request.
    pub template: &'static str,
}

const SCRIPT: &[&str] = &[
    "const", "new", "await", "import", "from", "true", "false", "null",
];
const BACKTICKS: LongLiteral = LongLiteral::Between {
    open: "`",
    close: "`",
    never: &["`", "\\", "${"],
    end: "",
};

/// All languages, in the default order of samples.
pub static LANGUAGES: &[Language] = &[
    Language {
        name: "bash",
        label: "cURL",
        aliases: &["curl", "sh", "shell"],
        short: ShortLiteral::Shell,
        long: LongLiteral::Short,
        literals: LITERALS,
        indent: "  ",
        keywords: &["curl"],
        template: include_str!("bash.txt"),
    },
    Language {
        name: "python",
        label: "Python",
        aliases: &["py"],
        short: ShortLiteral::Double,
        long: LongLiteral::Between {
            open: "\"\"\"",
            close: "\"\"\"",
            never: &["\"\"\"", "\\"],
            end: "\"",
        },
        literals: ["None", "True", "False"],
        indent: "    ",
        keywords: &["import", "None", "True", "False"],
        template: include_str!("python.txt"),
    },
    Language {
        name: "javascript",
        label: "JavaScript",
        aliases: &["js"],
        short: ShortLiteral::Double,
        long: BACKTICKS,
        literals: LITERALS,
        indent: "  ",
        keywords: SCRIPT,
        template: include_str!("javascript.txt"),
    },
    Language {
        name: "php",
        label: "PHP",
        aliases: &[],
        short: ShortLiteral::Single,
        long: LongLiteral::Short,
        literals: LITERALS,
        indent: "    ",
        keywords: &["<", "new", "echo", "true"],
        template: include_str!("php.txt"),
    },
    Language {
        name: "go",
        label: "Go",
        aliases: &["golang"],
        short: ShortLiteral::Double,
        long: LongLiteral::Between {
            open: "`",
            close: "`",
            never: &["`"],
            end: "",
        },
        literals: LITERALS,
        indent: "\t",
        keywords: &["package", "import", "func", "if", "nil", "defer"],
        template: include_str!("go.txt"),
    },
    Language {
        name: "java",
        label: "Java",
        aliases: &[],
        short: ShortLiteral::Double,
        long: LongLiteral::Between {
            open: "\"\"\"\n",
            close: "\"\"\"",
            never: &["\"\"\"", "\\", " \n", "\t\n"],
            end: "\"",
        },
        literals: LITERALS,
        indent: "    ",
        keywords: &[
            "import", "public", "class", "static", "void", "throws", "new", "try", "null",
        ],
        template: include_str!("java.txt"),
    },
    Language {
        name: "typescript",
        label: "TypeScript",
        aliases: &["ts"],
        short: ShortLiteral::Double,
        long: BACKTICKS,
        literals: LITERALS,
        indent: "  ",
        keywords: SCRIPT,
        template: include_str!("typescript.txt"),
    },
    Language {
        name: "node",
        label: "Node.js",
        aliases: &["nodejs", "node.js"],
        short: ShortLiteral::Double,
        long: BACKTICKS,
        literals: LITERALS,
        indent: "  ",
        keywords: SCRIPT,
        template: include_str!("node.txt"),
    },
    Language {
        name: "ruby",
        label: "Ruby",
        aliases: &["rb"],
        short: ShortLiteral::Single,
        long: LongLiteral::Short,
        literals: ["nil", "true", "false"],
        indent: "  ",
        keywords: &["require", "do", "end", "true", "false"],
        template: include_str!("ruby.txt"),
    },
    Language {
        name: "rust",
        label: "Rust",
        aliases: &["rs"],
        short: ShortLiteral::DoubleBraces,
        long: LongLiteral::Between {
            open: "r#\"",
            close: "\"#",
            never: &["\"#"],
            end: "",
        },
        literals: LITERALS,
        indent: "    ",
        keywords: &["use", "fn", "let", "dyn"],
        template: include_str!("rust.txt"),
    },
    Language {
        name: "csharp",
        label: "C#",
        aliases: &["c#", "cs", "dotnet", ".net", "dot-net"],
        short: ShortLiteral::Double,
        long: LongLiteral::Between {
            open: "\"\"\"\n",
            close: "\n\"\"\"",
            never: &["\"\"\""],
            end: "",
        },
        literals: LITERALS,
        indent: "    ",
        keywords: &["using", "var", "new", "await"],
        template: include_str!("csharp.txt"),
    },
    Language {
        name: "kotlin",
        label: "Kotlin",
        aliases: &["kt"],
        short: ShortLiteral::DoubleDollar,
        long: LongLiteral::Between {
            open: "\"\"\"",
            close: "\"\"\"",
            never: &["\"\"\"", "$"],
            end: "\"",
        },
        literals: LITERALS,
        indent: "    ",
        keywords: &["import", "fun", "val", "null"],
        template: include_str!("kotlin.txt"),
    },
    Language {
        name: "swift",
        label: "Swift",
        aliases: &[],
        short: ShortLiteral::DoubleBraces,
        long: LongLiteral::Between {
            open: "#\"\"\"\n",
            close: "\n\"\"\"#",
            never: &["\"\"\"#", "\\#"],
            end: "",
        },
        literals: ["nil", "true", "false"],
        indent: "    ",
        keywords: &["import", "var", "let", "try", "await"],
        template: include_str!("swift.txt"),
    },
    Language {
        name: "powershell",
        label: "PowerShell",
        aliases: &["ps1", "pwsh"],
        short: ShortLiteral::Doubled,
        long: LongLiteral::Short,
        literals: ["$null", "$true", "$false"],
        indent: "    ",
        keywords: &[],
        template: include_str!("powershell.txt"),
    },
    Language {
        name: "dart",
        label: "Dart",
        aliases: &["flutter"],
        short: ShortLiteral::DoubleDollar,
        long: LongLiteral::Between {
            open: "r'''",
            close: "'''",
            never: &["'''"],
            end: "'",
        },
        literals: LITERALS,
        indent: "  ",
        keywords: &["import", "as", "void", "async", "await", "final"],
        template: include_str!("dart.txt"),
    },
    Language {
        name: "c",
        label: "C",
        aliases: &[],
        short: ShortLiteral::DoubleOctal,
        long: LongLiteral::Pieces,
        literals: ["NULL", "true", "false"],
        indent: "  ",
        keywords: &["#include", "int", "void", "if", "return", "struct", "NULL"],
        template: include_str!("c.txt"),
    },
    Language {
        name: "cpp",
        label: "C++",
        aliases: &["c++"],
        short: ShortLiteral::DoubleOctal,
        long: LongLiteral::Pieces,
        literals: ["nullptr", "true", "false"],
        indent: "  ",
        keywords: &[
            "#include",
            "int",
            "if",
            "return",
            "struct",
            "nullptr",
            "static_cast",
        ],
        template: include_str!("cpp.txt"),
    },
];

/// The language with this name or alias, in any case. None if there is none.
///
/// Example: [module documentation](crate::request#example).
pub fn language(name: &str) -> Option<&'static Language> {
    let is = |other: &str| other.eq_ignore_ascii_case(name.trim());
    let mut all = LANGUAGES.iter();
    all.find(|language| is(language.name) || language.aliases.iter().any(|alias| is(alias)))
}
