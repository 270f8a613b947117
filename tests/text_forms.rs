//! Laws of ids as text: every id has one spelling a form, and what is no id is refused.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use uuid::Uuid;
use uuidcap::id::text::TextForm;

const BASE16: &[u8; 16] = b"0123456789abcdef";
const CROCKFORD: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE64URL: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Ids with their text as base32, base62 and base64url, by Python 3: `r = random.Random(122)`, the last thirteen
/// ids `r.getrandbits(128)`; base32 and base62 `"".join(a[n // len(a)**i % len(a)] for i in reversed(range(k)))`
/// with the alphabet `a` and k 26 or 22; base64url `base64.urlsafe_b64encode(n.to_bytes(16, "big"))[:22]`.
const BY_PYTHON: [(u128, &str, &str, &str); 20] = [
    (
        0x00000000000000000000000000000000,
        "00000000000000000000000000",
        "0000000000000000000000",
        "AAAAAAAAAAAAAAAAAAAAAA",
    ),
    (
        0x00000000000000000000000000000001,
        "00000000000000000000000001",
        "0000000000000000000001",
        "AAAAAAAAAAAAAAAAAAAAAQ",
    ),
    (
        0x0000000000000000ffffffffffffffff,
        "0000000000000FZZZZZZZZZZZZ",
        "00000000000LygHa16AHYF",
        "AAAAAAAAAAD__________w",
    ),
    (
        0x00000000000000010000000000000000,
        "0000000000000G000000000000",
        "00000000000LygHa16AHYG",
        "AAAAAAAAAAEAAAAAAAAAAA",
    ),
    (
        0x80000000000000000000000000000000,
        "40000000000000000000000000",
        "3tX16dB2jpss4tZORYcqo4",
        "gAAAAAAAAAAAAAAAAAAAAA",
    ),
    (
        0xfffffffffffffffffffffffffffffffe,
        "7ZZZZZZZZZZZZZZZZZZZZZZZZY",
        "7n42DGM5Tflk9n8mt7Fhc6",
        "_____________________g",
    ),
    (
        0xffffffffffffffffffffffffffffffff,
        "7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
        "7n42DGM5Tflk9n8mt7Fhc7",
        "_____________________w",
    ),
    (
        0xdf36803098d4dddc368b43ae829092bf,
        "6Z6T03166MVQE3D2T3NT1914NZ",
        "6nCC8kwSw1RAsuuy0ITpyp",
        "3zaAMJjU3dw2i0OugpCSvw",
    ),
    (
        0x122c0589ee168dc4e8d7c2184d6369ee,
        "0J5G2RKVGPHQ2EHNY2316P6TFE",
        "0YHykSpHbgbjAgOZNyRgUw",
        "EiwFie4WjcTo18IYTWNp7g",
    ),
    (
        0x385f5c91c2d1d78b5dd6450cbad018bf,
        "1RBXE93GPHTY5NVNJ51JXD065Z",
        "1iN9LEBOd2j2lttisZBl9z",
        "OF9ckcLR14td1kUMutAYvw",
    ),
    (
        0xab4a390ed5e64a0df9433a96754633d4,
        "5B98WGXNF6986ZJGSTJSTMCCYM",
        "5DDbgdhJK3sw7XJTbuqr8G",
        "q0o5DtXmSg35QzqWdUYz1A",
    ),
    (
        0x2907914a97b1a3aaf99efae1bbddfd53,
        "190Y8MN5XHMENFK7QTW6XXVZAK",
        "1FQ8uhjeUZrozHL7dQX0Hz",
        "KQeRSpexo6r5nvrhu939Uw",
    ),
    (
        0xb767e4ab733c92e44daa83831b235996,
        "5QCZJAPWSWJBJ4VAM3GCDJ6PCP",
        "5a54f05Dae4ooI2uk58Mf0",
        "t2fkq3M8kuRNqoODGyNZlg",
    ),
    (
        0x65d61c428edeab183dde9cc2f869f15f,
        "35TRE453PYNCC3VQMWRBW6KWAZ",
        "36A4ZU7rtcTlNHwJaMPPH5",
        "ZdYcQo7eqxg93pzC-GnxXw",
    ),
    (
        0xf17f391ca0d9d4d6b9f8e43360e27573,
        "7HFWWHS86STKBBKY746DGE4XBK",
        "7LhI68fSUFNvSs3CZxz5Qh",
        "8X85HKDZ1Na5-OQzYOJ1cw",
    ),
    (
        0x47c263695423d570c589d2552462d4a3,
        "27R9HPJN13TNRCB2EJAMJ65N53",
        "2BPI2Kb3Xeky6GAdHBXAbz",
        "R8JjaVQj1XDFidJVJGLUow",
    ),
    (
        0x12fa065378a53115ce425271c782bc89,
        "0JZ8356Y5564AWWGJJE73R5F49",
        "0Zo7ej3hwD8nq43fuN9Lkf",
        "EvoGU3ilMRXOQlJxx4K8iQ",
    ),
    (
        0x1e96a097f935e75dcebeca55631c3765,
        "0YJTG9FY9NWXEWXFPAANHHRDV5",
        "0vibc6RDP1mtKbkqKAnf4n",
        "Hpagl_k1513OvspVYxw3ZQ",
    ),
    (
        0x9e847bcc739637aca3bc1bf38585e071,
        "4YGHXWRWWP6YPA7F0VYE2RBR3H",
        "4p7KdPQeHNNzqpqOXhU9B3",
        "noR7zHOWN6yjvBvzhYXgcQ",
    ),
    (
        0xe97553c59895dc4986013b0414f5d0b6,
        "79EN9WB64NVH4RC09V0GAFBM5P",
        "76WpVupSEgQJ9PQrc530b8",
        "6XVTxZiV3EmGATsEFPXQtg",
    ),
];

/// The text as the form writes it: letters in its case, I, L and O as the digits they stand for.
fn spelled(form: TextForm, text: &[u8]) -> Vec<u8> {
    let letter = |letter: &u8| match form {
        TextForm::Hyphenated | TextForm::Simple => letter.to_ascii_lowercase(),
        TextForm::Base32 => match letter.to_ascii_uppercase() {
            b'I' | b'L' => b'1',
            b'O' => b'0',
            upper => upper,
        },
        TextForm::Base62 | TextForm::Base64url => *letter,
    };
    text.iter().map(letter).collect()
}

/// The number that digits of an alphabet spell, if there is one below 2^128.
fn number(alphabet: &[u8], text: &[u8]) -> Option<u128> {
    text.iter().try_fold(0u128, |number, letter| {
        let digit = alphabet.iter().position(|known| known == letter)?;
        number.checked_mul(alphabet.len() as u128)?.checked_add(digit as u128)
    })
}

/// What a text says, read one letter at a time.
fn by_hand(form: TextForm, text: &[u8]) -> Option<Uuid> {
    let text = spelled(form, text);
    if text.len() != form.chars() {
        return None;
    }
    let number = match form {
        TextForm::Hyphenated => {
            let (hyphens, digits): (Vec<_>, Vec<_>) =
                text.iter().enumerate().partition(|(place, _)| [8, 13, 18, 23].contains(place));
            let digits: Vec<u8> = digits.into_iter().map(|(_, digit)| *digit).collect();
            hyphens.iter().all(|(_, letter)| **letter == b'-').then(|| number(BASE16, &digits))?
        }
        TextForm::Simple => number(BASE16, &text),
        TextForm::Base32 => number(CROCKFORD, &text),
        TextForm::Base62 => number(BASE62, &text),
        TextForm::Base64url => {
            let (last, rest) = text.split_last()?;
            let (high, low) = (number(BASE64URL, rest)?, number(BASE64URL, &[*last])?);
            (low % 16 == 0).then_some(high << 2 | low >> 4)
        }
    };
    number.map(Uuid::from_u128)
}

/// One text a form and id, all in a row.
fn text_of(form: TextForm, ids: &[Uuid]) -> Vec<u8> {
    let mut text = vec![b'?'; ids.len() * form.chars()];
    form.encode(ids, &mut text);
    text
}

fn forms() -> impl Strategy<Value = TextForm> {
    select(TextForm::ALL.to_vec())
}

/// Ids of which many are small, so that leading zeros and carries are tried too.
fn ids() -> impl Strategy<Value = Uuid> {
    (any::<u128>(), 0u32..128).prop_map(|(value, shift)| Uuid::from_u128(value >> shift))
}

/// Enough letters for every form, seldom one that no form has.
fn letters() -> impl Strategy<Value = Vec<u8>> {
    let strange = select(b"@[`{/:-_ \x00\x7f\x80\xff".to_vec());
    prop::collection::vec(prop_oneof![40 => select(BASE62.to_vec()), 1 => strange], 36)
}

#[test]
fn texts_are_those_of_another_program() {
    for (id, base32, base62, base64url) in BY_PYTHON {
        let id = Uuid::from_u128(id);
        for (form, text) in
            [(TextForm::Base32, base32), (TextForm::Base62, base62), (TextForm::Base64url, base64url)]
        {
            assert_eq!(form.encode_one(id), text);
            assert_eq!(form.parse_one(text.as_bytes()), Ok(id));
        }
    }
}

#[test]
fn a_changed_byte_gives_what_reading_by_hand_gives() {
    for form in TextForm::ALL {
        for (id, ..) in BY_PYTHON {
            let id = Uuid::from_u128(id);
            let text = form.encode_one(id).into_bytes();
            for place in 0..text.len() {
                for byte in 0..=255 {
                    let mut changed = text.clone();
                    changed[place] = byte;
                    let read = form.parse_one(&changed).ok();
                    assert_eq!(read, by_hand(form, &changed), "{form:?} {}", changed.escape_ascii());
                    if let Some(read) = read {
                        assert_eq!(form.encode_one(read).into_bytes(), spelled(form, &changed));
                    }
                }
            }
        }
    }
}

#[test]
fn texts_beyond_2_to_the_128_are_refused() {
    for (form, text) in [
        (TextForm::Base32, "80000000000000000000000000"),
        (TextForm::Base32, "ZZZZZZZZZZZZZZZZZZZZZZZZZZ"),
        (TextForm::Base62, "7n42DGM5Tflk9n8mt7Fhc8"),
        (TextForm::Base62, "7n42DGM5Tflk9n8mt7FhcA"),
        (TextForm::Base62, "7n42DGM5Tfll0000000000"),
        (TextForm::Base62, "8000000000000000000000"),
        (TextForm::Base62, "zzzzzzzzzzzzzzzzzzzzzz"),
    ] {
        assert_eq!(text.len(), form.chars());
        assert!(form.parse_one(text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn letters_that_look_alike_are_read_as_digits_in_base32_alone() {
    let id = TextForm::Base32.parse_one(b"01110000000000000000000010");
    assert!(id.is_ok());
    for text in ["0IlLOoO0000000000000000010", "oi1L0000000000000000000oIo"] {
        assert_eq!(TextForm::Base32.parse_one(text.as_bytes()), id, "{text}");
    }
    for text in ["0U110000000000000000000010", "0u110000000000000000000010", "0-110000000000000000000010"] {
        assert!(TextForm::Base32.parse_one(text.as_bytes()).is_err(), "{text}");
    }
    let [simple, alike] = [b"0123456789abcdef0123456789abcde0", b"0123456789abcdef0123456789abcdeO"];
    assert!(TextForm::Simple.parse_one(simple).is_ok() && TextForm::Simple.parse_one(alike).is_err());
}

#[test]
fn text_as_base64url_is_not_in_the_order_of_ids() {
    let [low, high] = [0, 0xd0 << 120].map(|id| TextForm::Base64url.encode_one(Uuid::from_u128(id)));
    assert!(low > high, "{low} {high}");
    assert!(!TextForm::Base64url.keeps_order());
}

#[test]
fn a_message_shows_a_text_on_one_line_however_long_it_is() {
    for form in TextForm::ALL {
        let came = "\u{1b}[2J\n".repeat(1_000);
        let message = form.parse_one(came.as_bytes()).expect_err("no id").to_string();
        assert!(message.starts_with(&format!("an id as {} must be", form.name())), "{message}");
        assert!(!message.contains(char::is_control) && message.len() < 600, "{message}");
    }
}

proptest! {
    #[test]
    fn every_text_reads_back(form in forms(), ids in prop::collection::vec(ids(), 0..70)) {
        let text = text_of(form, &ids);
        let mut read = vec![Uuid::nil(); ids.len()];
        prop_assert_eq!(form.parse(&text, &mut read), Ok(()));
        prop_assert_eq!(&read, &ids);
        let single: String = ids.iter().map(|id| form.encode_one(*id)).collect();
        prop_assert_eq!(single.into_bytes(), text);
    }

    #[test]
    fn either_case_reads_where_digits_have_none(form in forms(), id in ids()) {
        let text = form.encode_one(id);
        for other in [text.to_ascii_uppercase(), text.to_ascii_lowercase()] {
            prop_assert_eq!(form.parse_one(other.as_bytes()).ok(), by_hand(form, other.as_bytes()));
            if !matches!(form, TextForm::Base62 | TextForm::Base64url) {
                prop_assert_eq!(form.parse_one(other.as_bytes()), Ok(id));
            }
        }
    }

    #[test]
    fn hexadecimal_text_is_that_of_the_uuid_crate(id in ids()) {
        prop_assert_eq!(TextForm::Hyphenated.encode_one(id), id.hyphenated().to_string());
        prop_assert_eq!(TextForm::Simple.encode_one(id), id.simple().to_string());
    }

    #[test]
    fn text_as_base32_is_that_of_the_ulid_crate(id in ids()) {
        #[cfg(feature = "peers")]
        prop_assert_eq!(TextForm::Base32.encode_one(id), ulid::Ulid(id.as_u128()).to_string());
        prop_assert_eq!(number(CROCKFORD, TextForm::Base32.encode_one(id).as_bytes()), Some(id.as_u128()));
    }

    #[test]
    fn sorted_ids_give_sorted_text(form in forms(), a in ids(), b in ids(), near in any::<bool>()) {
        prop_assume!(form.keeps_order());
        let b = if near { Uuid::from_u128(a.as_u128() ^ b.as_u128() & 0xffff) } else { b };
        prop_assert_eq!(form.encode_one(a).cmp(&form.encode_one(b)), a.cmp(&b));
    }

    #[test]
    fn texts_of_any_letters_are_read_as_by_hand(
        form in forms(), first in select(b"01789AQagqw-".to_vec()), letters in letters(),
    ) {
        let mut text = letters[..form.chars()].to_vec();
        text[0] = first;
        prop_assert_eq!(form.parse_one(&text).ok(), by_hand(form, &text), "{}", text.escape_ascii());
    }

    #[test]
    fn a_refusal_names_the_first_id_that_is_none(
        form in forms(), ids in prop::collection::vec(ids(), 1..70), bad in prop::collection::vec(any::<Index>(), 1..4),
        strange in select(b"!@[`{\x00\x80\xff".to_vec()),
    ) {
        let mut text = text_of(form, &ids);
        for place in &bad {
            let place = place.index(text.len());
            text[place] = strange;
        }
        let first = bad.iter().map(|place| place.index(text.len()) / form.chars()).min().expect("one at least");
        let refusal = form.parse(&text, &mut vec![Uuid::nil(); ids.len()]).expect_err("a strange byte").to_string();
        let start = format!("id {} as {} must be ", first + 1, form.name());
        prop_assert!(refusal.starts_with(&start), "{}", refusal);
    }
}
