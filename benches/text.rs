//! How fast ids become text and text becomes ids, on one core and in the first-level cache, beside what other
//! crates and plain code take for the same ids.
//!
//! The bar: hyphenated text in bulk four times as fast as `uuid`'s `encode_lower`.

use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::hint::black_box;
use std::time::Duration;
use uuid::Uuid;
use uuidcap::id::text::TextForm;

/// Ids of one call: with 36 characters each 26 KiB, so that they and their text stay in a first-level cache of
/// 32 KiB; 1,024 would not.
const IDS: usize = 512;

type Encode = fn(&[Uuid], &mut [u8]);
type Parse = fn(&[u8], &mut [Uuid]);

/// 128 random bits each, from a fixed seed: base32 and base62 have no short cut to take.
fn ids() -> Vec<Uuid> {
    let mut stream = ChaCha8Rng::seed_from_u64(122);
    let mut ids = vec![Uuid::nil(); IDS];
    stream.fill_bytes(bytemuck::cast_slice_mut(&mut ids));
    ids
}

/// Calls `write` for every id and its `CHARS` bytes of text.
fn each_text<const CHARS: usize>(ids: &[Uuid], text: &mut [u8], write: impl Fn(&Uuid, &mut [u8; CHARS])) {
    for (id, text) in ids.iter().zip(text.as_chunks_mut().0) {
        write(id, text);
    }
}

/// Reads every `CHARS` bytes of text into an id.
fn each_id<const CHARS: usize>(text: &[u8], ids: &mut [Uuid], read: impl Fn(&[u8; CHARS]) -> Uuid) {
    for (text, id) in text.as_chunks().0.iter().zip(ids) {
        *id = read(text);
    }
}

/// Base62 as it is mostly written: 22 divisions.
fn by_division(ids: &[Uuid], text: &mut [u8]) {
    each_text::<22>(ids, text, |id, text| {
        let mut number = id.as_u128();
        for letter in text.iter_mut().rev() {
            *letter =
                b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[(number % 62) as usize];
            number /= 62;
        }
    });
}

/// Ways to write a form, ours first.
fn encoders(form: TextForm) -> Vec<(&'static str, Encode)> {
    use uuid_simd::{AsciiCase, Out, format_hyphenated, format_simple};
    match form {
        TextForm::Hyphenated => vec![
            ("bulk", |ids, text| TextForm::Hyphenated.encode(ids, text)),
            ("uuid-simd one by one", |ids, text| {
                each_text(ids, text, |id, text| {
                    let _ = format_hyphenated(id.as_bytes(), Out::from_mut(text), AsciiCase::Lower);
                });
            }),
            ("uuid encode_lower", |ids, text| {
                each_text::<36>(ids, text, |id, text| {
                    id.hyphenated().encode_lower(text);
                });
            }),
            ("uuid encode_upper, then lower", |ids, text| {
                each_text::<36>(ids, text, |id, text| {
                    id.hyphenated().encode_upper(text).make_ascii_lowercase();
                });
            }),
            ("format!", |ids, text| {
                each_text::<36>(ids, text, |id, text| text.copy_from_slice(format!("{id}").as_bytes()));
            }),
        ],
        TextForm::Simple => vec![
            ("bulk", |ids, text| TextForm::Simple.encode(ids, text)),
            ("uuid-simd one by one", |ids, text| {
                each_text(ids, text, |id, text| {
                    let _ = format_simple(id.as_bytes(), Out::from_mut(text), AsciiCase::Lower);
                });
            }),
            ("uuid encode_lower", |ids, text| {
                each_text::<32>(ids, text, |id, text| {
                    id.simple().encode_lower(text);
                });
            }),
        ],
        TextForm::Base32 => vec![
            ("bulk", |ids, text| TextForm::Base32.encode(ids, text)),
            #[cfg(feature = "peers")]
            ("ulid array_to_str", |ids, text| {
                each_text(ids, text, |id, text| {
                    ulid::Ulid(id.as_u128()).array_to_str(text);
                });
            }),
        ],
        TextForm::Base62 => {
            vec![("bulk", |ids, text| TextForm::Base62.encode(ids, text)), ("digit by digit", by_division)]
        }
        TextForm::Base64url => vec![("bulk", |ids, text| TextForm::Base64url.encode(ids, text))],
    }
}

/// Ways to read a form, ours first.
fn parsers(form: TextForm) -> Vec<(&'static str, Parse)> {
    match form {
        TextForm::Hyphenated => vec![
            ("bulk", |text, ids| TextForm::Hyphenated.parse(text, ids).expect("ids")),
            ("uuid-simd one by one", |text, ids| {
                each_id::<36>(text, ids, |text| {
                    let mut id = [0; 16];
                    uuid_simd::parse_hyphenated(text, uuid_simd::Out::from_mut(&mut id)).expect("an id");
                    Uuid::from_bytes(id)
                });
            }),
            ("uuid try_parse_ascii", |text, ids| {
                each_id::<36>(text, ids, |text| Uuid::try_parse_ascii(text).expect("an id"));
            }),
        ],
        TextForm::Simple => vec![
            ("bulk", |text, ids| TextForm::Simple.parse(text, ids).expect("ids")),
            ("uuid try_parse_ascii", |text, ids| {
                each_id::<32>(text, ids, |text| Uuid::try_parse_ascii(text).expect("an id"));
            }),
        ],
        TextForm::Base32 => vec![
            ("bulk", |text, ids| TextForm::Base32.parse(text, ids).expect("ids")),
            #[cfg(feature = "peers")]
            ("ulid from_string", |text, ids| {
                each_id::<26>(text, ids, |text| {
                    let text = std::str::from_utf8(text).expect("ASCII");
                    Uuid::from_u128(ulid::Ulid::from_string(text).expect("an id").0)
                });
            }),
        ],
        TextForm::Base62 => vec![("bulk", |text, ids| TextForm::Base62.parse(text, ids).expect("ids"))],
        TextForm::Base64url => {
            vec![("bulk", |text, ids| TextForm::Base64url.parse(text, ids).expect("ids"))]
        }
    }
}

fn encode(c: &mut Criterion) {
    let ids = ids();
    for form in TextForm::ALL {
        let right: String = ids.iter().map(|id| form.encode_one(*id)).collect();
        let mut text = vec![0; right.len()];
        let mut group = group(c, "encode", form);
        // Alternated, so that a machine that slows down slows all.
        for round in ["first", "second"] {
            for (way, encode) in encoders(form) {
                text.fill(b'?');
                group.bench_function(format!("{way}, {round} round"), |b| {
                    b.iter(|| encode(black_box(&ids), black_box(&mut text)));
                });
                encode(&ids, &mut text);
                assert!(text == right.as_bytes(), "{way} gives other text");
            }
        }
        group.finish();
    }
}

fn parse(c: &mut Criterion) {
    let ids = ids();
    for form in TextForm::ALL {
        let text: String = ids.iter().map(|id| form.encode_one(*id)).collect();
        let mut read = vec![Uuid::nil(); ids.len()];
        let mut group = group(c, "parse", form);
        for round in ["first", "second"] {
            for (way, parse) in parsers(form) {
                group.bench_function(format!("{way}, {round} round"), |b| {
                    b.iter(|| parse(black_box(text.as_bytes()), black_box(&mut read)));
                });
                read.fill(Uuid::nil());
                parse(text.as_bytes(), &mut read);
                assert!(read == ids, "{way} gives other ids");
            }
        }
        group.finish();
    }
}

fn group<'a>(c: &'a mut Criterion, what: &str, form: TextForm) -> BenchmarkGroup<'a, WallTime> {
    let mut group = c.benchmark_group(format!("{what} {}", form.name()));
    group.throughput(Throughput::Elements(IDS as u64));
    group
}

/// A second each: a call takes microseconds, so that is a million ids and more a sample.
fn short() -> Criterion {
    Criterion::default().warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1))
}

criterion_group!(name = benches; config = short(); targets = encode, parse);
criterion_main!(benches);
