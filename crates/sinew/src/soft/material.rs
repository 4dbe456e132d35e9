//! What soft objects are made of.
//!
//! Numbers are those of everyday things, rounded: they look right, and are no measurements.

/// A material.
///
/// ```
/// use sinew::soft::{ClothMaterial, Material};
/// let stiffer = Material { young: 1e8, ..ClothMaterial::Silk.into() };
/// assert_eq!(stiffer.density, 400.0, "silk but for what it says");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Young's modulus, Pa.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// kg/m³
    pub density: f64,
    /// Coefficient of sliding friction.
    pub friction: f64,
    /// Thickness of cloth, diameter of ropes, and twice the distance that soft bodies keep from others, m.
    pub thickness: f64,
    /// Part of the velocity that goes in a second.
    pub damping: f64,
}

macro_rules! materials {
    ($( $(#[$doc:meta])* $name:ident { $( $(#[$member_doc:meta])* $member:ident = [$($number:expr),*], )* } )*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $( $(#[$member_doc])* $member, )*
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [$name] = &[ $( $name::$member, )* ];
        }

        impl From<$name> for Material {
            fn from(name: $name) -> Material {
                let [young, poisson, density, friction, thickness, damping] = match name {
                    $( $name::$member => [$($number),*], )*
                };
                Material { young, poisson, density, friction, thickness, damping }
            }
        }
    )* };
}

materials! {
    /// Materials of cloth.
    ///
    /// ```
    /// use sinew::soft::{Material, ClothMaterial};
    /// let heaviest = ClothMaterial::ALL.iter().map(|&name| Material::from(name).density).fold(0.0, f64::max);
    /// assert!(heaviest > 500.0);
    /// ```
    ClothMaterial {
        /// Cotton.
        Cotton = [5e6, 0.3, 500.0, 0.6, 0.002, 0.5],
        /// Silk: thin and smooth.
        Silk = [1e7, 0.25, 400.0, 0.25, 0.001, 0.3],
        /// Leather: thick and stiff.
        Leather = [5e7, 0.4, 900.0, 0.6, 0.003, 1.0],
        /// A sheet of rubber.
        Rubber = [1e6, 0.48, 1100.0, 0.9, 0.003, 1.0],
        /// Paper: hardly stretches, keeps its folds apart.
        Paper = [2e9, 0.2, 800.0, 0.4, 0.001, 0.5],
        /// A thin elastic membrane.
        Membrane = [1e5, 0.45, 1000.0, 0.5, 0.001, 1.0],
    }
    /// Materials of soft bodies.
    ///
    /// ```
    /// use sinew::soft::{Material, SoftMaterial};
    /// let heaviest = SoftMaterial::ALL.iter().map(|&name| Material::from(name).density).fold(0.0, f64::max);
    /// assert!(heaviest > 500.0);
    /// ```
    SoftMaterial {
        /// Rubber.
        Rubber = [1e6, 0.48, 1100.0, 0.9, 0.01, 0.5],
        /// Gelatin: it wobbles.
        Gelatin = [5e3, 0.45, 1050.0, 0.3, 0.01, 0.5],
        /// Soft tissue.
        SoftTissue = [2e4, 0.45, 1050.0, 0.5, 0.01, 1.0],
        /// Muscle at rest.
        Muscle = [5e4, 0.45, 1060.0, 0.5, 0.01, 1.0],
        /// Foam: light, and easily compressed.
        Foam = [2e4, 0.1, 50.0, 0.6, 0.01, 1.0],
        /// As good as rigid.
        Stiff = [1e8, 0.3, 1200.0, 0.6, 0.01, 0.5],
    }
    /// Materials of ropes.
    ///
    /// ```
    /// use sinew::soft::{Material, RopeMaterial};
    /// let heaviest = RopeMaterial::ALL.iter().map(|&name| Material::from(name).density).fold(0.0, f64::max);
    /// assert!(heaviest > 500.0);
    /// ```
    RopeMaterial {
        /// A rope of hemp.
        Rope = [1e9, 0.3, 800.0, 0.6, 0.02, 0.5],
        /// A cable of steel.
        SteelCable = [1e11, 0.3, 6000.0, 0.3, 0.01, 0.2],
        /// A hair, thick enough to be seen.
        Hair = [4e9, 0.3, 1300.0, 0.3, 0.002, 1.0],
        /// A chain: heavy, and free to bend.
        Chain = [1e10, 0.3, 5000.0, 0.3, 0.015, 0.2],
    }
}
