//! A small font of our own: capitals, figures and signs, five dots wide and seven high.

/// Dots of a sign in a row.
pub const WIDTH: usize = 5;
/// Rows of a sign.
pub const HEIGHT: usize = 7;

/// Seven rows of each sign from the top, five dots each as a digit in base 32.
#[rustfmt::skip]
const SIGNS: [(char, &str); 69] = [
    (' ', "0000000"),
    ('!', "4444404"),
    ('"', "AA00000"),
    ('#', "0AVAVA0"),
    ('$', "4FKE5U4"),
    ('%', "OP248JC"),
    ('&', "8KK8LIM"),
    ('\'', "4400000"),
    ('(', "2488842"),
    (')', "8422248"),
    ('*', "04LELE0"),
    ('+', "044V440"),
    (',', "0000448"),
    ('-', "000E000"),
    ('.', "00000CC"),
    ('/', "112488G"),
    ('0', "EHJLPHE"),
    ('1', "4C4444E"),
    ('2', "EH1248V"),
    ('3', "V2421HE"),
    ('4', "26AIV22"),
    ('5', "VGU11HE"),
    ('6', "68GUHHE"),
    ('7', "V124888"),
    ('8', "EHHEHHE"),
    ('9', "EHHF12C"),
    (':', "0CC0CC0"),
    (';', "0CC0C48"),
    ('<', "248G842"),
    ('=', "00V0V00"),
    ('>', "8421248"),
    ('?', "EH12404"),
    ('@', "EH1DLLE"),
    ('A', "EHHVHHH"),
    ('B', "UHHUHHU"),
    ('C', "EHGGGHE"),
    ('D', "SIHHHIS"),
    ('E', "VGGUGGV"),
    ('F', "VGGUGGG"),
    ('G', "EHGNHHF"),
    ('H', "HHHVHHH"),
    ('I', "E44444E"),
    ('J', "72222IC"),
    ('K', "HIKOKIH"),
    ('L', "GGGGGGV"),
    ('M', "HRLLHHH"),
    ('N', "HHPLJHH"),
    ('O', "EHHHHHE"),
    ('P', "UHHUGGG"),
    ('Q', "EHHHLID"),
    ('R', "UHHUKIH"),
    ('S', "FGGE11U"),
    ('T', "V444444"),
    ('U', "HHHHHHE"),
    ('V', "HHHHHA4"),
    ('W', "HHHLLLA"),
    ('X', "HHA4AHH"),
    ('Y', "HHHA444"),
    ('Z', "V1248GV"),
    ('[', "E88888E"),
    ('\\', "GG84211"),
    (']', "E22222E"),
    ('^', "4AH0000"),
    ('_', "000000V"),
    ('`', "8420000"),
    ('{', "2448442"),
    ('|', "4444444"),
    ('}', "8442448"),
    ('~', "008L200"),
];

/// The dots of a sign, rows from the top; small letters look like capitals, unknown signs like a space.
pub fn dots(sign: char) -> [[bool; WIDTH]; HEIGHT] {
    let sign = sign.to_ascii_uppercase();
    let found = SIGNS.iter().find(|(known, _)| *known == sign);
    let mut rows = found.map_or("", |(_, rows)| rows).chars();
    core::array::from_fn(|_| {
        let row = rows
            .next()
            .and_then(|digit| digit.to_digit(32))
            .unwrap_or(0);
        core::array::from_fn(|column| row >> (WIDTH - 1 - column) & 1 == 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_have_all_their_rows_and_are_known_by_their_dots() {
        for (sign, rows) in SIGNS {
            assert_eq!(rows.len(), HEIGHT, "{sign}");
            assert!(rows.chars().all(|digit| digit.is_digit(32)), "{sign}");
        }
        let drawn = dots('t').map(|row| row.map(|dot| if dot { '#' } else { '.' }));
        let drawn = drawn.map(|row| row.iter().collect::<String>());
        assert_eq!(drawn[0], "#####");
        assert!(drawn[1..].iter().all(|row| row == "..#.."));
        assert_eq!(dots('√'), [[false; WIDTH]; HEIGHT]);
    }
}
