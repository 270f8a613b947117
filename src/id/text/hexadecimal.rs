//! Hexadecimal digits, with and without hyphens (RFC 9562 §4): lower case out, either case in.

use uuid::Uuid;
use uuid_simd::{AsciiCase, Out};

/// Writes 36 characters an id.
pub(super) fn encode_hyphenated(ids: &[Uuid], text: &mut [u8]) {
    for (id, text) in ids.iter().zip(text.as_chunks_mut().0) {
        let _ = uuid_simd::format_hyphenated(id.as_bytes(), Out::from_mut(text), AsciiCase::Lower);
    }
}

/// Reads 36 characters an id; whether all could be read.
pub(super) fn parse_hyphenated(text: &[u8], ids: &mut [Uuid]) -> bool {
    let bytes: &mut [[u8; 16]] = bytemuck::cast_slice_mut(ids);
    let mut pairs = text.as_chunks::<36>().0.iter().zip(bytes);
    pairs.all(|(text, bytes)| uuid_simd::parse_hyphenated(text, Out::from_mut(bytes)).is_ok())
}

/// Writes 32 characters an id.
pub(super) fn encode_simple(ids: &[Uuid], text: &mut [u8]) {
    for (id, text) in ids.iter().zip(text.as_chunks_mut().0) {
        let _ = uuid_simd::format_simple(id.as_bytes(), Out::from_mut(text), AsciiCase::Lower);
    }
}

/// Reads 32 characters an id; whether all could be read.
pub(super) fn parse_simple(text: &[u8], ids: &mut [Uuid]) -> bool {
    let bytes: &mut [[u8; 16]] = bytemuck::cast_slice_mut(ids);
    let mut pairs = text.as_chunks::<32>().0.iter().zip(bytes);
    pairs.all(|(text, bytes)| uuid_simd::parse_simple(text, Out::from_mut(bytes)).is_ok())
}
