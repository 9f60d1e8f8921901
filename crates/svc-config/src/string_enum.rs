//! Enumerations whose values are strings in `docs.json`.

/// Defines an enumeration and the names of its variants: `ALL`, `name()` and `from_name()`.
macro_rules! string_enum {
    // Only the decoder needs the names, so there are no public functions.
    (private $name:ident { $($variant:ident = $value:literal),+ $(,)? }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        enum $name {
            $($variant),+
        }

        impl crate::decode::StringEnum for $name {
            const VARIANTS: &'static [Self] = &[$(Self::$variant),+];

            fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $value),+
                }
            }
        }
    };
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $value:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$variant_meta])* #[doc = concat!("`", $value, "`.")] $variant),+
        }

        impl $name {
            /// All values, in the order of the specification.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name of the variant in the file; [`from_name`](Self::from_name) has an example.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $value),+
                }
            }

            /// The variant of a name, compared exactly; None if the name is unknown.
            ///
            /// ```
            #[doc = concat!("use svc_config::", stringify!($name), ";")]
            #[doc = concat!("for value in ", stringify!($name), "::ALL {")]
            #[doc = concat!("    assert_eq!(", stringify!($name), "::from_name(value.name()), Some(*value));")]
            /// }
            /// ```
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.name() == name)
            }
        }

        impl crate::decode::StringEnum for $name {
            const VARIANTS: &'static [Self] = Self::ALL;

            fn as_str(self) -> &'static str {
                self.name()
            }
        }
    };
}

pub(crate) use string_enum;
