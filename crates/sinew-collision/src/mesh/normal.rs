//! Vertex normals of a triangle mesh.
//!
//! The normal of a vertex is the sum of the normals of its faces weighted by their area,
//! n = Σ Aᵢnᵢ, stored as 32-bit floats. Without smoothing, faces that stand at more than
//! acos(0.8) ≈ 37° from that sum are taken out again, so that edges stay sharp. Conforms to
//! `mjCMesh::MakeNormal`, including the 32-bit accumulation.

use super::{Face, corners};
use sinew_math::{MIN_VALUE, Vec3, quotient};

/// Cosine of the angle beyond which a face does not bend a vertex normal.
const SHARP_EDGE: f64 = 0.8;

/// Unit normals, one per vertex; (0, 0, 1) where a vertex has no area around it.
pub fn sharp(vertices: &[Vec3], faces: &[Face]) -> Vec<[f32; 3]> {
    let mut normals = accumulate(vertices, faces);
    let mut removal = vec![[0.0_f32; 3]; normals.len()];
    for face in faces {
        let (direction, area) = weighted(vertices, face);
        for &vertex in face {
            let n = normals[vertex as usize];
            let (mean, _) =
                quotient::normalize3(Vec3([f64::from(n[0]), f64::from(n[1]), f64::from(n[2])]));
            if direction.dot(mean) < SHARP_EDGE {
                add(&mut removal[vertex as usize], direction, area);
            }
        }
    }
    for (normal, removed) in normals.iter_mut().zip(&removal) {
        for k in 0..3 {
            normal[k] -= removed[k];
        }
    }
    normalize(&mut normals);
    normals
}

/// Unit normals, one per vertex, averaged over all faces around it.
pub fn smooth(vertices: &[Vec3], faces: &[Face]) -> Vec<[f32; 3]> {
    let mut normals = accumulate(vertices, faces);
    normalize(&mut normals);
    normals
}

fn accumulate(vertices: &[Vec3], faces: &[Face]) -> Vec<[f32; 3]> {
    let mut normals = vec![[0.0_f32; 3]; vertices.len()];
    for face in faces {
        let (direction, area) = weighted(vertices, face);
        for &vertex in face {
            add(&mut normals[vertex as usize], direction, area);
        }
    }
    normals
}

/// Direction and weight of a face; weight 0 for a degenerate one.
#[inline]
fn weighted(vertices: &[Vec3], face: &Face) -> (Vec3, f64) {
    let [a, b, c] = corners(vertices, face);
    quotient::normalize3((b - a).cross(c - a))
}

/// Adds in double precision and rounds the sum to single.
#[inline]
fn add(sum: &mut [f32; 3], direction: Vec3, area: f64) {
    for k in 0..3 {
        sum[k] = (f64::from(sum[k]) + direction[k] * area) as f32;
    }
}

fn normalize(normals: &mut [[f32; 3]]) {
    for n in normals {
        let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
        if f64::from(length) > MIN_VALUE {
            for component in n {
                *component /= length;
            }
        } else {
            *n = [0.0, 0.0, 1.0];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::vec3;

    /// Two unit squares meeting at a right angle along the y axis.
    fn corner() -> (Vec<Vec3>, Vec<Face>) {
        let vertices = vec![
            vec3(0.0, 0.0, 0.0),
            vec3(0.0, 1.0, 0.0),
            vec3(1.0, 0.0, 0.0),
            vec3(1.0, 1.0, 0.0),
            vec3(0.0, 0.0, 1.0),
            vec3(0.0, 1.0, 1.0),
        ];
        let faces = vec![[0, 2, 3], [0, 3, 1], [0, 1, 5], [0, 5, 4]];
        (vertices, faces)
    }

    #[test]
    fn smooth_edge_points_between_the_faces_and_a_sharp_one_falls_back_to_the_z_axis() {
        let (vertices, faces) = corner();
        let half = 0.5_f32.sqrt();
        assert_eq!(smooth(&vertices, &faces)[0], [half, 0.0, half]);
        // Both faces are at 45° from their mean, so nothing remains of it.
        assert_eq!(sharp(&vertices, &faces)[0], [0.0, 0.0, 1.0]);
        assert_eq!(sharp(&vertices, &faces)[3], [0.0, 0.0, 1.0]);
        assert_eq!(sharp(&vertices, &faces)[5], [1.0, 0.0, 0.0]);
    }
}
