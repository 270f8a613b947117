//! Everyone there is to measure, each in one place: this crate's generators, others' and ceilings.

use super::contender::{Call, Contender, Maker, Role, Shape, Team};
use super::question::Format;
use crate::error::Result;
use crate::id::clock::Clock;
use crate::id::generator::snowflake::TWITTER_EPOCH_UNIX_MS;
use crate::id::generator::{
    Cipher, Generator, NanoId, Seed, Snowflake, Stream, Ulid, V1, V4, V6, V7, V7Monotonic, V7SubMillisecond,
};
use crate::id::text::TextForm;
use bytemuck::{AnyBitPattern, NoUninit, cast_slice_mut};
use uuid::Uuid;

/// Everyone who can write ids so: own generators draw from streams of the seed, one a thread, and read the clock
/// that is given. NanoIDs are text as they come and ceilings no ids: they are there in every format.
pub fn contenders<C: Clock + Clone + Send + Sync + 'static>(
    seed: &Seed,
    clock: &C,
    format: Format,
) -> Vec<Contender> {
    let mut all = own(seed, clock, format);
    #[cfg(feature = "peers")]
    all.extend(peers(format));
    all.extend(ceilings(seed));
    all
}

/// Ids of a millisecond, which a snowflake generator has at once (12 bits), and its workers, one a thread (10 bits).
const SNOWFLAKE_BURST: usize = 1 << 12;
const SNOWFLAKE_WORKERS: usize = 1 << 10;

/// A generator that is asked for a buffer of ids at a time.
struct Bulk<G>(G);

impl<G: Generator + Send> Maker for Bulk<G>
where
    G::Id: AnyBitPattern + NoUninit,
{
    fn make(&mut self, bytes: &mut [u8]) {
        self.0.fill(cast_slice_mut(bytes));
    }
}

/// Whoever gives one id a call.
struct OneByOne<F>(F);

impl<I: AnyBitPattern + NoUninit, F: FnMut() -> I + Send> Maker for OneByOne<F> {
    fn make(&mut self, bytes: &mut [u8]) {
        for id in cast_slice_mut(bytes) {
            *id = (self.0)();
        }
    }
}

/// Ids that are made before they are written as text: 4 KiB, which stay in the first-level cache beside it.
const MADE: usize = 256;

/// A generator that is asked for a buffer of ids at a time, which are then written as text.
struct BulkText<G>(G, TextForm, [Uuid; MADE]);

impl<G: Generator<Id = Uuid> + Send> Maker for BulkText<G> {
    fn make(&mut self, bytes: &mut [u8]) {
        let BulkText(made, form, ids) = self;
        for text in bytes.chunks_mut(MADE * form.chars()) {
            let ids = &mut ids[..text.len() / form.chars()];
            made.fill(ids);
            form.encode(ids, text);
        }
    }
}

/// Whoever gives one id a call and writes it as text of so many bytes.
struct TextOneByOne<F>(F, usize);

impl<F: FnMut(&mut [u8]) + Send> Maker for TextOneByOne<F> {
    fn make(&mut self, bytes: &mut [u8]) {
        bytes.chunks_exact_mut(self.1).for_each(&mut self.0);
    }
}

/// Whoever fills a buffer with bytes.
struct Bytes<F>(F);

impl<F: FnMut(&mut [u8]) + Send> Maker for Bytes<F> {
    fn make(&mut self, bytes: &mut [u8]) {
        (self.0)(bytes);
    }
}

/// Makers that share nothing, one a thread by its number.
fn team<M: Maker + 'static>(maker: impl Fn(u64) -> Result<M> + Send + Sync + 'static) -> Team {
    Box::new(move |threads| {
        let boxed = |thread| Ok(Box::new(maker(thread)?) as Box<dyn Maker>);
        (0..threads as u64).map(boxed).collect()
    })
}

/// What a generator is beside its code.
struct Entry {
    name: &'static str,
    name_of_one: &'static str,
    scheme: Option<&'static str>,
    stream: Option<Cipher>,
    shape: Shape,
    rising: bool,
}

impl Entry {
    /// The generator in bulk and one at a time, its ids written in that format.
    fn written<G, T>(self, format: Format, generators: T) -> Vec<Contender>
    where
        G: Generator<Id = Uuid> + Send + 'static,
        T: Fn(usize) -> Result<Vec<G>> + Clone + Send + Sync + 'static,
    {
        let Format::Text(form) = format else { return self.both(generators) };
        let again = generators.clone();
        let bulk: Team = Box::new(move |threads| {
            let maker = |made| Box::new(BulkText(made, form, [Uuid::nil(); MADE])) as Box<dyn Maker>;
            Ok(generators(threads)?.into_iter().map(maker).collect())
        });
        let one: Team = Box::new(move |threads| {
            let maker = |mut made: G| {
                let write = move |text: &mut [u8]| form.encode(&[made.next_id()], text);
                Box::new(TextOneByOne(write, form.chars())) as Box<dyn Maker>
            };
            Ok(again(threads)?.into_iter().map(maker).collect())
        });
        let version = if let Shape::Uuid(version) = self.shape { version } else { 0 };
        let entry = Entry { shape: Shape::Text(form, version), ..self };
        vec![
            entry.contender(entry.name, Call::Bulk, bulk),
            entry.contender(entry.name_of_one, Call::One, one),
        ]
    }

    /// The generator in bulk and one at a time.
    fn both<G, T>(self, generators: T) -> Vec<Contender>
    where
        G: Generator + Send + 'static,
        G::Id: AnyBitPattern + NoUninit,
        T: Fn(usize) -> Result<Vec<G>> + Clone + Send + Sync + 'static,
    {
        let again = generators.clone();
        let bulk: Team = Box::new(move |threads| {
            let makers = generators(threads)?.into_iter();
            Ok(makers.map(|made| Box::new(Bulk(made)) as Box<dyn Maker>).collect())
        });
        let one: Team = Box::new(move |threads| {
            let maker = |mut made: G| Box::new(OneByOne(move || made.next_id())) as Box<dyn Maker>;
            Ok(again(threads)?.into_iter().map(maker).collect())
        });
        vec![self.contender(self.name, Call::Bulk, bulk), self.contender(self.name_of_one, Call::One, one)]
    }

    fn contender(&self, name: &'static str, call: Call, team: Team) -> Contender {
        Contender {
            name,
            role: Role::Own,
            call,
            scheme: self.scheme,
            stream: self.stream,
            shape: self.shape,
            rising: self.rising,
            burst: 0,
            most_threads: None,
            team,
        }
    }
}

/// This crate's generators, in bulk and one at a time.
fn own<C: Clock + Clone + Send + Sync + 'static>(seed: &Seed, clock: &C, format: Format) -> Vec<Contender> {
    /// Generators that share nothing, one a thread, each on the stream of its thread.
    fn each<G, F: Fn(Stream) -> G + Clone + Send + Sync>(
        seed: &Seed,
        cipher: Cipher,
        make: F,
    ) -> impl Fn(usize) -> Result<Vec<G>> + Clone + Send + Sync + use<G, F> {
        let seed = seed.clone();
        move |threads| {
            let streams = (0..threads as u64).map(|thread| Stream::new(cipher, &seed, thread));
            Ok(streams.map(&make).collect())
        }
    }
    let uuid = |name, name_of_one, version| Entry {
        name,
        name_of_one,
        scheme: Some(name),
        stream: Some(Cipher::Aes),
        shape: Shape::Uuid(version),
        rising: false,
    };
    let timed = clock.clone();
    let v1 = each(seed, Cipher::Aes, move |stream| V1::new(stream, timed.clone()));
    let timed = clock.clone();
    let v6 = each(seed, Cipher::Aes, move |stream| V6::new(stream, timed.clone()));
    let timed = clock.clone();
    let v7 = each(seed, Cipher::Aes, move |stream| V7::new(stream, timed.clone()));
    let timed = clock.clone();
    let finer = each(seed, Cipher::Aes, move |stream| V7SubMillisecond::new(stream, timed.clone()));
    let timed = clock.clone();
    let ulid = each(seed, Cipher::Aes, move |stream| Ulid::new(stream, timed.clone()));
    // One counter for all threads: that is what keeps their ids apart and, on each, in order.
    let (timed, streams) = (clock.clone(), seed.clone());
    let monotonic = move |threads: usize| {
        let stream = |thread| Stream::new(Cipher::Aes, &streams, thread);
        let first = V7Monotonic::new(stream(0), timed.clone());
        let others: Vec<_> = (1..threads as u64).map(|thread| first.sibling(stream(thread))).collect();
        Ok(std::iter::once(first).chain(others).collect())
    };
    // A worker number a thread.
    let timed = clock.clone();
    let snowflake = move |threads: usize| {
        let worker = |thread| {
            let number = u16::try_from(thread).unwrap_or(u16::MAX);
            Snowflake::new(timed.clone(), TWITTER_EPOCH_UNIX_MS, number)
        };
        (0..threads).map(worker).collect()
    };
    let of = |entry: Entry, rising, scheme| Entry { rising, scheme, ..entry };
    let chacha8 = Entry {
        stream: Some(Cipher::ChaCha8),
        scheme: Some("v4"),
        ..uuid("v4:chacha8", "v4:chacha8:one", 4)
    };
    let rising = of(uuid("v7-monotonic", "v7-monotonic:one", 7), true, Some("v7:uuidcap"));
    let finely = of(uuid("v7-submillisecond", "v7-submillisecond:one", 7), false, Some("v7:uuidcap-sub-ms"));
    let ulids = Entry { shape: Shape::Ulid, ..of(uuid("ulid", "ulid:one", 0), true, Some("ulid:monotonic")) };
    let mut all = vec![
        uuid("v1", "v1:one", 1).written(format, v1),
        uuid("v4", "v4:one", 4).written(format, each(seed, Cipher::Aes, V4::new)),
        chacha8.written(format, each(seed, Cipher::ChaCha8, V4::new)),
        of(uuid("v6", "v6:one", 6), true, Some("v6:uuidcap")).written(format, v6),
        uuid("v7", "v7:one", 7).written(format, v7),
        rising.written(format, monotonic),
        finely.written(format, finer),
        ulids.written(format, ulid),
    ];
    if format == Format::Binary {
        let entry = of(uuid("snowflake", "snowflake:one", 0), true, Some("snowflake"));
        let both = Entry { shape: Shape::Snowflake, stream: None, ..entry }.both(snowflake);
        let (burst, most_threads) = (SNOWFLAKE_BURST, Some(SNOWFLAKE_WORKERS));
        all.push(both.into_iter().map(|one| Contender { burst, most_threads, ..one }).collect());
    }
    let nanoids = Entry { shape: Shape::NanoId, ..uuid("nanoid", "nanoid:one", 0) };
    all.push(nanoids.both(each(seed, Cipher::Aes, NanoId::new)));
    all.into_iter().flatten().collect()
}

/// Others' generators as they come, in the formats that their crates write.
#[cfg(feature = "peers")]
fn peers(format: Format) -> Vec<Contender> {
    use crate::id::peer;
    let text = match format {
        Format::Binary => None,
        Format::Text(form) => Some(form),
    };
    let rising = |contender: Option<Contender>| contender.map(|own| Contender { rising: true, ..own });
    let peer = |name, scheme, shape, team| text.is_none().then(|| Contender::peer(name, scheme, shape, team));
    let bulk = |contender: Option<Contender>| contender.map(|own| Contender { call: Call::Bulk, ..own });
    let nanoid = team(|_| Ok(OneByOne(peer::nanoid_rs)));
    let chacha8 = team(|thread| {
        let mut stream = peer::RandChacha8::new(thread);
        Ok(Bytes(move |bytes: &mut [u8]| stream.v4(cast_slice_mut(bytes))))
    });
    [
        uuid(text, "v1:uuid-rs", Some("v1"), 1, peer::v1_uuid_rs, peer::uuid_text),
        uuid(text, "v4:uuid-rs", Some("v4"), 4, peer::v4_uuid_rs, peer::uuid_text),
        uuid(text, "v4:uuid-rs-default", Some("v4"), 4, peer::v4_uuid_rs_default, peer::uuid_text),
        uuid(text, "v6:uuid-rs", Some("v6"), 6, peer::v6_uuid_rs, peer::uuid_text),
        rising(uuid(text, "v7:uuid-rs", Some("v7:uuid-rs"), 7, peer::v7_uuid_rs, peer::uuid_text)),
        rising(uuid(text, "v7:uuid7", Some("v7:liosk"), 7, peer::v7_uuid7, peer::uuid_text)),
        uuid(text, "ulid:ulid-rs", Some("ulid"), 0, peer::ulid_rs, peer::ulid_text),
        Some(Contender::peer("nanoid:nanoid-rs", Some("nanoid"), Shape::NanoId, nanoid)),
        bulk(peer("v4:rand-chacha8", Some("v4"), Shape::Uuid(4), chacha8)),
        bulk(peer("os-entropy", None, Shape::Noise, team(|_| Ok(Bytes(peer::entropy))))),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Who gives a UUID or ULID a call, as bytes or as the text that his crate writes. The function is a type, not a
/// pointer: it is called as a program that names it would call it.
#[cfg(feature = "peers")]
fn uuid<F: Fn() -> Uuid + Copy + Send + Sync + 'static>(
    text: Option<TextForm>,
    name: &'static str,
    scheme: Option<&'static str>,
    version: u8,
    make: F,
    written: crate::id::peer::Form,
) -> Option<Contender> {
    let Some(form) = text else {
        let shape = if version == 0 { Shape::Ulid } else { Shape::Uuid(version) };
        return Some(Contender::peer(name, scheme, shape, team(move |_| Ok(OneByOne(make)))));
    };
    let write = written(form)?;
    let write = move |text: &mut [u8]| write(make(), text);
    let makers = team(move |_| Ok(TextOneByOne(write, form.chars())));
    Some(Contender::peer(name, scheme, Shape::Text(form, version), makers))
}

/// What a maker of ids cannot be expected to beat.
fn ceilings(seed: &Seed) -> Vec<Contender> {
    let ceiling = |name, stream, shape, team| Contender {
        name,
        role: Role::Ceiling,
        call: Call::Bulk,
        scheme: None,
        stream,
        shape,
        rising: false,
        burst: 0,
        most_threads: None,
        team,
    };
    let raw = |cipher, vectors: bool| {
        let seed = seed.clone();
        team(move |thread| {
            let stream = Stream::new(cipher, &seed, thread);
            let (stream, mut block) = (if vectors { stream } else { stream.without_vectors() }, 0u64);
            Ok(Bytes(move |bytes: &mut [u8]| {
                stream.fill(block, bytes);
                block = block.wrapping_add((bytes.len() / 16) as u64);
            }))
        })
    };
    // Another byte at every call: a buffer that already holds it could be left as it is.
    let memset = team(|_| {
        let mut byte = 0u8;
        Ok(Bytes(move |bytes: &mut [u8]| {
            byte = byte.wrapping_add(1);
            bytes.fill(byte);
        }))
    });
    vec![
        ceiling("memset", None, Shape::Filled, memset),
        ceiling("stream:aes", Some(Cipher::Aes), Shape::Noise, raw(Cipher::Aes, true)),
        // By the crates aes and ctr alone.
        ceiling("stream:aes-ctr", Some(Cipher::Aes), Shape::Noise, raw(Cipher::Aes, false)),
        ceiling("stream:chacha8", Some(Cipher::ChaCha8), Shape::Noise, raw(Cipher::ChaCha8, true)),
        #[cfg(feature = "peers")]
        ceiling("stream:rand-chacha8", None, Shape::Noise, {
            team(|thread| {
                let mut stream = crate::id::peer::RandChacha8::new(thread);
                Ok(Bytes(move |bytes: &mut [u8]| stream.fill(bytes)))
            })
        }),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::clock::Manual;
    use std::sync::Arc;

    #[test]
    fn snowflakes_have_as_many_workers_and_ids_of_a_millisecond_as_is_said() {
        let clock = Arc::new(Manual::at_ns(1_700_000_000_000_000_000));
        let all = contenders(&Seed::from(7), &clock, Format::Binary);
        let snowflakes: Vec<_> = all.iter().filter(|one| one.most_threads.is_some()).collect();
        assert_eq!(snowflakes.iter().map(|one| one.name).collect::<Vec<_>>(), ["snowflake", "snowflake:one"]);
        for one in snowflakes {
            let most = one.most_threads.expect("it has one");
            assert!((one.team)(most).is_ok() && (one.team)(most + 1).is_err());
            let mut maker = (one.team)(1).expect("one worker").remove(0);
            let began = clock.unix_ns();
            maker.make(&mut vec![0; one.burst * 8]);
            assert_eq!(clock.unix_ns(), began, "a burst is there at once");
            maker.make(&mut [0; 8]);
            assert!(clock.unix_ns() > began, "the next is waited for");
            clock.set_ns(began + 1_000_000_000);
        }
        assert!(all.iter().all(|one| (one.burst > 0) == one.most_threads.is_some()));
    }
}
