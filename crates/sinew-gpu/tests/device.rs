//! Without a device everything is a typed error.

use sinew_gpu::{Device, DeviceError};

#[test]
fn a_device_that_is_not_there_is_an_error() {
    // No machine has as many.
    let number = 1_000_000;
    let error = Device::find(number).err();
    let is_expected = matches!(
        error,
        Some(DeviceError::NoDriver | DeviceError::NoDevice(1_000_000))
    );
    assert!(is_expected, "{error:?}");
}
