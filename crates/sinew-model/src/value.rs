//! Single arrays of values, for whoever writes the same ones again and again: worlds that share a
//! structure and differ in some values take turns in one model.
//!
//! Only double-precision values can be written this way. What simulations keep of a model, and with which
//! [`Version`](crate::version::Version) they keep it, comes from the vertices of meshes, which are none: so a
//! version outlasts the writing.

use crate::column::{ColumnMut, Number};
use crate::model::{Model, ModelArrays};
use crate::options::{Options, Statistic};

/// One array of values of a model, options or statistics.
#[derive(Clone, Copy, Debug)]
pub struct Value(Writer);

#[derive(Clone, Copy, Debug)]
enum Writer {
    Column(fn(&mut ModelArrays) -> ColumnMut<'_>),
    Option(fn(&mut Options) -> ColumnMut<'_>),
    Statistic(fn(&mut Statistic) -> ColumnMut<'_>),
}

impl Value {
    /// All of them: columns under their names, then options as `opt.gravity` and statistics as
    /// `stat.meaninertia`.
    pub fn all() -> impl Iterator<Item = (String, Value)> {
        let columns = ModelArrays::WRITERS.iter().map(|&w| Writer::Column(w));
        let options = Options::WRITERS.iter().map(|&w| Writer::Option(w));
        let statistics = Statistic::WRITERS.iter().map(|&w| Writer::Statistic(w));
        let mut model = Model::default();
        let all = columns.chain(options).chain(statistics);
        all.filter_map(move |writer| {
            let column = writer.column(&mut model);
            let is_value = column.number == Number::F64 && column.meaning.is_value();
            let prefix = match writer {
                Writer::Column(_) => "",
                Writer::Option(_) => "opt.",
                Writer::Statistic(_) => "stat.",
            };
            is_value.then(|| (format!("{prefix}{}", column.name), Value(writer)))
        })
    }

    /// The array of that name.
    pub fn named(name: &str) -> Option<Value> {
        let mut all = Value::all();
        all.find_map(|(known, value)| (known == name).then_some(value))
    }

    /// The array of a model, for writing.
    #[inline]
    pub fn of(self, model: &mut Model) -> &mut [f64] {
        bytemuck::cast_slice_mut(self.0.column(model).bytes)
    }

    /// Number of rows, and numbers per row unless the array is one-dimensional. An option has one
    /// row; if it is a single number, no dimension at all.
    pub fn shape(self, model: &mut Model) -> Vec<usize> {
        let column = self.0.column(model);
        match self.0 {
            Writer::Column(_) => [column.rows].into_iter().chain(column.width).collect(),
            Writer::Option(_) | Writer::Statistic(_) => column.width.into_iter().collect(),
        }
    }
}

impl Writer {
    #[inline]
    fn column(self, model: &mut Model) -> ColumnMut<'_> {
        match self {
            Writer::Column(writer) => writer(model.arrays_mut()),
            Writer::Option(writer) => writer(&mut model.opt),
            Writer::Statistic(writer) => writer(&mut model.stat),
        }
    }
}

impl Model {
    /// Sets how many bodies have their weight carried, which `set_constants` of the engine counts.
    pub fn set_floating_bodies(&mut self, count: usize) {
        self.arrays_mut().ngravcomp = count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_the_array_of_its_name_and_writing_it_keeps_the_version() {
        let mut model = Model::default();
        model.unchecked().nbody = 2;
        model.unchecked().allocate();
        let version = model.version();
        let mass = Value::named("body_mass").expect("there is one");
        mass.of(&mut model)[1] = 3.0;
        assert_eq!(model.body_mass, [0.0, 3.0]);
        let position = Value::named("body_pos").expect("there is one");
        position.of(&mut model)[4] = 0.5;
        assert_eq!(model.body_pos[1].0, [0.0, 0.5, 0.0]);
        let gravity = Value::named("opt.gravity").expect("there is one");
        gravity.of(&mut model).fill(1.0);
        assert_eq!(model.opt.gravity.0, [1.0; 3]);
        let shapes = [mass, position, gravity].map(|value| value.shape(&mut model));
        assert_eq!(shapes, [vec![2], vec![2, 3], vec![3]]);
        let timestep = Value::named("opt.timestep").expect("there is one");
        assert_eq!(timestep.shape(&mut model), []);
        model.set_floating_bodies(1);
        assert_eq!(model.ngravcomp, 1);
        assert!(version.is_of(&model));
    }

    #[test]
    fn structure_and_what_versions_stand_for_cannot_be_written() {
        for name in [
            "body_parentid",
            "mesh_vert",
            "geom_rgba",
            "opt.solver",
            "gravity",
            "names",
        ] {
            assert!(Value::named(name).is_none(), "{name}");
        }
        assert!(Value::all().count() > 100);
    }
}
