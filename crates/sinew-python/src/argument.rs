//! Functions under the reference's names: what their arguments are, said by types.
//!
//! ```text
//! functions! {
//!     /// Rotation matrix of a quaternion.
//!     fn mju_quat2Mat(res: Fixed<9>, quat: Vector<4>) { res.put(Quat(quat.0).to_mat().0) }
//! }
//! ```
//!
//! The types of the arguments check what the caller has given before anything runs, in the order of the arguments, and
//! know how the type stubs spell them. Arrays are in [`crate::array`].

use crate::data::NativeData;
use crate::model::NativeModel;
use crate::structure::Extent;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use sinew::model::Model;
use std::sync::RwLockReadGuard;

/// What a caller may give for one argument.
pub trait Argument: Sized {
    /// How the type stubs spell it.
    const TEXT: &'static str;
    /// The same if there need not be one.
    const OPTIONAL: &'static str;
    /// Whether it is an object of a class of ours, about which the caller is told in more words.
    const IS_OBJECT: bool = false;

    /// The argument with this name, or `TypeError`.
    fn take(value: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Self>;

    /// The argument if there is none.
    fn absent(name: &'static str) -> PyResult<Self> {
        Err(wrong(format!("{name} is needed, not None")))
    }
}

impl<A: Argument> Argument for Option<A> {
    const TEXT: &'static str = A::OPTIONAL;
    const OPTIONAL: &'static str = A::OPTIONAL;

    fn take(value: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Self> {
        A::take(value, name).map(Some)
    }

    fn absent(_: &'static str) -> PyResult<Self> {
        Ok(None)
    }
}

/// An argument that does not fit.
pub fn wrong(message: String) -> PyErr {
    PyTypeError::new_err(message)
}

/// All arguments of one call, by name.
pub struct Given<'a, 'py> {
    /// The function.
    pub function: &'static str,
    /// Its arguments; what is `None` was None or left out.
    pub values: &'a [(&'static str, Option<&'a Bound<'py, PyAny>>)],
}

impl Given<'_, '_> {
    /// One of them.
    #[inline]
    pub fn take<A: Argument>(
        &self,
        value: Option<&Bound<'_, PyAny>>,
        name: &'static str,
    ) -> PyResult<A> {
        let taken = match value {
            Some(value) => A::take(value, name),
            None => A::absent(name),
        };
        match taken {
            Err(_) if A::IS_OBJECT => Err(self.refuse()),
            taken => taken,
        }
    }

    /// What is wrong with the objects among the arguments, in the words of `sinew/compat/_arguments.py`.
    #[cold]
    fn refuse(&self) -> PyErr {
        let refuse = |py: Python<'_>| {
            let given = PyDict::new(py);
            for (name, value) in self.values {
                given.set_item(spelled(name), value)?;
            }
            let module = py.import("sinew.compat._arguments")?;
            module.call_method1("refuse", (self.function, given))?;
            Err(wrong(format!("{}() needs other objects", self.function)))
        };
        let refused: PyResult<()> = Python::attach(refuse);
        refused.err().unwrap_or_else(|| wrong(String::new()))
    }
}

/// Declares functions, adds them to the module and says what they take.
macro_rules! functions {
    ($(
        $(#[$meta:meta])*
        fn $name:ident($($argument:ident: $kind:ty $(= $default:tt)?),* $(,)?) $(-> $result:ty)? { $($body:tt)* }
    )*) => {
        $(
            $(#[$meta])*
            #[pyo3::pyfunction]
            #[pyo3(signature = ($($argument $(= $default)?),*))]
            #[allow(clippy::too_many_arguments)]
            fn $name(
                $($argument: Option<&pyo3::Bound<'_, pyo3::PyAny>>),*
            ) -> pyo3::PyResult<crate::argument::result!($($result)?)> {
                let given = crate::argument::Given {
                    function: stringify!($name),
                    values: &[$((stringify!($argument), $argument)),*],
                };
                $( let $argument: $kind = given.take($argument, stringify!($argument))?; )*
                $($body)*
            }
        )*

        /// Adds the functions to the module, and their signatures to the table.
        pub fn add(
            module: &pyo3::Bound<'_, pyo3::types::PyModule>,
            signatures: &pyo3::Bound<'_, pyo3::types::PyDict>,
        ) -> pyo3::PyResult<()> {
            use crate::argument::{Answer, Argument, signature};
            use pyo3::types::{PyDictMethods, PyModuleMethods};
            $(
                module.add_function(pyo3::wrap_pyfunction!($name, module)?)?;
                let arguments: &[(&str, &str, &str)] = &[$(
                    (stringify!($argument), <$kind as Argument>::TEXT, concat!($(" = ", stringify!($default))?)),
                )*];
                let result = <crate::argument::result!($($result)?) as Answer>::TEXT;
                signatures.set_item(stringify!($name), signature(arguments, result))?;
            )*
            Ok(())
        }
    };
}
pub(crate) use functions;

/// What a function returns.
macro_rules! result {
    () => {
        ()
    };
    ($result:ty) => {
        $result
    };
}
pub(crate) use result;

/// What a function may return, and how the type stubs spell it.
pub trait Answer {
    /// The spelling.
    const TEXT: &'static str;
}

impl Answer for () {
    const TEXT: &'static str = "None";
}

impl Answer for f64 {
    const TEXT: &'static str = "float";
}

impl Answer for i64 {
    const TEXT: &'static str = "int";
}

impl Answer for usize {
    const TEXT: &'static str = "int";
}

impl Answer for Option<String> {
    const TEXT: &'static str = "str | None";
}

/// A signature with annotations, as Python writes it.
pub fn signature(arguments: &[(&str, &str, &str)], result: &str) -> String {
    let spelled: Vec<String> = arguments
        .iter()
        .map(|(name, kind, default)| format!("{}: {kind}{default}", spelled(name)))
        .collect();
    format!("({}) -> {result}", spelled.join(", "))
}

/// A name that is a word of Rust, without the mark that says so.
fn spelled(name: &str) -> &str {
    name.trim_start_matches("r#")
}

/// Objects of Python with a native object inside.
macro_rules! objects {
    ($( $(#[$meta:meta])* $name:ident of $native:ty, $text:literal; )*) => { $(
        $(#[$meta])*
        pub struct $name(pub Py<$native>);

        impl Argument for $name {
            const TEXT: &'static str = $text;
            const OPTIONAL: &'static str = concat!($text, " | None");
            const IS_OBJECT: bool = true;

            #[inline]
            fn take(value: &Bound<'_, PyAny>, _: &'static str) -> PyResult<Self> {
                let native = value.getattr(intern!(value.py(), "_native"))?;
                Ok($name(native.cast_into::<$native>()?.unbind()))
            }
        }
    )* };
}

objects! {
    /// A model.
    ModelObject of NativeModel, "MjModel";
    /// A simulation.
    DataObject of NativeData, "MjData";
}

impl ModelObject {
    /// The model, for reading.
    pub fn read(&self) -> RwLockReadGuard<'_, Model> {
        self.0.get().read()
    }

    /// The same for work that relies on the structure of the model.
    pub fn checked(&self) -> PyResult<RwLockReadGuard<'_, Model>> {
        self.0.get().checked(Extent::Step)
    }

    /// The same for rays through it.
    pub fn checked_for_rays(&self) -> PyResult<RwLockReadGuard<'_, Model>> {
        self.0.get().checked(Extent::Rays)
    }
}

/// Numbers that are no arrays.
macro_rules! scalars {
    ($( $kind:ty, $text:literal, $what:literal; )*) => { $(
        impl Argument for $kind {
            const TEXT: &'static str = $text;
            const OPTIONAL: &'static str = concat!($text, " | None");

            #[inline]
            fn take(value: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Self> {
                value.extract().map_err(|_| {
                    let found = value.get_type().name();
                    let found = found.map_or_else(|_| String::new(), |found| found.to_string());
                    wrong(format!("{name} must be {}, not {found}", $what))
                })
            }
        }
    )* };
}

scalars! {
    f64, "float", "a number";
    i64, "int", "a whole number";
    i32, "int", "a whole number";
    usize, "int", "a whole number from 0";
}

/// A flag, given as a number.
pub struct Flag(pub bool);

impl Argument for Flag {
    const TEXT: &'static str = "int";
    const OPTIONAL: &'static str = "int | None";

    #[inline]
    fn take(value: &Bound<'_, PyAny>, _: &'static str) -> PyResult<Self> {
        value.is_truthy().map(Flag)
    }
}

/// Text, also as bytes.
pub struct Text(pub String);

impl Argument for Text {
    const TEXT: &'static str = "str";
    const OPTIONAL: &'static str = "str | None";

    fn take(value: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Self> {
        if let Ok(bytes) = value.cast::<PyBytes>() {
            let text = String::from_utf8_lossy(bytes.as_bytes());
            return Ok(Text(text.into_owned()));
        }
        let text = value.extract();
        text.map(Text)
            .map_err(|_| wrong(format!("{name} must be text")))
    }
}
