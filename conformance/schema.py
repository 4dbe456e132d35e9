"""The reference's own list of elements and attributes, one line per element.

Run with the reference installed:

    python -m conformance.schema > crates/sinew-mjcf/tests/schema/reference.txt

Each line is the element's path, how often it may occur, and its attributes in alphabetical order.
"""

import mujoco


def lines(printed: str) -> list[str]:
    """Turns the indented print, which wraps long attribute lists, into one line per element."""
    elements: list[list] = []
    path: list[str] = []
    for line in printed.splitlines():
        if not line.strip():
            continue
        words = line.split()
        if len(words) > 1 and words[1].startswith("(") and words[1].endswith(")"):
            depth = (len(line) - len(line.lstrip())) // 3
            path = path[:depth] + [words[0]]
            elements.append(["/".join(path), words[1].strip("()"), words[2:]])
        else:
            elements[-1][2].extend(words)
    return [" ".join([path, count, *sorted(attributes)]) for path, count, attributes in elements]


def main() -> None:
    print(f"# MuJoCo {mujoco.__version__}, mj_printSchema; written by conformance/schema.py")
    print("\n".join(lines(mujoco.mj_printSchema(False, False))))


if __name__ == "__main__":
    main()
