//! Enumerations whose values are words of the file.

/// Defines an enumeration with its words: `ALL`, `name()` and `from_name()`.
macro_rules! string_enum {
    // Only the decoder needs the words: no public functions.
    (private $name:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        enum $name {
            $($variant),+
        }

        impl crate::decode::Word for $name {
            const WORDS: &'static [Self] = &[$(Self::$variant),+];

            fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }
        }
    };
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$variant_meta])* #[doc = concat!("`", $word, "`.")] $variant),+
        }

        impl $name {
            /// All values, in the order of the specification.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word in the file.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }

            /// The value that a word means; exact spelling.
            pub fn from_name(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.name() == word)
            }
        }

        impl crate::decode::Word for $name {
            const WORDS: &'static [Self] = Self::ALL;

            fn word(self) -> &'static str {
                self.name()
            }
        }
    };
}

pub(crate) use string_enum;
