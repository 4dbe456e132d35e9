//! Volume or area, centre of mass and inertia of a triangle mesh at unit density.
//!
//! The mesh is cut into pyramids from its faces to an apex, the area-weighted centroid of all
//! faces: V = Σ Vᵢ, c = Σ Vᵢ(¾ fᵢ + ¼ a)/V with fᵢ the face centre and a the apex. Products of
//! inertia are then summed about c from the tetrahedra (c, D, E, F):
//! ∫xy = V/20 · (2Σ DxDy + Σ DxEy + …), the shell using A/12 instead. The four modes differ in
//! the faces they take and in the sign of Vᵢ. Conforms to `mjCMesh::ComputeVolume`,
//! `ComputeSurfaceArea` and `ComputeInertia`.

use super::triangle::measure;
use super::{Face, corners};
use sinew_math::{MIN_VALUE, Mat3, Vec3};

/// How a mesh is turned into mass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "mjtMeshInertia")]
pub enum InertiaMode {
    /// The solid convex hull.
    Convex,
    /// The solid enclosed by the faces; needs consistent winding.
    Exact,
    /// As exact, with the absolute value of every pyramid; over-counts concave parts.
    #[default]
    Legacy,
    /// Mass on the surface.
    Shell,
}

/// Why a mesh has no mass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MassError {
    /// The faces have no area.
    AreaTooSmall,
    /// The faces enclose no volume.
    VolumeTooSmall,
    /// More faces point inwards than outwards.
    VolumeNegative,
}

/// Mass properties at unit density.
#[derive(Clone, Copy, Debug)]
pub struct MassProperties {
    /// Volume, or area for a shell.
    pub measure: f64,
    /// Centre of mass.
    pub center: Vec3,
    /// Inertia about the centre of mass, in the axes of the vertices.
    pub inertia: Mat3,
}

/// Mass properties of a mesh; `hull` is read for [`InertiaMode::Convex`] only.
pub fn properties(
    vertices: &[Vec3],
    faces: &[Face],
    hull: &[Face],
    mode: InertiaMode,
) -> Result<MassProperties, MassError> {
    let apex = face_centroid(vertices, faces).ok_or(MassError::AreaTooSmall)?;
    let (center, solid) = if mode == InertiaMode::Shell {
        let (area, center) = surface(vertices, faces, apex);
        if area < MIN_VALUE {
            return Err(MassError::AreaTooSmall);
        }
        (center, faces)
    } else {
        let solid = if mode == InertiaMode::Convex {
            hull
        } else {
            faces
        };
        let (volume, center) = volume(vertices, solid, apex, mode);
        if volume < 0.0 {
            return Err(MassError::VolumeNegative);
        }
        if volume.is_nan() || volume < MIN_VALUE {
            return Err(MassError::VolumeTooSmall);
        }
        (center, solid)
    };
    let (measure, inertia) = inertia(vertices, solid, center, mode);
    Ok(MassProperties {
        measure,
        center,
        inertia,
    })
}

/// Area-weighted mean of the face centres; `None` without area.
fn face_centroid(vertices: &[Vec3], faces: &[Face]) -> Option<Vec3> {
    let mut sum = Vec3::ZERO;
    let mut total = 0.0;
    for face in faces {
        let t = measure(corners(vertices, face));
        sum += t.center * t.area;
        total += t.area;
    }
    if total >= MIN_VALUE {
        Some(divide(sum, total))
    } else {
        None
    }
}

fn volume(vertices: &[Vec3], faces: &[Face], apex: Vec3, mode: InertiaMode) -> (f64, Vec3) {
    let mut total = 0.0;
    let mut sum = Vec3::ZERO;
    for face in faces {
        let t = measure(corners(vertices, face));
        let mut volume = (t.center - apex).dot(t.normal) * t.area / 3.0;
        if mode == InertiaMode::Legacy {
            volume = volume.abs();
        }
        total += volume;
        sum += pyramid_center(t.center, apex) * volume;
    }
    if total >= MIN_VALUE {
        sum = divide(sum, total);
    }
    (total, sum)
}

fn surface(vertices: &[Vec3], faces: &[Face], apex: Vec3) -> (f64, Vec3) {
    let mut total = 0.0;
    let mut sum = Vec3::ZERO;
    for face in faces {
        let t = measure(corners(vertices, face));
        total += t.area;
        // The reference weights the shell with pyramid centres as well.
        sum += pyramid_center(t.center, apex) * t.area;
    }
    if total >= MIN_VALUE {
        sum = divide(sum, total);
    }
    (total, sum)
}

#[inline]
fn pyramid_center(base: Vec3, apex: Vec3) -> Vec3 {
    Vec3([
        base[0] * 3.0 / 4.0 + apex[0] / 4.0,
        base[1] * 3.0 / 4.0 + apex[1] / 4.0,
        base[2] * 3.0 / 4.0 + apex[2] / 4.0,
    ])
}

/// Measure and inertia about `center`.
fn inertia(vertices: &[Vec3], faces: &[Face], center: Vec3, mode: InertiaMode) -> (f64, Mat3) {
    const AXES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
    let mut total = 0.0;
    let mut products = [0.0; 6];
    for face in faces {
        let [d, e, f] = corners(vertices, face).map(|v| v - center);
        let t = measure([d, e, f]);
        let mut volume = if mode == InertiaMode::Shell {
            t.area
        } else {
            t.center.dot(t.normal) * t.area / 3.0
        };
        if mode == InertiaMode::Legacy {
            volume = volume.abs();
        }
        total += volume;
        let divisor = if mode == InertiaMode::Shell {
            12.0
        } else {
            20.0
        };
        for (sum, (i, j)) in products.iter_mut().zip(AXES) {
            *sum += volume / divisor
                * (2.0 * (d[i] * d[j] + e[i] * e[j] + f[i] * f[j])
                    + d[i] * e[j]
                    + d[j] * e[i]
                    + d[i] * f[j]
                    + d[j] * f[i]
                    + e[i] * f[j]
                    + e[j] * f[i]);
        }
    }
    let [xx, yy, zz, xy, xz, yz] = products;
    (
        total,
        Mat3([yy + zz, -xy, -xz, -xy, xx + zz, -yz, -xz, -yz, xx + yy]),
    )
}

#[inline]
fn divide(v: Vec3, s: f64) -> Vec3 {
    Vec3([v[0] / s, v[1] / s, v[2] / s])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box of half sizes (1, 2, 3) centred at (5, 0, 0).
    fn cuboid() -> (Vec<Vec3>, Vec<Face>) {
        let mut vertices = Vec::new();
        for z in [-3.0, 3.0] {
            for y in [-2.0, 2.0] {
                for x in [4.0, 6.0] {
                    vertices.push(Vec3([x, y, z]));
                }
            }
        }
        let faces = vec![
            [0, 2, 3],
            [0, 3, 1],
            [4, 5, 7],
            [4, 7, 6],
            [0, 1, 5],
            [0, 5, 4],
            [2, 6, 7],
            [2, 7, 3],
            [0, 4, 6],
            [0, 6, 2],
            [1, 3, 7],
            [1, 7, 5],
        ];
        (vertices, faces)
    }

    #[test]
    fn box_has_its_closed_form_mass_properties_in_every_solid_mode() {
        let (vertices, faces) = cuboid();
        for mode in [InertiaMode::Convex, InertiaMode::Exact, InertiaMode::Legacy] {
            let mass = properties(&vertices, &faces, &faces, mode).unwrap();
            assert!((mass.measure - 48.0).abs() < 1e-12);
            assert!((mass.center - Vec3([5.0, 0.0, 0.0])).norm() < 1e-14);
            let expected = [13.0, 10.0, 5.0].map(|s| 48.0 / 3.0 * s);
            for k in 0..3 {
                assert!((mass.inertia[4 * k] - expected[k]).abs() < 1e-11);
            }
        }
        let shell = properties(&vertices, &faces, &[], InertiaMode::Shell).unwrap();
        assert!((shell.measure - 88.0).abs() < 1e-12);
    }

    #[test]
    fn inside_out_box_has_negative_volume_unless_signs_are_ignored() {
        let (vertices, mut faces) = cuboid();
        for face in &mut faces {
            face.swap(0, 1);
        }
        let exact = properties(&vertices, &faces, &[], InertiaMode::Exact);
        assert_eq!(exact.err(), Some(MassError::VolumeNegative));
        assert!(properties(&vertices, &faces, &[], InertiaMode::Legacy).is_ok());
    }
}
