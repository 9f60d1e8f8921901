//! Formulas.

use crate::ctx::Ctx;
use crate::html::Html;

/// Longer formulas are shown as written.
const MAX_FORMULA: usize = 4_000;

/// A formula as MathML; as written where it cannot be read.
pub(crate) fn formula(cx: &mut Ctx<'_>, source: &str, block: bool) -> Html {
    cx.uses.math = true;
    cx.words.push_str(source);
    let mut out = Html::new();
    let markup = if source.len() <= MAX_FORMULA {
        mathml(source, block)
    } else {
        None
    };
    out.lit(if block {
        "<div class=\"svc-math svc-math-block\" tabindex=\"0\">"
    } else {
        "<span class=\"svc-math\">"
    });
    match markup {
        Some(markup) => {
            out.add(&Html::trusted(markup));
        }
        None => {
            out.lit("<code class=\"math\">").esc(source).lit("</code>");
        }
    }
    out.lit(if block { "</div>" } else { "</span>" });
    out
}

fn mathml(_source: &str, _block: bool) -> Option<String> {
    None
}
