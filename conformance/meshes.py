"""Compares compiled meshes with the reference, mesh by mesh.

    python -m conformance.meshes [--builtin] [--variants] [--generated N] [--seed S] PATH...

PATH is a mesh file or a folder that is searched for .obj, .stl and .msh files. Every mesh is
compiled by the reference (a model with one geom) and by `mesh_products` (an example of
sinew-mjcf, built on the way), with and without hull. Prints one line per mesh that differs, then
a table of the fields. The hull's vertex set, and with it everything else, must be equal; the
order of facets is counted separately.
"""

import argparse
import collections
import pathlib
import subprocess
import sys
import tempfile
import time

import mujoco
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent


def reference(case):
    """The reference's products as arrays, or its error."""
    attributes = []
    assets = {}
    if "file" in case:
        path = pathlib.Path(case["file"])
        # A fresh name for every case: the reference caches processed meshes by name.
        name = f"{case['id']}{path.suffix}"
        assets[name] = path.read_bytes()
        attributes.append(f'file="{name}"')
    for key in ("vertex", "normal", "texcoord", "face"):
        if key in case:
            # Nine digits identify a 32-bit float.
            text = " ".join("%.9g" % x for x in np.asarray(case[key]).ravel())
            attributes.append(f'{key}="{text}"')
    for key in ("builtin", "inertia", "content_type"):
        if key in case:
            attributes.append(f'{key}="{case[key]}"')
    for key in ("params", "refpos", "refquat", "scale"):
        if key in case:
            attributes.append(key + '="' + " ".join(repr(float(x)) for x in case[key]) + '"')
    if case.get("smoothnormal"):
        attributes.append('smoothnormal="true"')
    if "maxhullvert" in case:
        attributes.append(f'maxhullvert="{case["maxhullvert"]}"')
    collides = "" if case.get("hull") else 'contype="0" conaffinity="0"'
    xml = f"""<mujoco><asset><mesh name="m" {" ".join(attributes)}/></asset><worldbody><body><geom type="mesh" mesh="m" density="1" {collides}/></body></worldbody></mujoco>"""
    start = time.perf_counter()
    try:
        m = mujoco.MjModel.from_xml_string(xml, assets)
    except ValueError as error:
        return str(error).split("\n")[0], time.perf_counter() - start
    seconds = time.perf_counter() - start
    bvh = slice(m.mesh_bvhadr[0], m.mesh_bvhadr[0] + m.mesh_bvhnum[0])
    box = m.geom_aabb[0]
    return {
        "vert": m.mesh_vert,
        "normal": m.mesh_normal,
        "texcoord": m.mesh_texcoord,
        "face": m.mesh_face,
        "facenormal": m.mesh_facenormal,
        "facetexcoord": m.mesh_facetexcoord,
        "graph": m.mesh_graph,
        "polyvertadr": m.mesh_polyvertadr,
        "polyvertnum": m.mesh_polyvertnum,
        "polyvert": m.mesh_polyvert,
        "polymapadr": m.mesh_polymapadr,
        "polymapnum": m.mesh_polymapnum,
        "polymap": m.mesh_polymap,
        "polynormal": m.mesh_polynormal,
        "bvh_depth": m.bvh_depth[bvh],
        "bvh_child": m.bvh_child[bvh],
        "bvh_nodeid": m.bvh_nodeid[bvh],
        "bvh_aabb": m.bvh_aabb[bvh],
        "pos": m.mesh_pos,
        "quat": m.mesh_quat,
        "mass": m.body_mass[1:2],
        "inertia": m.body_inertia[1],
        "aamm": np.concatenate([box[:3] - box[3:], box[:3] + box[3:]]),
    }, seconds


def ours(cases, folder):
    """Our products of all cases."""
    subprocess.run(
        ["cargo", "build", "-q", "--release", "-p", "sinew-mjcf", "--example", "mesh_products"],
        cwd=ROOT,
        check=True,
    )
    target = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--no-deps"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    import json

    program = pathlib.Path(json.loads(target)["target_directory"]) / "release/examples/mesh_products"
    lines = []
    for case in cases:
        pairs = [f"out={folder}/{case['id']}.products"]
        for key in ("vertex", "normal", "texcoord", "face"):
            if key in case:
                path = f"{folder}/{case['id']}.{key}"
                kind = "<i4" if key == "face" else "<f4"
                pathlib.Path(path).write_bytes(np.asarray(case[key]).astype(kind).tobytes())
                pairs.append(f"{key}={path}")
        for key in ("file", "content_type", "builtin", "inertia", "maxhullvert"):
            if key in case:
                pairs.append(f"{key}={case[key]}")
        for key in ("params", "refpos", "refquat", "scale"):
            if key in case:
                pairs.append(key + "=" + ",".join(repr(float(x)) for x in case[key]))
        for key in ("smoothnormal", "hull"):
            if case.get(key):
                pairs.append(f"{key}=1")
        lines.append("\t".join(pairs))
    result = subprocess.run([program], input="\n".join(lines) + "\n", capture_output=True, text=True)
    if result.returncode:
        print(result.stderr[-2000:])
    replies = result.stdout.splitlines()
    replies += ["error (no reply: crashed before)"] * (len(cases) - len(replies))
    for case, reply in zip(cases, replies):
        word, text = reply.split(" ", 1)
        if word != "ok":
            yield text, 0.0
            continue
        data = pathlib.Path(f"{folder}/{case['id']}.products").read_bytes()
        fields, at = {}, 0
        while at < len(data):
            end = data.index(b"\n", at)
            name, kind, count = data[at:end].decode().split()
            dtype = np.dtype("<" + kind)
            fields[name] = np.frombuffer(data, dtype, int(count), end + 1)
            at = end + 1 + dtype.itemsize * int(count)
        volume = fields.pop("volume")
        box = fields.pop("inertia_box")
        fields["mass"] = volume
        b = box * box
        fields["inertia"] = volume / 3 * np.array([b[1] + b[2], b[0] + b[2], b[0] + b[1]])
        yield fields, float(text)


def hull_vertices(graph):
    n = graph[0]
    return set(graph[2 + n : 2 + 2 * n].tolist())


def hull_faces(graph):
    n, f = graph[:2]
    triangles = graph[2 + 3 * n + 3 * f :].reshape(-1, 3)
    return collections.Counter(tuple(np.roll(t, -int(np.argmin(t)))) for t in triangles.tolist())


def valid_graph(graph):
    """Whether the adjacency of the graph is that of its triangles."""
    n, f = graph[:2]
    if len(graph) != 2 + 3 * n + 6 * f or f != 2 * n - 4:
        return False
    adr, ids = graph[2 : 2 + n], graph[2 + n : 2 + 2 * n]
    edges = graph[2 + 2 * n : 2 + 3 * n + 3 * f]
    triangles = graph[2 + 3 * n + 3 * f :].reshape(-1, 3)
    neighbours = collections.defaultdict(set)
    for a, b, c in triangles.tolist():
        for x, y in ((a, b), (b, c), (c, a)):
            neighbours[x].add(y)
            neighbours[y].add(x)
    for i in range(n):
        end = adr[i]
        while edges[end] != -1:
            end += 1
        if {ids[k] for k in edges[adr[i] : end].tolist()} != neighbours[ids[i]]:
            return False
    return True


def polygons(fields):
    """Polygons with normals, in an order of their own."""
    adr, num, vert = fields["polyvertadr"], fields["polyvertnum"], fields["polyvert"]
    result = collections.Counter()
    for a, n in zip(adr.tolist(), num.tolist()):
        path = vert[a : a + n]
        result[tuple(np.roll(path, -int(np.argmin(path))).tolist())] += 1
    return result


def compare(theirs, mine):
    """Names of the fields that differ; soft ones are differences of order only."""
    hard, soft = [], []
    for name, expected in theirs.items():
        expected = np.asarray(expected).ravel()
        actual = mine[name]
        if name == "graph":
            if len(expected) != len(actual):
                hard.append(name)
            elif not np.array_equal(expected, actual) and len(expected):
                if hull_vertices(expected) != hull_vertices(actual) or not valid_graph(actual):
                    hard.append(name)
                else:
                    soft.append("graph faces" if hull_faces(expected) != hull_faces(actual) else "graph order")
        elif name.startswith("poly"):
            if not np.array_equal(expected, actual):
                if name == "polynormal":
                    if len(expected) == len(actual) and np.allclose(expected, actual, atol=1e-12, equal_nan=True):
                        continue
                    soft.append(name)
                elif name == "polyvert" and polygons(theirs) != polygons(mine):
                    hard.append(name)
                else:
                    soft.append(name)
        elif expected.dtype.kind == "i" or expected.dtype == np.float32:
            if not np.array_equal(expected, actual, equal_nan=expected.dtype.kind == "f"):
                if expected.dtype.kind == "f" and expected.shape == actual.shape:
                    count = int((expected != actual).sum())
                    worst = np.abs(expected - actual).max() / max(np.abs(expected).max(), 1e-300)
                    hard.append(f"{name}({count}/{len(expected)}, {worst:.1e})")
                else:
                    hard.append(name)
        elif name in ("mass", "inertia") and theirs["mass"][0] == 0:
            continue  # too light for the reference to count
        elif expected.shape != actual.shape:
            hard.append(name)
        else:
            scale = (
                max(1.0, np.nanmax(np.abs(expected), initial=0))
                if name == "pos"
                else max(1e-300, np.nanmax(np.abs(expected), initial=0))
            )
            if not np.allclose(expected, actual, rtol=0, atol=1e-12 * scale, equal_nan=True):
                worst = np.nanmax(np.abs(expected - actual)) / scale
                hard.append(f"{name}({worst:.1e})")
    return hard, soft


def generated(count, seed):
    """Point clouds and meshes that are hard for a hull."""
    rng = np.random.default_rng(seed)
    for index in range(count):
        kind = index % 18
        n = int(rng.integers(5, 400))
        size = 10.0 ** rng.uniform(-3, 3)
        if kind == 0:
            v = rng.normal(size=(n, 3))
        elif kind == 1:
            v = rng.normal(size=(n, 3))
            v /= np.linalg.norm(v, axis=1, keepdims=True)
        elif kind == 2:
            a = rng.uniform(0, 2 * np.pi, n)
            v = np.c_[np.cos(a), np.sin(a), rng.choice([-1.0, 1.0], n)]
        elif kind == 3:
            k = int(rng.integers(2, 7))
            g = np.linspace(-1, 1, k)
            v = np.array(np.meshgrid(g, g, g)).reshape(3, -1).T
        elif kind == 4:
            k = int(rng.integers(2, 7))
            g = np.linspace(-1, 1, k)
            v = np.array(np.meshgrid(g, g, g)).reshape(3, -1).T
            q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
            v = v @ q
        elif kind == 5:
            k = int(rng.integers(3, 60))
            a = np.arange(k) * 2 * np.pi / k
            ring = np.c_[np.cos(a), np.sin(a)]
            v = np.r_[np.c_[ring, -np.ones(k)], np.c_[ring, np.ones(k)]]
        elif kind == 6:
            v = rng.normal(size=(n, 3))
            v = np.r_[v, v[rng.integers(0, n, n)]]
        elif kind == 7:
            v = rng.normal(size=(n, 3)) * [1, 1, 10.0 ** rng.uniform(-6, 0)]
        elif kind == 8:
            v = rng.integers(-2, 3, size=(n, 3)).astype(float)
        elif kind == 9:
            a, b = np.meshgrid(np.arange(20) * np.pi / 10, np.linspace(-1, 1, 12))
            v = np.c_[(np.cos(a) * np.sqrt(1 - b * b)).ravel(), (np.sin(a) * np.sqrt(1 - b * b)).ravel(), b.ravel()]
        elif kind == 10:
            v = rng.normal(size=(n, 3))
            v = np.round(v / np.linalg.norm(v, axis=1, keepdims=True), 2)
        elif kind == 12:
            # Faces in the coordinate planes, rough at the scale of round-off.
            v = rng.uniform(size=(n, 3))
            v[np.arange(n), rng.integers(0, 3, n)] = 10.0 ** rng.uniform(-18, -13, n) * rng.choice([0, 1, -1], n)
        elif kind == 13:
            a = rng.uniform(0, 2 * np.pi, n)
            v = np.c_[
                np.cos(a), np.sin(a), rng.choice([0.0, 1.0], n) + rng.normal(size=n) * 10.0 ** rng.uniform(-18, -13)
            ]
        elif kind == 14:
            v = rng.integers(-10, 11, size=(4 * n, 3)).astype(float)
        elif kind == 15:
            k = int(rng.integers(2, 12))
            g = np.arange(k) / (k - 1)
            x, y = np.meshgrid(g, g)
            z = rng.normal(size=x.shape) * 10.0 ** rng.uniform(-19, -14)
            v = np.r_[np.c_[x.ravel(), y.ravel(), z.ravel()], [[0.5, 0.5, 1]]]
        elif kind == 16:
            # Lattice points in a ball: many corners on common oblique planes.
            g = np.arange(-6, 7)
            v = np.array(np.meshgrid(g, g, g)).reshape(3, -1).T
            v = v[(v * v).sum(axis=1) <= rng.integers(4, 37)].astype(float)
        elif kind == 17:
            v = rng.uniform(size=(n, 3)) * [1, 1, 1e-14] + [0, 0, rng.choice([0, 1e-13])]
            v = np.r_[v, [[0.3, 0.3, 10.0 ** rng.uniform(-13, 0)]]]
        else:
            v = rng.normal(size=(n, 3)) * [10.0 ** rng.uniform(-4, 0), 1, 1] + rng.normal(size=3) * 10.0 ** rng.uniform(
                0, 3
            )
        case = {"name": f"generated {kind}/{index}", "vertex": (v * size).astype(np.float32), "hull": True}
        if rng.random() < 0.2:
            case["maxhullvert"] = int(rng.integers(4, 40))
        case["inertia"] = str(rng.choice(["legacy", "exact", "convex", "shell"]))
        yield case


def builtins():
    shapes = {
        "sphere": [[k] for k in range(5)],
        "hemisphere": [[k] for k in range(11)],
        "cone": [[3, 0], [8, 0.5], [40, 0.2], [5, 1]],
        "supersphere": [[5, 1, 1], [20, 0.5, 2], [31, 2, 0.3]],
        "supertorus": [[8, 0.4, 1, 1], [20, 0.5, 0.6, 2]],
        "wedge": [[4, 5, 90, 45, 0], [10, 8, 180, 90, 0.5]],
        "plate": [[3, 3], [8, 5]],
    }
    for name, lists in shapes.items():
        for params in lists:
            for hull in (False, True):
                yield {"name": f"{name} {params}", "builtin": name, "params": params, "hull": hull}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--builtin", action="store_true")
    parser.add_argument("--generated", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-hull", action="store_true")
    parser.add_argument("--variants", action="store_true", help="other scales, frames, inertia modes")
    parser.add_argument("--order", action="store_true", help="also list differences of order")
    args = parser.parse_args()
    cases = []
    for path in map(pathlib.Path, args.paths):
        files = (
            [path]
            if path.is_file()
            else sorted(p for p in path.rglob("*") if p.suffix.lower() in (".obj", ".stl", ".msh"))
        )
        for file in files:
            for hull in (False,) if args.no_hull else (False, True):
                cases.append({"name": f"{file} {'hull' if hull else ''}", "file": str(file), "hull": hull})
            if args.variants:
                for extra in (
                    {"scale": [0.001, 0.001, 0.001]},
                    {"scale": [1, -2, 3]},
                    {"refpos": [1, 2, 3], "refquat": [1, 2, 3, 4], "scale": [1, 2, 1]},
                    {"inertia": "exact"},
                    {"inertia": "convex"},
                    {"inertia": "shell"},
                    {"smoothnormal": True},
                    {"maxhullvert": 12},
                    {"maxhullvert": 40},
                ):
                    hull = "maxhullvert" in extra and not args.no_hull
                    if extra.get("inertia") == "convex" and args.no_hull:
                        continue
                    cases.append({"name": f"{file} {extra}", "file": str(file), "hull": hull, **extra})
    if args.builtin:
        cases += builtins()
    cases += generated(args.generated, args.seed)
    for index, case in enumerate(cases):
        case["id"] = f"case{index}"

    differing = collections.Counter()
    equal = errors = ordered = 0
    hulls = exact_hulls = 0
    times, names = [], []
    with tempfile.TemporaryDirectory() as folder:
        for case, (mine, mine_seconds) in zip(cases, ours(cases, folder)):
            theirs, their_seconds = reference(case)
            if isinstance(theirs, str) and "inertia must satisfy" in theirs:
                # The mesh was compiled, the body around it was refused.
                errors += isinstance(mine, str)
                continue
            if isinstance(theirs, str) or isinstance(mine, str):
                if isinstance(theirs, str) and isinstance(mine, str):
                    errors += 1
                    continue
                differing["error"] += 1
                print(
                    f"{case['name']}: theirs {theirs if isinstance(theirs, str) else 'ok'} | ours {mine if isinstance(mine, str) else 'ok'}"
                )
                continue
            times.append((their_seconds, mine_seconds))
            names.append(case["name"])
            hard, soft = compare(theirs, mine)
            if len(theirs["graph"]):
                hulls += 1
                exact_hulls += len(mine["graph"]) > 2 and hull_vertices(theirs["graph"]) == hull_vertices(mine["graph"])
            for name in hard + soft:
                differing[name.split("(")[0]] += 1
            if hard:
                print(f"{case['name']}: {', '.join(hard)}" + (f" | {', '.join(soft)}" if soft else ""))
            elif soft:
                ordered += 1
                if args.order:
                    print(f"{case['name']}: order of {', '.join(soft)}")
            else:
                equal += 1
    print(f"\n{len(cases)} cases: {equal} equal, {ordered} equal but for order, {errors} refused by both")
    print(f"hull vertex sets: {exact_hulls} of {hulls} equal")
    for name, count in differing.most_common():
        print(f"  {name}: {count}")
    if times:
        t = np.array(times).sum(axis=0)
        print(f"seconds: reference {t[0]:.2f} (whole model), ours {t[1]:.2f}")
        ratios = np.array(times)[:, 1] / np.array(times)[:, 0]
        print(
            f"ratio: geometric mean {np.exp(np.log(ratios).mean()):.2f}, largest {ratios.max():.2f} ({names[int(ratios.argmax())]})"
        )
    return int(equal + errors + ordered != len(cases))


if __name__ == "__main__":
    sys.exit(main())
