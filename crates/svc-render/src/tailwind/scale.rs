//! Named scales: font sizes, widths, radii, shadows.

/// Keyframes of the animations, included once on pages that use one.
pub(super) const KEYFRAMES: &str = "@keyframes svc-spin{to{transform:rotate(360deg)}}\
@keyframes svc-ping{75%,100%{transform:scale(2);opacity:0}}\
@keyframes svc-pulse{50%{opacity:.5}}\
@keyframes svc-bounce{0%,100%{transform:translateY(-25%);animation-timing-function:cubic-bezier(.8,0,1,1)}\
50%{transform:none;animation-timing-function:cubic-bezier(0,0,.2,1)}}";

/// Names with their values.
pub(super) type Scale = &'static [(&'static str, &'static str)];

pub(super) fn find(scale: Scale, name: &str) -> Option<&'static str> {
    scale
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, value)| *value)
}

/// Font size and line height.
pub(super) const TEXT: &[(&str, &str, &str)] = &[
    ("xs", "0.75rem", "1rem"),
    ("sm", "0.875rem", "1.25rem"),
    ("base", "1rem", "1.5rem"),
    ("lg", "1.125rem", "1.75rem"),
    ("xl", "1.25rem", "1.75rem"),
    ("2xl", "1.5rem", "2rem"),
    ("3xl", "1.875rem", "2.25rem"),
    ("4xl", "2.25rem", "2.5rem"),
    ("5xl", "3rem", "1"),
    ("6xl", "3.75rem", "1"),
    ("7xl", "4.5rem", "1"),
    ("8xl", "6rem", "1"),
    ("9xl", "8rem", "1"),
];

/// Widths of blocks.
pub(super) const WIDTH: Scale = &[
    ("3xs", "16rem"),
    ("2xs", "18rem"),
    ("xs", "20rem"),
    ("sm", "24rem"),
    ("md", "28rem"),
    ("lg", "32rem"),
    ("xl", "36rem"),
    ("2xl", "42rem"),
    ("3xl", "48rem"),
    ("4xl", "56rem"),
    ("5xl", "64rem"),
    ("6xl", "72rem"),
    ("7xl", "80rem"),
    ("prose", "65ch"),
    ("screen-sm", "40rem"),
    ("screen-md", "48rem"),
    ("screen-lg", "64rem"),
    ("screen-xl", "80rem"),
    ("screen-2xl", "96rem"),
];

/// Sizes without a number.
pub(super) const SIZE: Scale = &[
    ("auto", "auto"),
    ("full", "100%"),
    ("min", "min-content"),
    ("max", "max-content"),
    ("fit", "fit-content"),
    ("none", "none"),
];

/// Border radii.
pub(super) const RADIUS: Scale = &[
    ("none", "0"),
    ("xs", "0.125rem"),
    ("sm", "0.125rem"),
    ("", "0.25rem"),
    ("md", "0.375rem"),
    ("lg", "0.5rem"),
    ("xl", "0.75rem"),
    ("2xl", "1rem"),
    ("3xl", "1.5rem"),
    ("4xl", "2rem"),
    ("full", "9999px"),
];

/// Box shadows.
pub(super) const SHADOW: Scale = &[
    ("2xs", "0 1px rgb(0 0 0/5%)"),
    ("xs", "0 1px 2px 0 rgb(0 0 0/5%)"),
    ("sm", "0 1px 2px 0 rgb(0 0 0/5%)"),
    (
        "",
        "0 1px 3px 0 rgb(0 0 0/10%),0 1px 2px -1px rgb(0 0 0/10%)",
    ),
    (
        "md",
        "0 4px 6px -1px rgb(0 0 0/10%),0 2px 4px -2px rgb(0 0 0/10%)",
    ),
    (
        "lg",
        "0 10px 15px -3px rgb(0 0 0/10%),0 4px 6px -4px rgb(0 0 0/10%)",
    ),
    (
        "xl",
        "0 20px 25px -5px rgb(0 0 0/10%),0 8px 10px -6px rgb(0 0 0/10%)",
    ),
    ("2xl", "0 25px 50px -12px rgb(0 0 0/25%)"),
    ("inner", "inset 0 2px 4px 0 rgb(0 0 0/5%)"),
    ("none", "0 0 #0000"),
];

/// Drop shadows.
pub(super) const DROP: Scale = &[
    ("sm", "drop-shadow(0 1px 1px rgb(0 0 0/5%))"),
    (
        "",
        "drop-shadow(0 1px 2px rgb(0 0 0/10%)) drop-shadow(0 1px 1px rgb(0 0 0/6%))",
    ),
    (
        "md",
        "drop-shadow(0 4px 3px rgb(0 0 0/7%)) drop-shadow(0 2px 2px rgb(0 0 0/6%))",
    ),
    (
        "lg",
        "drop-shadow(0 10px 8px rgb(0 0 0/4%)) drop-shadow(0 4px 3px rgb(0 0 0/10%))",
    ),
    (
        "xl",
        "drop-shadow(0 20px 13px rgb(0 0 0/3%)) drop-shadow(0 8px 5px rgb(0 0 0/8%))",
    ),
    ("2xl", "drop-shadow(0 25px 25px rgb(0 0 0/15%))"),
    ("none", "drop-shadow(0 0 #0000)"),
];

/// Blur.
pub(super) const BLUR: Scale = &[
    ("none", "0"),
    ("xs", "4px"),
    ("sm", "4px"),
    ("", "8px"),
    ("md", "12px"),
    ("lg", "16px"),
    ("xl", "24px"),
    ("2xl", "40px"),
    ("3xl", "64px"),
];

/// Font weights.
pub(super) const WEIGHT: Scale = &[
    ("thin", "100"),
    ("extralight", "200"),
    ("light", "300"),
    ("normal", "400"),
    ("medium", "500"),
    ("semibold", "600"),
    ("bold", "700"),
    ("extrabold", "800"),
    ("black", "900"),
];

/// Line heights.
pub(super) const LEADING: Scale = &[
    ("none", "1"),
    ("tight", "1.25"),
    ("snug", "1.375"),
    ("normal", "1.5"),
    ("relaxed", "1.625"),
    ("loose", "2"),
];

/// Letter spacing.
pub(super) const TRACKING: Scale = &[
    ("tighter", "-0.05em"),
    ("tight", "-0.025em"),
    ("normal", "0"),
    ("wide", "0.025em"),
    ("wider", "0.05em"),
    ("widest", "0.1em"),
];

/// Directions of gradients.
pub(super) const DIRECTION: Scale = &[
    ("t", "top"),
    ("tr", "top right"),
    ("r", "right"),
    ("br", "bottom right"),
    ("b", "bottom"),
    ("bl", "bottom left"),
    ("l", "left"),
    ("tl", "top left"),
];

/// Timing functions of transitions.
pub(super) const EASE: Scale = &[
    ("linear", "linear"),
    ("in", "cubic-bezier(.4,0,1,1)"),
    ("out", "cubic-bezier(0,0,.2,1)"),
    ("in-out", "cubic-bezier(.4,0,.2,1)"),
];
