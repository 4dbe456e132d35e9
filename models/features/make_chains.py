"""Writes the long chains: links on hinges whose axes alternate, each with a motor.

    python models/features/make_chains.py

Nothing touches anything, so that all time goes into the tree algorithms. A shallow tree hides what a long one costs.
"""

from pathlib import Path

HEAD = """<mujoco model="chain_{count}">
  <!-- {count} links on hinges, alternately about x and y. Written by make_chains.py. -->
  <option timestep="0.002"/>
  <default>
    <geom type="capsule" fromto="0 0 0 0 0 -0.08" size="0.015" contype="0" conaffinity="0"/>
    <joint damping="0.01" armature="0.002"/>
    <motor ctrlrange="-0.05 0.05"/>
  </default>
  <worldbody>
"""


def chain(count: int) -> str:
    """The model text; the first link starts out of the vertical, so that the chain swings."""
    lines = [HEAD.format(count=count).rstrip()]
    for link in range(count):
        place = 'axisangle="1 0 0 40"' if link == 0 else 'pos="0 0 -0.08"'
        axis = "1 0 0" if link % 2 == 0 else "0 1 0"
        lines.append(f'    <body {place}><joint name="hinge_{link}" axis="{axis}"/><geom/>')
    lines.append("    " + "</body>" * count)
    lines.append("  </worldbody>\n  <actuator>")
    lines += [f'    <motor joint="hinge_{link}"/>' for link in range(count)]
    lines.append("  </actuator>\n</mujoco>\n")
    return "\n".join(lines)


if __name__ == "__main__":
    for count in (30, 200):
        (Path(__file__).parent / f"chain_{count}.xml").write_text(chain(count))
