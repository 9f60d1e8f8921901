//! Attributes that are valid on all tags: global attributes of HTML, and those of parent components.

use super::prop::props;

props! { COMMON:
    ID = prop("id", Text, "Anchor");
    CLASS_NAME = prop("className", Text, "Class names");
    CLASS = prop("class", Text, "Class names");
    STYLE = prop("style", Any, "CSS declarations");
    KEY = prop("key", Any, "Key of a list item in JSX; has no effect");
    REF = prop("ref", Any, "Reference in JSX; has no effect");
    CHILDREN = prop("children", Any, "Content");
    LANG = prop("lang", Text, "Language");
    DIR = prop("dir", Text, "Text direction");
    ROLE = prop("role", Text, "ARIA role");
    TITLE = prop("title", Text, "Title");
    ICON = prop("icon", Icon, "Icon");
    ICON_TYPE = prop("iconType", Text, "Style of the icon");
    ICON_LIBRARY = prop("iconLibrary", Text, "Library of the icon");
    NO_ANCHOR = prop("noAnchor", Flag, "Without a link to itself");
}
