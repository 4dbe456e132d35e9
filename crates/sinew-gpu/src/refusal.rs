//! What a model may have that kernels do not compute.

use core::fmt;

macro_rules! refusals {
    ($( $name:ident = $text:literal, )*) => {
        /// Why the kernels do not compute a model: the first thing it has that they do not know.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Refusal {
            $( #[doc = concat!("The model has ", $text, ".")] $name, )*
        }

        impl Refusal {
            /// All of them, in the order in which they are looked for.
            pub const ALL: &[Refusal] = &[ $( Refusal::$name, )* ];

            /// What the model has.
            pub const fn name(self) -> &'static str {
                match self { $( Refusal::$name => $text, )* }
            }
        }
    };
}

refusals! {
    EnabledManyContacts = "the enable flag `multiccd`",
    EnabledSleep = "the enable flag `sleep`",
    Solver = "the solver `PGS`",
    Noslip = "noslip iterations",
    Implicit = "the integrator `implicit`",
    NothingMoves = "nothing that moves",
    Delays = "delays",
    Plugins = "plugins",
    Laws = "laws of its own",
    Flexes = "flexes",
    Gain = "gains of user code",
    Activation = "activations of user code",
    ManyActivations = "actuators with several activations",
    Bias = "biases of user code",
    InnerContacts = "contacts within one rigid part",
    OldConvex = "convex shapes and the disable flag `nativeccd`",
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An error if something is so.
pub(crate) fn refuse(is_refused: bool, reason: Refusal) -> Result<(), Refusal> {
    if is_refused { Err(reason) } else { Ok(()) }
}
