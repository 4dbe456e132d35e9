"""What calls make that is larger than the memory there is: copies, pickles, specifications, worlds, pictures."""

from __future__ import annotations

import pickle

from conformance.attack.calls import CALLS, enter, model_of_a_body

# Those of the other module, and those that are entered here.
__all__ = ["CALLS"]

LARGE = "<mujoco><asset>{}</asset><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"


def _large_model(megabytes: int):
    """A model that is mostly one height field."""
    from sinew import compat

    side = int((megabytes * 2**20 / 4) ** 0.5)
    return compat.MjModel.from_xml_string(
        LARGE.format(f"<hfield name='h' size='1 1 1 1' nrow='{side}' ncol='{side}'/>")
    )


@enter
def pickles_of_a_large_model():
    model = _large_model(90)
    kept = [pickle.loads(pickle.dumps(model)) for _ in range(20)]
    assert len(kept) == 20


@enter
def copies_of_a_large_model():
    import copy

    model = _large_model(90)
    kept = [copy.copy(model) for _ in range(20)]
    assert len(kept) == 20


@enter
def binary_files_of_a_large_model():
    import os
    import tempfile

    from sinew import compat

    model = _large_model(90)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.mjb")
        compat.mj_saveModel(model, path)
        kept = [compat.MjModel.from_binary_path(path) for _ in range(20)]
    assert len(kept) == 20


@enter
def a_specification_of_too_many_bodies():
    from sinew import compat

    spec = compat.MjSpec()
    for _ in range(3_000_000):
        spec.worldbody.add_geom(size=[0.1, 0.1, 0.1])
    spec.compile()


@enter
def copies_of_a_specification():
    from sinew import compat

    text = "<mujoco><worldbody>" + "<geom size='.1'/>" * 60_000 + "</worldbody></mujoco>"
    spec = compat.MjSpec.from_string(text)
    kept = [spec.copy() for _ in range(100)]
    assert len(kept) == 100


@enter
def a_specification_with_long_lists():
    import numpy as np

    from sinew import compat

    spec = compat.MjSpec()
    for number in range(100):
        spec.add_mesh(name=f"m{number}", uservert=np.zeros(3 * 10**6))
    spec.compile()


def _text_of(numbers: int) -> None:
    """Writes a mesh of random vertices as text."""
    import numpy as np

    from sinew import compat

    spec = compat.MjSpec()
    spec.add_mesh(name="m", uservert=np.random.default_rng(1).random(3 * numbers))
    spec.to_xml()


@enter
def a_text_of_long_lists():
    _text_of(3 * 10**6)


@enter
def a_text_of_lists_that_nearly_fit():
    _text_of(10**6)


@enter
def a_text_of_many_entities():
    from sinew import compat

    spec = compat.MjSpec()
    spec.add_text(name="t", data="&" * 10**8)
    spec.to_xml()


@enter
def a_text_of_deep_classes():
    from sinew import compat

    spec = compat.MjSpec()
    above = spec.default
    for number in range(20_000):
        above = spec.add_default(f"c{number}", above)
    spec.to_xml()


@enter
def a_texture_of_many_bytes():
    from sinew import compat

    spec = compat.MjSpec()
    for number in range(20):
        texture = spec.add_texture(
            name=f"t{number}", type=compat.mjtTexture.mjTEXTURE_2D, width=8000, height=8000, nchannel=3
        )
        texture.data = bytes(8000 * 8000 * 3)
    spec.compile()


@enter
def a_specification_attached_again_and_again():
    from sinew import compat

    spec = compat.MjSpec()
    for number in range(30):
        child = spec.copy()
        child.worldbody.add_body(name="b").add_geom(size=[1, 1, 1])
        frame = spec.worldbody.add_frame()
        spec.attach(child, prefix=f"p{number}-", frame=frame)
    spec.compile()


@enter
def worlds_without_end():
    import sinew

    sinew.Batch(model_of_a_body(), 10**7).step()


@enter
def worlds_without_end_on_a_device():
    import sinew

    sinew.Batch(model_of_a_body(), 10**7, device="emulated").step()


@enter
def snapshots_of_many_worlds():
    import sinew

    batch = sinew.Batch(model_of_a_body(), 20_000)
    kept = [batch.save() for _ in range(200)]
    assert len(kept) == 200


@enter
def pickles_of_many_worlds():
    import sinew

    batch = sinew.Batch(model_of_a_body(), 20_000)
    kept = [pickle.loads(pickle.dumps(batch)) for _ in range(60)]
    assert len(kept) == 60


@enter
def a_rollout_of_many_worlds():
    import sinew

    sinew.Batch(model_of_a_body(), 1000).rollout(nstep=10**6)


@enter
def a_large_picture():
    from sinew import compat

    model = model_of_a_body()
    renderer = compat.Renderer(model, 20_000, 20_000)
    data = compat.MjData(model)
    compat.mj_forward(model, data)
    renderer.update_scene(data)
    renderer.render()


@enter
def pictures_of_many_worlds():
    import sinew

    sinew.Batch(model_of_a_body(), 1000).render(width=1000, height=1000)


@enter
def a_scene_of_a_billion_geoms():
    from sinew import compat

    model = model_of_a_body()
    scene = compat.MjvScene(model, 10**9)
    data = compat.MjData(model)
    compat.mj_forward(model, data)
    compat.mjv_updateScene(
        model, data, compat.MjvOption(), None, compat.MjvCamera(), compat.mjtCatBit.mjCAT_ALL.value, scene
    )


def _wide_model(count: int, option: str = ""):
    """A model with many degrees of freedom."""
    from sinew import compat

    body = "<body><joint type='slide'/><geom size='.01'/></body>"
    copies = f"<replicate count='{count}' offset='1 0 0'>{body}</replicate>"
    return compat.MjModel.from_xml_string(f"<mujoco><option {option}/><worldbody>{copies}</worldbody></mujoco>")


@enter
def a_full_inertia():
    import numpy as np

    from sinew import compat

    model = _wide_model(12_000)
    data = compat.MjData(model)
    compat.mj_forward(model, data)
    full = np.zeros((model.nv, model.nv))
    compat.mj_fullM(model, full, data.qM)


@enter
def derivatives_of_a_wide_model():
    import numpy as np

    from sinew import compat

    model = _wide_model(3000)
    data = compat.MjData(model)
    size = 2 * model.nv
    compat.mjd_transitionFD(model, data, 1e-6, True, np.zeros((size, size)), None, None, None)


@enter
def implicit_steps_of_a_wide_model():
    from sinew import compat

    for integrator in ("implicit", "implicitfast", "RK4"):
        model = _wide_model(9000, f'integrator="{integrator}"')
        compat.mj_step(model, compat.MjData(model))


@enter
def rays_without_end():
    import numpy as np

    from sinew import compat

    model = model_of_a_body()
    data = compat.MjData(model)
    compat.mj_forward(model, data)
    count = 5_000_000
    geom, distance = np.zeros(count, np.int32), np.zeros(count)
    compat.mj_multiRay(model, data, np.zeros(3), np.ones(3 * count), None, 1, -1, geom, distance, None, count, 1e9)


@enter
def an_archive_that_unpacks_to_too_much():
    import io
    import zipfile

    from sinew import compat

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.xml", LARGE.format(""))
        for number in range(8):
            archive.writestr(f"{number}.bin", bytes(100 << 20))
    compat.MjSpec.from_zip(packed).compile()


@enter
def more_threads_than_any_machine_has():
    import sinew

    sinew.Batch(model_of_a_body(), 8, threads=10**9).step()


@enter
def simulations_without_end():
    from sinew import compat

    model = compat.MjModel.from_xml_string("<mujoco><size nuserdata='20000'/></mujoco>")
    kept = [compat.MjData(model) for _ in range(30_000)]
    assert len(kept) == 30_000


@enter
def small_models_without_end():
    import copy

    model = _large_model(1)
    kept = [copy.copy(model) for _ in range(5000)]
    assert len(kept) == 5000
