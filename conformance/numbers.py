"""Which tokens the reference reads as numbers, and what it makes of them.

Run with the reference installed:

    python -m conformance.numbers > crates/sinew-mjcf/tests/numbers/reference.txt

Each line is the type (`f64`, `f32`, `i32`), the token, and the bits read or `error`, separated by
tabs. NaNs are written `nan`, because their bits are nobody's business.
"""

import random
import struct

import mujoco

TOKENS = """
0 -0 +0 1 +1 -1 007 010 00 1.5 .5 5. +.5 -5. . +. - + -. 1e5 1E5 1e+5 1e-5 1e05 1.e5 .5e5 .e5 e5 1e
1e+ 1e- 1ee5 1e5.5 1e1e1 1,5 1;5 1_000 1f 1.0f 1d 1L 1u 1.2.3 --1 +-1 -+1 1- 1+ 1-1 0x10 0X10 0x1p3
0x1.8p-2 0x.8 0x8. 0x 0x. 0xg 0x1p 0x1p+ 0x1p-1074 -0x10 +0xAb 0x1.fffffffffffff8p0 0b1 0o7 1x inf
INF Inf iNf +inf -inf infinity INFINITY -Infinity infinit inf1 infinityx nan NaN NAN -nan +nan nan()
nan(1) nan(a_b) nan(1 nan(-) nanx 1e308 1.7976931348623157e308 1.7976931348623159e308 1e309 -1e400
1e-307 2.2250738585072014e-308 2.2250738585072011e-308 1e-310 4.9e-324 1e-324 1e-400 0e-400 0.0e999
3.4028234e38 3.4028235e38 3.4028236e38 3.5e38 1.17549435e-38 1.1754942e-38 1e-40 1e-45 1e-46 1e-60
2147483647 2147483648 -2147483648 -2147483649 99999999999 999999999999999999999999 1e3 1.0 -2.0 true
one NULL 1% $1 #1 (1) 1a a1 0.1 0.2 0.30000000000000004 123456789.123456789 9007199254740993
16777217 1.00000017881393432617187499 1.00000017881393432617187500 1.00000017881393432617187501
8.5e-1 6.02214076e23 1.602176634e-19 0.000001 1000000 1e22 1e23 8.41e21 9.5e-16 2.5E+1 -7.25E-3
""".split()

MODELS = {
    "f64": ('<mujoco><option gravity="{} 0 0"/></mujoco>', lambda m: m.opt.gravity[0], "<d"),
    "f32": ('<mujoco><visual><map stiffness="{}"/></visual></mujoco>', lambda m: m.vis.map.stiffness, "<f"),
    "i32": ('<mujoco><visual><global cameraid="{}"/></visual></mujoco>', lambda m: m.vis.global_.cameraid, "<i"),
}


def random_tokens(count: int) -> list[str]:
    """Plain decimals of many lengths and exponents, to compare the rounding."""
    generator = random.Random(20)
    tokens = []
    for _ in range(count):
        digits = "".join(generator.choice("0123456789") for _ in range(generator.randint(1, 25)))
        point = generator.randint(0, len(digits))
        exponent = generator.choice(["", f"e{generator.randint(-30, 30)}"])
        tokens.append(generator.choice(["", "-"]) + digits[:point] + "." + digits[point:] + exponent)
    return tokens


def outcome(kind: str, token: str) -> str:
    text, read, layout = MODELS[kind]
    try:
        value = read(mujoco.MjModel.from_xml_string(text.format(token)))
    except ValueError:
        return "error"
    if value != value:
        return "nan"
    return struct.pack(layout, value)[::-1].hex()


def main() -> None:
    mujoco.set_mju_user_warning(lambda message: None)
    print(f"# MuJoCo {mujoco.__version__}; written by conformance/numbers.py")
    for kind in MODELS:
        tokens = TOKENS + (random_tokens(200) if kind != "i32" else [])
        for token in tokens:
            print(f"{kind}\t{token}\t{outcome(kind, token)}")


if __name__ == "__main__":
    main()
