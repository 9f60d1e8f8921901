//! Words that say little about what a reader looks for.

/// Sorted words of questions and sentences in the languages of most sites; those of Chinese, Japanese
/// and Korean as the pairs of letters that are their terms.
pub(crate) const STOPWORDS: &[&str] = &[
    "a", "aan", "about", "al", "als", "am", "an", "and", "any", "are", "as", "at", "au", "auch",
    "auf", "aus", "aux", "av", "avec", "be", "been", "bei", "beim", "bij", "bin", "bis", "but",
    "by", "can", "cannot", "ce", "ces", "cette", "che", "chi", "ci", "com", "come", "comment",
    "como", "con", "cosa", "could", "cual", "cuando", "da", "dal", "dalla", "dans", "das", "dass",
    "dat", "de", "dei", "del", "della", "dem", "den", "der", "des", "desde", "det", "di", "did",
    "die", "din", "dit", "do", "does", "doesn", "donde", "dont", "dos", "dove", "du", "e", "een",
    "ein", "eine", "einem", "einen", "einer", "eines", "el", "ela", "ele", "ella", "elle", "em",
    "en", "er", "es", "est", "esta", "este", "et", "etre", "ett", "eu", "for", "fra", "from",
    "fur", "get", "gli", "habe", "haben", "had", "han", "has", "hat", "have", "hay", "het", "ho",
    "hoe", "how", "hun", "hur", "hvad", "hvor", "hvordan", "i", "ich", "if", "ihr", "ihre", "ik",
    "ikke", "il", "im", "in", "inte", "into", "io", "is", "isn", "isso", "ist", "it", "its", "jag",
    "je", "jeg", "kan", "kann", "konnen", "kunnen", "la", "las", "le", "les", "leur", "lo", "los",
    "ma", "maar", "mais", "man", "mas", "me", "med", "mein", "meine", "mes", "met", "meu", "mi",
    "mich", "mijn", "min", "minha", "mio", "mis", "mit", "mon", "muss", "muy", "my", "na", "naar",
    "nach", "nao", "nar", "nas", "ne", "need", "nel", "nella", "nicht", "niet", "no", "noch",
    "non", "nos", "not", "nous", "nur", "o", "och", "oder", "of", "og", "om", "on", "ook", "op",
    "or", "os", "ou", "our", "pa", "par", "para", "pas", "pela", "pelo", "per", "perche", "pero",
    "peut", "piu", "plus", "por", "porque", "posso", "pour", "pourquoi", "puede", "puedo", "quand",
    "quando", "que", "quel", "quelle", "quem", "questo", "qui", "quien", "sans", "se", "sein",
    "sem", "senza", "ser", "ses", "seu", "should", "si", "sich", "sie", "sin", "sind", "ska",
    "skal", "so", "sobre", "som", "some", "son", "sono", "sont", "su", "sua", "sul", "sur", "sus",
    "te", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this",
    "tiene", "til", "till", "to", "too", "tu", "uber", "uit", "um", "uma", "un", "una", "und",
    "une", "uno", "up", "use", "using", "van", "var", "vi", "voce", "vom", "von", "voor", "vor",
    "vous", "waar", "waarom", "wanneer", "want", "war", "was", "wat", "we", "welke", "wenn", "wer",
    "werden", "were", "what", "when", "where", "which", "while", "who", "why", "wie", "will",
    "wir", "wird", "with", "without", "wo", "worden", "wordt", "would", "y", "yo", "you", "your",
    "zijn", "zu", "zum", "zur", "あり", "ある", "い", "いつ", "いま", "いる", "う", "うす", "うや",
    "か", "から", "が", "きま", "くだ", "こと", "さい", "した", "して", "すか", "する", "せん",
    "た", "ため", "たら", "ださ", "て", "てい", "で", "でき", "です", "では", "と", "とは", "どう",
    "どこ", "どの", "なぜ", "に", "には", "の", "は", "へ", "まし", "ます", "ませ", "まで", "も",
    "もの", "や", "よう", "りま", "る", "れば", "を", "一个", "为什", "么", "么样", "了", "什么",
    "何", "可以", "吗", "呢", "和", "哪些", "哪里", "在", "如何", "怎么", "怎样", "我", "或",
    "方法", "是", "是否", "有", "的", "能否", "需要", "가", "가요", "것", "게", "과", "까지", "나",
    "나요", "는", "는데", "는지", "데", "도", "돼요", "되나", "때는", "떻게", "려는", "려면", "로",
    "를", "만", "면", "무엇", "방법", "부터", "수", "싶어", "안돼", "어느", "어디", "어떻", "어요",
    "언제", "에", "에서", "와", "왜", "요", "으로", "은", "을", "을때", "의", "이", "인가", "있나",
    "하고", "하기", "하나", "하는", "하려", "할", "해야", "했을",
];

/// Returns true for words that nearly every question contains, such as "how" and "the". They are in
/// lower case and without diacritics.
///
/// ```
/// assert!(svc_search::is_stopword("how") && !svc_search::is_stopword("page"));
/// ```
pub fn is_stopword(word: &str) -> bool {
    STOPWORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::{STOPWORDS, is_stopword};

    #[test]
    fn the_list_is_sorted() {
        assert!(STOPWORDS.is_sorted());
        assert!(is_stopword("how") && is_stopword("wie") && !is_stopword("page"));
    }
}
