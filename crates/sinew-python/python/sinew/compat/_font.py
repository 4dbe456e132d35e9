"""A small font of our own: capitals, figures and signs, five dots wide and seven high."""

from __future__ import annotations

import numpy as np

HEIGHT, WIDTH = 7, 5

# Seven rows of each sign from the top, five dots each as a number in base 32.
_SIGNS = {
    " ": "0000000", "!": "4444404", '"': "AA00000", "#": "0AVAVA0", "%": "OP248JC", "&": "8KK8LIM", "'": "4400000",
    "(": "2488842", ")": "8422248", "*": "04LELE0", "+": "044V440", ",": "0000448", "-": "000E000", ".": "00000CC",
    "/": "112488G", "0": "EHJLPHE", "1": "4C4444E", "2": "EH1248V", "3": "V2421HE", "4": "26AIV22",
    "5": "VGU11HE", "6": "68GUHHE", "7": "V124888", "8": "EHHEHHE", "9": "EHHF12C", ":": "0CC0CC0", ";": "0CC0C48",
    "<": "248G842", "=": "00V0V00", ">": "8421248", "?": "EH12404", "@": "EH1DLLE", "A": "EHHVHHH", "B": "UHHUHHU",
    "C": "EHGGGHE", "D": "SIHHHIS", "E": "VGGUGGV", "F": "VGGUGGG", "G": "EHGNHHF", "H": "HHHVHHH", "I": "E44444E",
    "J": "72222IC", "K": "HIKOKIH", "L": "GGGGGGV", "M": "HRLLHHH", "N": "HHPLJHH", "O": "EHHHHHE",
    "P": "UHHUGGG", "Q": "EHHHLID", "R": "UHHUKIH", "S": "FGGE11U", "T": "V444444", "U": "HHHHHHE", "V": "HHHHHA4",
    "W": "HHHLLLA", "X": "HHA4AHH", "Y": "HHHA444", "Z": "V1248GV", "[": "E88888E", "\\": "GG84211", "]": "E22222E",
    "^": "4AH0000", "_": "000000V", "`": "8420000", "{": "2448442", "|": "4444444", "}": "8442448", "~": "008L200",
    "$": "4FKE5U4",
}  # fmt: skip
_UNKNOWN = "VHHHHHV"


def sign(character: str) -> np.ndarray:
    """The dots of a sign, rows from the top; small letters look like capitals."""
    rows = _SIGNS.get(character.upper(), _UNKNOWN)
    numbers = np.array([int(row, 32) for row in rows])
    return (numbers[:, None] >> np.arange(WIDTH - 1, -1, -1)) & 1 == 1


def line(text: str, scale: int) -> np.ndarray:
    """The dots of a line of text, rows from the top, with an empty column after each sign."""
    signs = [np.pad(sign(character), ((0, 0), (0, 1))) for character in text]
    dots = np.concatenate(signs, axis=1) if signs else np.zeros((HEIGHT, 0), bool)
    return dots.repeat(scale, axis=0).repeat(scale, axis=1)
