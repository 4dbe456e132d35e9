//! From a name to an id and back.
//!
//! All names of a model lie in one character array, each ended by a zero byte; `name_*adr` says
//! where the name of an object starts. An object without a name points at an empty one.

use crate::kinds::ObjectType;
use crate::model::ModelArrays;

impl ModelArrays {
    /// Addresses of the names of all objects of a kind; empty for kinds that have no names.
    pub fn name_addresses(&self, kind: ObjectType) -> &[i32] {
        match kind {
            ObjectType::Body | ObjectType::Xbody => &self.name_bodyadr,
            ObjectType::Joint => &self.name_jntadr,
            ObjectType::Geom => &self.name_geomadr,
            ObjectType::Site => &self.name_siteadr,
            ObjectType::Camera => &self.name_camadr,
            ObjectType::Light => &self.name_lightadr,
            ObjectType::Flex => &self.name_flexadr,
            ObjectType::Mesh => &self.name_meshadr,
            ObjectType::Skin => &self.name_skinadr,
            ObjectType::Hfield => &self.name_hfieldadr,
            ObjectType::Texture => &self.name_texadr,
            ObjectType::Material => &self.name_matadr,
            ObjectType::Pair => &self.name_pairadr,
            ObjectType::Exclude => &self.name_excludeadr,
            ObjectType::Equality => &self.name_eqadr,
            ObjectType::Tendon => &self.name_tendonadr,
            ObjectType::Actuator => &self.name_actuatoradr,
            ObjectType::Sensor => &self.name_sensoradr,
            ObjectType::Numeric => &self.name_numericadr,
            ObjectType::Text => &self.name_textadr,
            ObjectType::Tuple => &self.name_tupleadr,
            ObjectType::Key => &self.name_keyadr,
            ObjectType::Plugin => &self.name_pluginadr,
            ObjectType::Unknown
            | ObjectType::Dof
            | ObjectType::Frame
            | ObjectType::Default
            | ObjectType::Model => &[],
        }
    }

    /// The name of an object; `None` when it has none or does not exist.
    #[doc(alias = "mj_id2name")]
    pub fn name(&self, kind: ObjectType, id: usize) -> Option<&str> {
        let address = *self.name_addresses(kind).get(id)?;
        self.text_at(address).filter(|name| !name.is_empty())
    }

    /// The id of the object with this name; an empty name is nobody's.
    #[doc(alias = "mj_name2id")]
    pub fn id(&self, kind: ObjectType, name: &str) -> Option<usize> {
        if name.is_empty() {
            return None;
        }
        let addresses = self.name_addresses(kind);
        addresses
            .iter()
            .position(|&address| self.text_at(address) == Some(name))
    }

    /// The model's own name.
    pub fn model_name(&self) -> &str {
        self.text_at(0).unwrap_or("")
    }

    /// The text that starts at an address of the character array and ends before its zero byte.
    fn text_at(&self, address: i32) -> Option<&str> {
        let tail = self.names.get(usize::try_from(address).ok()?..)?;
        let length = tail.iter().position(|&byte| byte == 0)?;
        core::str::from_utf8(&tail[..length]).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;

    fn two_bodies() -> Model {
        let mut model = Model::default();
        let arrays = model.unchecked();
        arrays.nbody = 3;
        arrays.name_bodyadr = vec![6, 12, 5];
        arrays.names = b"model\0world\0arm\0".to_vec();
        model
    }

    #[test]
    fn names_and_ids_are_inverse() {
        let model = two_bodies();
        assert_eq!(model.model_name(), "model");
        for (id, name) in [(0, "world"), (1, "arm")] {
            assert_eq!(model.name(ObjectType::Body, id), Some(name));
            assert_eq!(model.id(ObjectType::Body, name), Some(id));
        }
    }

    #[test]
    fn what_does_not_exist_has_no_name_and_no_id() {
        let model = two_bodies();
        assert_eq!(model.name(ObjectType::Body, 2), None, "unnamed");
        assert_eq!(model.name(ObjectType::Body, 3), None, "out of range");
        assert_eq!(model.id(ObjectType::Body, ""), None);
        assert_eq!(model.id(ObjectType::Body, "ar"), None);
        assert_eq!(model.id(ObjectType::Geom, "arm"), None);
    }

    #[test]
    fn broken_addresses_are_harmless() {
        let mut model = two_bodies();
        model.unchecked().name_bodyadr = vec![-1, 99, 16];
        for id in 0..3 {
            assert_eq!(model.name(ObjectType::Body, id), None);
        }
    }
}
