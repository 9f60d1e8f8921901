//! The words that the interface itself says, in the languages of the specification.
//!
//! To add a text, name it in [`Messages`]: no language compiles before it has it.

mod ar;
mod ca;
mod cs;
mod da;
mod de;
mod en;
mod es;
mod fi;
mod fr;
mod he;
mod hi;
mod hu;
mod id;
mod it;
mod ja;
mod ko;
mod lv;
mod nl;
mod no;
mod pl;
mod playground;
mod pt_br;
mod ro;
mod ru;
mod sv;
mod tr;
mod uk;
mod uz;
mod vi;
mod zh_hans;
mod zh_hant;

pub(crate) use playground::PlaygroundMessages;

/// All texts. `{}` in one is the place of a name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Messages {
    /// The link that jumps over the frame.
    pub(crate) skip_to_content: &'static str,
    /// What the sidebar is called.
    pub(crate) documentation: &'static str,
    /// What the list of pages is called.
    pub(crate) pages: &'static str,
    /// What the row of tabs is called.
    pub(crate) sections: &'static str,
    /// What a menu of dropdowns is called.
    pub(crate) section: &'static str,
    /// What the menu of languages is called.
    pub(crate) language: &'static str,
    /// What the menu of versions is called.
    pub(crate) version: &'static str,
    /// What the menu of products is called.
    pub(crate) product: &'static str,
    /// The button that opens the drawer.
    pub(crate) open_navigation: &'static str,
    /// The button for light and dark.
    pub(crate) switch_mode: &'static str,
    /// The choice of light pages.
    pub(crate) mode_light: &'static str,
    /// The choice of dark pages.
    pub(crate) mode_dark: &'static str,
    /// The choice to follow the system.
    pub(crate) mode_system: &'static str,
    /// The prompt of the search.
    pub(crate) search: &'static str,
    /// What the search field is called.
    pub(crate) search_documentation: &'static str,
    /// The button that closes the search.
    pub(crate) close_search: &'static str,
    /// What the list of results is called.
    pub(crate) results: &'static str,
    /// The index could not be fetched.
    pub(crate) search_failed: &'static str,
    /// No result; `{}` is what was looked for.
    pub(crate) no_results: &'static str,
    /// Above the table of contents.
    pub(crate) on_this_page: &'static str,
    /// Before the day of the last change, which stands for `{}`.
    pub(crate) last_modified: &'static str,
    /// What the way to the page is called.
    pub(crate) breadcrumbs: &'static str,
    /// What the banner is called.
    pub(crate) announcement: &'static str,
    /// The button that closes the banner.
    pub(crate) close: &'static str,
    /// What the links to the neighbours are called.
    pub(crate) page_navigation: &'static str,
    /// Above the page before.
    pub(crate) previous: &'static str,
    /// Above the page behind.
    pub(crate) next: &'static str,
    /// The button that closes the drawer.
    pub(crate) close_navigation: &'static str,
    /// What the menu of a page is called.
    pub(crate) page_actions: &'static str,
    /// An entry of the menu of a page.
    pub(crate) copy_page: &'static str,
    /// What that entry does.
    pub(crate) copy_page_about: &'static str,
    /// After something was copied.
    pub(crate) copied: &'static str,
    /// An entry of the menu of a page.
    pub(crate) view_markdown: &'static str,
    /// What that entry does.
    pub(crate) view_markdown_about: &'static str,
    /// What that entry does.
    pub(crate) open_assistant_about: &'static str,
    /// What an assistant is asked; `{}` is the address of the page.
    pub(crate) assistant_prompt: &'static str,
    /// An entry of the menu of a page.
    pub(crate) save_pdf: &'static str,
    /// What that entry does.
    pub(crate) save_pdf_about: &'static str,
    /// An entry of the menu of a page.
    pub(crate) download_spec: &'static str,
    /// What that entry does.
    pub(crate) download_spec_about: &'static str,
    /// An entry of the menu of a page.
    pub(crate) copy_mcp: &'static str,
    /// An entry of the menu of a page.
    pub(crate) copy_mcp_command: &'static str,
    /// An entry of the menu of a page; `{}` is an editor.
    pub(crate) connect_to: &'static str,
    /// What those entries do.
    pub(crate) mcp_about: &'static str,
    /// Above the pages that belong to a page.
    pub(crate) related: &'static str,
    /// Beside the title of a page.
    pub(crate) deprecated: &'static str,
    /// Below every page.
    pub(crate) served_by: &'static str,
    /// The title for an address without page.
    pub(crate) page_not_found: &'static str,
    /// The text for an address without page.
    pub(crate) no_page_here: &'static str,
    /// Above pages that were probably meant.
    pub(crate) did_you_mean: &'static str,
    /// Before the reason why a page cannot be shown.
    pub(crate) page_broken: &'static str,
    /// In place of an operation whose document is not there.
    pub(crate) reference_missing: &'static str,
    /// A kind of callout.
    pub(crate) info: &'static str,
    /// A kind of callout.
    pub(crate) note: &'static str,
    /// A kind of callout.
    pub(crate) tip: &'static str,
    /// A kind of callout.
    pub(crate) check: &'static str,
    /// A kind of callout.
    pub(crate) danger: &'static str,
    /// A kind of callout.
    pub(crate) warning: &'static str,
    /// What a group of code blocks is called.
    pub(crate) code: &'static str,
    /// What examples of requests are called.
    pub(crate) request: &'static str,
    /// What examples of responses are called.
    pub(crate) response: &'static str,
    /// What a group of panels is called.
    pub(crate) tabs: &'static str,
    /// What a table is called.
    pub(crate) table: &'static str,
    /// What the column beside the text is called.
    pub(crate) examples: &'static str,
    /// The button at a code block.
    pub(crate) copy: &'static str,
    /// The button at a prompt.
    pub(crate) copy_prompt: &'static str,
    /// The title of a folded prompt.
    pub(crate) show_prompt: &'static str,
    /// The button of a folded code block.
    pub(crate) show_all: &'static str,
    /// The button of an unfolded code block.
    pub(crate) show_less: &'static str,
    /// The title of something folded, `{}` is its name.
    pub(crate) show_part: &'static str,
    /// The title of something unfolded, `{}` is its name.
    pub(crate) hide_part: &'static str,
    /// The name of something folded that has none.
    pub(crate) properties: &'static str,
    /// The title of one closed attribute inside a field.
    pub(crate) show_attribute: &'static str,
    /// As [`Self::show_attribute`], of several; `{}` is how many.
    pub(crate) show_attributes: &'static str,
    /// The title of open attributes inside a field.
    pub(crate) hide_attributes: &'static str,
    /// The title of alternatives inside a field; `{}` is how many.
    pub(crate) one_of: &'static str,
    /// The button that opens all closed parts of a page.
    pub(crate) expand_all: &'static str,
    /// The button that closes them again.
    pub(crate) collapse_all: &'static str,
    /// The link of a heading to itself.
    pub(crate) link_to_section: &'static str,
    /// The title of the notes.
    pub(crate) footnotes: &'static str,
    /// The link from a note to its place.
    pub(crate) back_to_text: &'static str,
    /// What a diagram is called that has no name.
    pub(crate) diagram: &'static str,
    /// A button at a diagram.
    pub(crate) zoom_in: &'static str,
    /// A button at a diagram.
    pub(crate) zoom_out: &'static str,
    /// A button at a diagram.
    pub(crate) reset_view: &'static str,
    /// A button at a diagram.
    pub(crate) full_screen: &'static str,
    /// What an enlarged picture without description is called.
    pub(crate) image: &'static str,
    /// What the tags above a changelog are called.
    pub(crate) filter_by_tag: &'static str,
    /// The button that shows all entries again.
    pub(crate) clear_filters: &'static str,
    /// The link to the feed of a page.
    pub(crate) rss_feed: &'static str,
    /// A link that opens a text in another program; `{}` is its name.
    pub(crate) open_in: &'static str,
    /// The button that copies a picture.
    pub(crate) copy_image: &'static str,
    /// The link that saves a picture.
    pub(crate) download_image: &'static str,
    /// The button that shows a picture large.
    pub(crate) enlarge_image: &'static str,
    /// What something from another site is called that has no title.
    pub(crate) embedded: &'static str,
    /// What the choice between forms of a page is called.
    pub(crate) page_form: &'static str,
    /// Before the default value of a field.
    pub(crate) default: &'static str,
    /// A field that must be there.
    pub(crate) required: &'static str,
    /// A field that should not be used any more.
    pub(crate) deprecated_label: &'static str,
    /// A field of answers only.
    pub(crate) read_only: &'static str,
    /// A field of requests only.
    pub(crate) write_only: &'static str,
    /// A section of an operation.
    pub(crate) path_parameters: &'static str,
    /// A section of an operation.
    pub(crate) query_parameters: &'static str,
    /// A section of an operation.
    pub(crate) headers: &'static str,
    /// A section of an operation.
    pub(crate) cookies: &'static str,
    /// A section of an operation.
    pub(crate) body: &'static str,
    /// A section of an operation.
    pub(crate) body_optional: &'static str,
    /// A section of an operation.
    pub(crate) authorization: &'static str,
    /// A section of an operation.
    pub(crate) callbacks: &'static str,
    /// A section of an operation.
    pub(crate) responses: &'static str,
    /// The closed part with what a response leads to.
    pub(crate) links: &'static str,
    /// The example of a webhook.
    pub(crate) payload: &'static str,
    /// Before further media types.
    pub(crate) also_as: &'static str,
    /// Before the fields of an array's items.
    pub(crate) array_of: &'static str,
    /// Before the values of an enumeration.
    pub(crate) allowed: &'static str,
    /// Before an example value.
    pub(crate) example: &'static str,
    /// Before the form in which a value is sent.
    pub(crate) sent_as: &'static str,
    /// An alternative without authorization.
    pub(crate) no_authorization: &'static str,
    /// What a caller shows over mutual TLS.
    pub(crate) client_certificate: &'static str,
    /// The button that opens the playground.
    pub(crate) try_it: &'static str,
    /// The playground could not be fetched.
    pub(crate) playground_failed: &'static str,
    /// On a page that has done its work.
    pub(crate) close_window: &'static str,
    /// The words of the playground.
    pub(crate) playground: &'static PlaygroundMessages,
}

/// The texts for a language code of `docs.json`; English for a page without language.
pub(crate) fn messages(code: Option<&str>) -> &'static Messages {
    match code.unwrap_or("en") {
        "ar" => &ar::TEXTS,
        "ca" => &ca::TEXTS,
        "cn" | "zh" | "zh-Hans" | "zh-CN" => &zh_hans::TEXTS,
        "cs" => &cs::TEXTS,
        "da" => &da::TEXTS,
        "de" => &de::TEXTS,
        "es" => &es::TEXTS,
        "fi" => &fi::TEXTS,
        "fr" | "fr-CA" => &fr::TEXTS,
        "he" => &he::TEXTS,
        "hi" => &hi::TEXTS,
        "hu" => &hu::TEXTS,
        "id" => &id::TEXTS,
        "it" => &it::TEXTS,
        "jp" | "ja" | "ja-JP" => &ja::TEXTS,
        "ko" => &ko::TEXTS,
        "lv" => &lv::TEXTS,
        "nl" => &nl::TEXTS,
        "no" => &no::TEXTS,
        "pl" => &pl::TEXTS,
        "pt-BR" | "pt" => &pt_br::TEXTS,
        "ro" => &ro::TEXTS,
        "ru" => &ru::TEXTS,
        "sv" => &sv::TEXTS,
        "tr" => &tr::TEXTS,
        "uk" => &uk::TEXTS,
        "uz" => &uz::TEXTS,
        "vi" => &vi::TEXTS,
        "zh-Hant" | "zh-TW" => &zh_hant::TEXTS,
        _ => &en::TEXTS,
    }
}

/// The texts of every language.
pub(crate) static ALL: &[&Messages] = &[
    &ar::TEXTS,
    &ca::TEXTS,
    &cs::TEXTS,
    &da::TEXTS,
    &de::TEXTS,
    &en::TEXTS,
    &es::TEXTS,
    &fi::TEXTS,
    &fr::TEXTS,
    &he::TEXTS,
    &hi::TEXTS,
    &hu::TEXTS,
    &id::TEXTS,
    &it::TEXTS,
    &ja::TEXTS,
    &ko::TEXTS,
    &lv::TEXTS,
    &nl::TEXTS,
    &no::TEXTS,
    &pl::TEXTS,
    &pt_br::TEXTS,
    &ro::TEXTS,
    &ru::TEXTS,
    &sv::TEXTS,
    &tr::TEXTS,
    &uk::TEXTS,
    &uz::TEXTS,
    &vi::TEXTS,
    &zh_hans::TEXTS,
    &zh_hant::TEXTS,
];

/// What stands before and behind the name in a text.
pub(crate) fn split_placeholder(text: &'static str) -> (&'static str, &'static str) {
    text.split_once("{}").unwrap_or((text, ""))
}

#[cfg(test)]
mod tests;
