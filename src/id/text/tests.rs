//! Names, lengths and what is refused.

use super::*;
use crate::id::scheme::Text;

#[test]
fn every_name_reads_back() {
    for form in TextForm::ALL {
        assert_eq!(form.name().parse(), Ok(form));
        assert_eq!(form.name().to_uppercase().parse(), Ok(form));
    }
    assert_eq!("hex".parse(), Ok(TextForm::Simple));
    assert_eq!("crockford".parse(), Ok(TextForm::Base32));
}

#[test]
fn another_name_is_refused_with_those_there_are() {
    for text in ["", "base58", "base64", "hyphen"] {
        let message = text.parse::<TextForm>().expect_err(text).to_string();
        for form in TextForm::ALL {
            assert!(message.contains(form.name()), "{message}");
        }
    }
}

#[test]
fn lengths_are_those_of_the_catalogue() {
    for (form, text) in [
        (TextForm::Hyphenated, Text::HYPHENATED),
        (TextForm::Simple, Text::HEX),
        (TextForm::Base32, Text::BASE32),
        (TextForm::Base62, Text::BASE62),
        (TextForm::Base64url, Text::BASE64URL),
    ] {
        assert_eq!(u32::try_from(form.chars()), Ok(text.characters(128)), "{}", text.name);
        assert_eq!(text.name.parse(), Ok(form));
    }
}

#[test]
fn the_example_of_every_message_is_an_id() {
    for form in TextForm::ALL {
        let message = form.parse_one(b"?").expect_err("one character is no id").to_string();
        let (_, example) = message.rsplit_once("; try ").expect("an example");
        assert_eq!(form.parse_one(example.as_bytes()), Ok(EXAMPLE), "{message}");
    }
}

#[test]
fn a_text_too_short_or_too_long_for_its_ids_is_refused() {
    for form in TextForm::ALL {
        let text = form.encode_one(EXAMPLE).repeat(3).into_bytes();
        for (bytes, ids) in [(0, 1), (1, 0), (text.len() - 1, 3), (text.len(), 2), (text.len(), 4)] {
            let mut read = vec![Uuid::nil(); ids];
            let message = form.parse(&text[..bytes], &mut read).expect_err("a misfit").to_string();
            assert!(message.contains(&format!("of {ids} ids as {}", form.name())), "{message}");
            assert!(message.contains(&format!("\"{bytes} bytes\"")), "{message}");
        }
        assert_eq!(form.parse(b"", &mut []), Ok(()));
    }
}

#[test]
fn a_name_stands_for_a_form_in_json() {
    let names = serde_json::to_string(&TextForm::ALL).expect("names are JSON");
    assert_eq!(names, r#"["hyphenated","simple","base32","base62","base64url"]"#);
}

#[test]
#[should_panic(expected = "35 bytes of text for 1 ids as hyphenated")]
fn encoding_into_a_text_that_does_not_fit_is_a_mistake() {
    TextForm::Hyphenated.encode(&[EXAMPLE], &mut [0; 35]);
}
