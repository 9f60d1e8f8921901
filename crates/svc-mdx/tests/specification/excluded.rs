//! Examples that do not apply to MDX, by number, with the reason.

/// Reason why an example is excluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reason {
    /// Indented code, or text that an indentation of four columns keeps from being a block: MDX
    /// ignores indentation.
    Indent,
    /// Raw HTML, or a `<` in text: tags are JSX.
    Html,
    /// A URL between `<` and `>`: an invalid tag in MDX.
    Autolink,
    /// GFM parsers differ here; ours agrees with `@mdx-js/mdx`.
    Dialect,
}

/// Reasons with their examples.
pub(crate) type Exclusions = &'static [(Reason, &'static [usize])];

/// CommonMark 0.31.2.
#[rustfmt::skip]
pub(crate) static COMMONMARK: Exclusions = &[
    (Reason::Indent, &[
        1, 2, 3, 5, 6, 7, 8, 18, 36, 48, 49, 69, 70, 85, 87, 100, 107, 111, 112, 114, 115, 116,
        117, 118, 134, 137, 211, 225, 231, 236, 238, 252, 253, 254, 257, 264, 270, 271, 272, 273,
        274, 278, 286, 287, 288, 289, 290, 312, 313,
    ]),
    (Reason::Html, &[
        21, 31, 91, 110, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161,
        162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179,
        180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191, 195, 201, 308, 309, 344, 475,
        476, 477, 491, 493, 494, 524, 536, 607, 610, 613, 614, 615, 616, 617, 618, 619, 620, 621,
        622, 623, 624, 625, 626, 627, 628, 629, 630, 631, 632, 642, 643,
    ]),
    (Reason::Autolink, &[
        20, 346, 480, 481, 526, 538, 594, 595, 596, 597, 598, 599, 600, 601, 602, 603, 604, 605,
        606, 609,
    ]),
];

/// Tables beyond the specification.
#[rustfmt::skip]
pub(crate) static TABLES: Exclusions = &[
    (Reason::Dialect, &[
        13, 14, 17, 18, 19, 20, 22, 23, 24, 25, 26,
    ]),
];

/// Strikethrough beyond the specification.
#[rustfmt::skip]
pub(crate) static STRIKETHROUGH: Exclusions = &[
    (Reason::Dialect, &[
        5, 8, 9,
    ]),
];

/// Footnotes.
#[rustfmt::skip]
pub(crate) static FOOTNOTES: Exclusions = &[
    (Reason::Dialect, &[
        2, 5, 11, 12, 13, 16, 17, 24,
    ]),
];

/// Bare URLs.
#[rustfmt::skip]
pub(crate) static AUTOLINKS: Exclusions = &[
    (Reason::Dialect, &[
        7, 15, 24, 35,
    ]),
];
