"""Counts of instructions are read, compared with what is stored, and calls through pointers are found."""

import contextlib
import io
import unittest
from collections import Counter

from conformance import instructions
from conformance.instructions import Call

PROFILE = """\
summary: 1200

ob=/somewhere/program
fn=step
0x10 3 5
cfn=law
calls=7 0x90 12
0x14 3 70
cob=/lib/libc.so.6
cfn=memcpy
calls=2 0x40 0
0x18 3 20
0x1c 3 1

fn=law
0x90 12 7
"""

DISASSEMBLY = """\
0000000000000010 <step>:
      10:	mov    %rax,%rbx
      14:	call   *0x18(%rax)
      18:	call   *0x2f(%rip)        # 40 <memcpy>
      1c:	call   90 <law>
      20:	notrack jmp *%rcx
"""


def said(lines):
    """What is printed, and what is wrong."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        errors = list(lines)
    return out.getvalue(), errors


class Reading(unittest.TestCase):
    def test_calls_have_a_place_and_a_target(self) -> None:
        expected = {
            Call("program", 0x14, "program", "law"): 7,
            Call("program", 0x18, "libc.so.6", "memcpy"): 2,
        }
        self.assertEqual(instructions.calls(PROFILE), Counter(expected))

    def test_calls_through_registers_and_memory_are_indirect(self) -> None:
        self.assertEqual(instructions.indirect_places(DISASSEMBLY), {0x14, 0x18, 0x20})


class Verdicts(unittest.TestCase):
    stored = {"rustc 1": {"cloth": 1000}}

    def test_one_in_a_hundred_more_is_too_many(self) -> None:
        for now, is_slow in ((1000, False), (1010, False), (1011, True), (1400, True)):
            _, errors = said(instructions.verdict_of_counts({"cloth": now}, self.stored, "rustc 1"))
            self.assertEqual(bool(errors), is_slow, now)

    def test_fewer_are_worth_being_stored(self) -> None:
        out, errors = said(instructions.verdict_of_counts({"cloth": 980}, self.stored, "rustc 1"))
        self.assertEqual(errors, [])
        self.assertIn("store it", out)

    def test_another_compiler_is_compared_with_nothing(self) -> None:
        out, errors = said(instructions.verdict_of_counts({"cloth": 5000}, self.stored, "rustc 2"))
        self.assertEqual(errors, [])
        self.assertIn("stored for rustc 1, and this is rustc 2", out)

    def test_types_call_nothing_through_pointers_and_trait_objects_do(self) -> None:
        none, some = Counter(), Counter({"law": 3})
        for static, lent, wrong in ((none, some, 0), (some, some, 1), (none, none, 1)):
            _, errors = said(instructions.verdict_of_calls({"laws": static, "lent": lent}))
            self.assertEqual(len(errors), wrong)
