//! The keys of the language files.

use super::{ChangeMarkMessages, PlaygroundMessages};

/// Messages of the interface in one language. `{}` is a placeholder.
#[derive(Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Messages {
    /// Link that skips the page frame.
    pub(crate) skip_to_content: &'static str,
    /// Accessible name of the sidebar.
    pub(crate) documentation: &'static str,
    /// Accessible name of the list of pages.
    pub(crate) pages: &'static str,
    /// Accessible name of the row of tabs.
    pub(crate) sections: &'static str,
    /// Label of a menu of dropdowns.
    pub(crate) section: &'static str,
    /// Label of the menu of languages.
    pub(crate) language: &'static str,
    /// Label of the menu of versions.
    pub(crate) version: &'static str,
    /// Label of the menu of products.
    pub(crate) product: &'static str,
    /// Label of the search filter by tag.
    pub(crate) tag: &'static str,
    /// Label of the search filter by HTTP method.
    pub(crate) method: &'static str,
    /// Button that opens the drawer.
    pub(crate) open_navigation: &'static str,
    /// Button that switches the color mode.
    pub(crate) switch_mode: &'static str,
    /// Option for the light color mode.
    pub(crate) mode_light: &'static str,
    /// Option for the dark color mode.
    pub(crate) mode_dark: &'static str,
    /// Option for the color mode of the system.
    pub(crate) mode_system: &'static str,
    /// Placeholder of the search field.
    pub(crate) search: &'static str,
    /// Accessible name of the search field.
    pub(crate) search_documentation: &'static str,
    /// Button that closes the search dialog.
    pub(crate) close_search: &'static str,
    /// Accessible name of the list of results.
    pub(crate) results: &'static str,
    /// The search index could not be fetched.
    pub(crate) search_failed: &'static str,
    /// No results; `{}` is the query.
    pub(crate) no_results: &'static str,
    /// Number of results; `{}` is the number.
    pub(crate) result_count: &'static str,
    /// Advice below a search without results.
    pub(crate) search_hint: &'static str,
    /// Link to the next results.
    pub(crate) more_results: &'static str,
    /// Heading of the earlier searches of the reader.
    pub(crate) recent_searches: &'static str,
    /// Button that removes the earlier searches.
    pub(crate) clear_recent: &'static str,
    /// Option of a filter that does not restrict the search.
    pub(crate) any_value: &'static str,
    /// Heading of the table of contents.
    pub(crate) on_this_page: &'static str,
    /// Text before the date of the last change, which replaces `{}`.
    pub(crate) last_modified: &'static str,
    /// Note of a page whose source has changed; `{}` is a link with the title of the source.
    pub(crate) outdated_translation: &'static str,
    /// The sections of the source that have changed since the translation, which replace `{}`.
    pub(crate) changed_sections: &'static str,
    /// Accessible name of the breadcrumbs.
    pub(crate) breadcrumbs: &'static str,
    /// Accessible name of the banner.
    pub(crate) announcement: &'static str,
    /// Button that dismisses the banner.
    pub(crate) close: &'static str,
    /// Accessible name of the links to the previous and next page.
    pub(crate) page_navigation: &'static str,
    /// Label of the link to the previous page.
    pub(crate) previous: &'static str,
    /// Label of the link to the next page.
    pub(crate) next: &'static str,
    /// Button that closes the drawer.
    pub(crate) close_navigation: &'static str,
    /// Accessible name of the page menu.
    pub(crate) page_actions: &'static str,
    /// Entry of the page menu: copy the page as Markdown.
    pub(crate) copy_page: &'static str,
    /// Description of [`Self::copy_page`].
    pub(crate) copy_page_about: &'static str,
    /// Status after copying.
    pub(crate) copied: &'static str,
    /// Entry of the page menu: view the page as Markdown.
    pub(crate) view_markdown: &'static str,
    /// Description of [`Self::view_markdown`].
    pub(crate) view_markdown_about: &'static str,
    /// Description of entries that open an assistant.
    pub(crate) open_assistant_about: &'static str,
    /// Prompt for an assistant; `{}` is the URL of the page.
    pub(crate) assistant_prompt: &'static str,
    /// Entry of the page menu: print the page.
    pub(crate) save_pdf: &'static str,
    /// Description of [`Self::save_pdf`].
    pub(crate) save_pdf_about: &'static str,
    /// Entry of the page menu: download the OpenAPI documents.
    pub(crate) download_spec: &'static str,
    /// Description of [`Self::download_spec`].
    pub(crate) download_spec_about: &'static str,
    /// Entry of the page menu: copy the URL of the MCP server.
    pub(crate) copy_mcp: &'static str,
    /// Entry of the page menu: copy the command that installs the MCP server.
    pub(crate) copy_mcp_command: &'static str,
    /// Entry of the page menu: connect an editor to the MCP server; `{}` is the editor.
    pub(crate) connect_to: &'static str,
    /// Description of the entries for the MCP server.
    pub(crate) mcp_about: &'static str,
    /// Heading of the related pages.
    pub(crate) related: &'static str,
    /// Label next to the title of a deprecated page.
    pub(crate) deprecated: &'static str,
    /// Line below every page.
    pub(crate) served_by: &'static str,
    /// Title of the page for missing paths.
    pub(crate) page_not_found: &'static str,
    /// Title and button of the sign-in page.
    pub(crate) sign_in: &'static str,
    /// Button to sign out.
    pub(crate) sign_out: &'static str,
    /// Label of the field for the name of the reader.
    pub(crate) user_name: &'static str,
    /// Label of the field for the password.
    pub(crate) sign_in_password: &'static str,
    /// Message after a wrong password.
    pub(crate) sign_in_failed: &'static str,
    /// Message after too many wrong passwords.
    pub(crate) sign_in_later: &'static str,
    /// Name of the reader, in place of `{}`.
    pub(crate) signed_in_as: &'static str,
    /// Button to sign in at a service, whose name is in place of `{}`.
    pub(crate) sign_in_with: &'static str,
    /// Message after a sign-in at a service that was not completed.
    pub(crate) sign_in_incomplete: &'static str,
    /// Message to a reader of a service whose account has no access.
    pub(crate) sign_in_denied: &'static str,
    /// Message to a reader whose account has more groups than a session can have.
    pub(crate) too_many_groups: &'static str,
    /// Message if a proxy signs readers in.
    pub(crate) sign_in_elsewhere: &'static str,
    /// Title of the consent dialog for services of other companies.
    pub(crate) consent_title: &'static str,
    /// Text of the dialog; `{}` is the list of the services.
    pub(crate) consent_text: &'static str,
    /// Button that consents.
    pub(crate) consent_accept: &'static str,
    /// Button that does not consent.
    pub(crate) consent_decline: &'static str,
    /// Button in the footer that opens the dialog.
    pub(crate) privacy_settings: &'static str,
    /// Text of the page for missing paths.
    pub(crate) no_page_here: &'static str,
    /// Heading of the suggested pages.
    pub(crate) did_you_mean: &'static str,
    /// Text before the reason why a page cannot be shown.
    pub(crate) page_broken: &'static str,
    /// Text in place of an operation whose document is missing.
    pub(crate) reference_missing: &'static str,
    /// Label of a callout.
    pub(crate) info: &'static str,
    /// Label of a callout.
    pub(crate) note: &'static str,
    /// Label of a callout.
    pub(crate) tip: &'static str,
    /// Label of a callout.
    pub(crate) check: &'static str,
    /// Label of a callout.
    pub(crate) danger: &'static str,
    /// Label of a callout.
    pub(crate) warning: &'static str,
    /// Accessible name of a code group.
    pub(crate) code: &'static str,
    /// Accessible name of request examples.
    pub(crate) request: &'static str,
    /// Accessible name of response examples.
    pub(crate) response: &'static str,
    /// Accessible name of a group of tabs.
    pub(crate) tabs: &'static str,
    /// Accessible name of a table.
    pub(crate) table: &'static str,
    /// Accessible name of the column next to the text.
    pub(crate) examples: &'static str,
    /// Button of a code block.
    pub(crate) copy: &'static str,
    /// Button of a prompt.
    pub(crate) copy_prompt: &'static str,
    /// Title of a collapsed prompt.
    pub(crate) show_prompt: &'static str,
    /// Button of a collapsed code block.
    pub(crate) show_all: &'static str,
    /// Button of an expanded code block.
    pub(crate) show_less: &'static str,
    /// Title of a collapsed section; `{}` is its name.
    pub(crate) show_part: &'static str,
    /// Title of an expanded section; `{}` is its name.
    pub(crate) hide_part: &'static str,
    /// Name of a section without a name.
    pub(crate) properties: &'static str,
    /// Title of one collapsed attribute in a field.
    pub(crate) show_attribute: &'static str,
    /// Title of several collapsed attributes in a field; `{}` is their number.
    pub(crate) show_attributes: &'static str,
    /// Title of expanded attributes in a field.
    pub(crate) hide_attributes: &'static str,
    /// Title of alternatives in a field; `{}` is their number.
    pub(crate) one_of: &'static str,
    /// Button that expands all sections of a page.
    pub(crate) expand_all: &'static str,
    /// Button that collapses all sections of a page.
    pub(crate) collapse_all: &'static str,
    /// Link of a heading to itself.
    pub(crate) link_to_section: &'static str,
    /// Title of the footnotes.
    pub(crate) footnotes: &'static str,
    /// Link from a footnote to its reference.
    pub(crate) back_to_text: &'static str,
    /// Accessible name of a diagram without a title.
    pub(crate) diagram: &'static str,
    /// Button of a diagram.
    pub(crate) zoom_in: &'static str,
    /// Button of a diagram.
    pub(crate) zoom_out: &'static str,
    /// Button of a diagram.
    pub(crate) reset_view: &'static str,
    /// Button of a diagram.
    pub(crate) full_screen: &'static str,
    /// Accessible name of an enlarged image without alternative text.
    pub(crate) image: &'static str,
    /// Accessible name of the tag filter of a changelog.
    pub(crate) filter_by_tag: &'static str,
    /// Button that clears the tag filter.
    pub(crate) clear_filters: &'static str,
    /// Link to the feed of a page.
    pub(crate) rss_feed: &'static str,
    /// Link that opens a text in another program; `{}` is its name.
    pub(crate) open_in: &'static str,
    /// Button that copies an image.
    pub(crate) copy_image: &'static str,
    /// Link that downloads an image.
    pub(crate) download_image: &'static str,
    /// Button that enlarges an image.
    pub(crate) enlarge_image: &'static str,
    /// Accessible name of embedded content without a title.
    pub(crate) embedded: &'static str,
    /// Accessible name of the view selector.
    pub(crate) page_form: &'static str,
    /// Label of the default value of a field.
    pub(crate) default: &'static str,
    /// Label of a required field.
    pub(crate) required: &'static str,
    /// Label of a deprecated field.
    pub(crate) deprecated_label: &'static str,
    /// Label of a field that only responses have.
    pub(crate) read_only: &'static str,
    /// Label of a field that only requests have.
    pub(crate) write_only: &'static str,
    /// Heading of a section of an operation.
    pub(crate) path_parameters: &'static str,
    /// Heading of a section of an operation.
    pub(crate) query_parameters: &'static str,
    /// Heading of a section of an operation.
    pub(crate) headers: &'static str,
    /// Heading of a section of an operation.
    pub(crate) cookies: &'static str,
    /// Heading of a section of an operation.
    pub(crate) body: &'static str,
    /// Heading of a section of an operation.
    pub(crate) body_optional: &'static str,
    /// Heading of a section of an operation.
    pub(crate) authorization: &'static str,
    /// Heading of a section of an operation.
    pub(crate) callbacks: &'static str,
    /// Heading of a section of an operation.
    pub(crate) responses: &'static str,
    /// Heading of the arguments of an MCP tool.
    pub(crate) tool_arguments: &'static str,
    /// Heading of the result of an MCP tool, and title of its example.
    pub(crate) tool_result: &'static str,
    /// Label of an MCP tool that can delete or overwrite.
    pub(crate) tool_destructive: &'static str,
    /// Label of an MCP tool of which a repeated call has no further effect.
    pub(crate) tool_idempotent: &'static str,
    /// Label of an MCP tool that interacts with external systems.
    pub(crate) tool_open_world: &'static str,
    /// Title of the section with the links of a response.
    pub(crate) links: &'static str,
    /// Label of the example of a webhook.
    pub(crate) payload: &'static str,
    /// Text before further media types.
    pub(crate) also_as: &'static str,
    /// Text before the fields of an array's items.
    pub(crate) array_of: &'static str,
    /// Text before the values of an enumeration.
    pub(crate) allowed: &'static str,
    /// Text before an example value.
    pub(crate) example: &'static str,
    /// Text before the serialization of a value.
    pub(crate) sent_as: &'static str,
    /// Alternative without authorization.
    pub(crate) no_authorization: &'static str,
    /// Credential of mutual TLS.
    pub(crate) client_certificate: &'static str,
    /// Button that opens the playground.
    pub(crate) try_it: &'static str,
    /// The playground could not be fetched.
    pub(crate) playground_failed: &'static str,
    /// Text of the callback page after authorization.
    pub(crate) close_window: &'static str,
    /// Messages of the marks on pages of previews.
    pub(crate) change_marks: ChangeMarkMessages,
    /// Messages of the playground.
    pub(crate) playground: PlaygroundMessages,
}
