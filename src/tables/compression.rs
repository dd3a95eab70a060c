//! Compression of codes, each readable without decompressing the others.
//!
//! A chunk of 512 codes has a palette of its codes, and for each position the number of its code in as few bits as the
//! palette needs: the size of the palette less 1, the palette in ascending order, the numbers from the low bits up. A
//! palette of up to 128 codes, all below 256, has a byte for each. Any other has two for each, and for its size, of
//! which the high byte comes first, with the highest bit set. Before the chunks a directory has the beginning of each
//! of them, and the end of the last, in four bytes.

use std::ops::Range;

use privy_base::threads::map;
use privy_protocol::Stop;

/// Bound on codes.
pub const CODES: usize = 1 << 11;
/// Codes of a chunk.
pub const CHUNK: usize = 512;
/// Codes of a part, which one thread compresses: whole chunks.
pub(super) const PART: usize = 1 << 18;
/// Bytes of an entry of the directory.
const ENTRY: usize = 4;
/// The bit of the first byte of a chunk that says that its palette has two bytes for each code.
const WIDE: u8 = 0x80;

/// Compresses codes below [`CODES`], given in parts: whole chunks but the last. Once `stop` is set the result is
/// incomplete.
pub fn compress(codes: &[Vec<u16>], stop: &Stop) -> Vec<u8> {
    let of_part = |codes: &Vec<u16>| {
        let (mut ends, mut chunks, mut numbers) = (Vec::new(), Vec::new(), [0; CODES]);
        for codes in codes.chunks(CHUNK).take_while(|_| !stop.is_set()) {
            compress_chunk(codes, &mut numbers, &mut chunks);
            ends.push(chunks.len());
        }
        (ends, chunks)
    };
    let parts = map(codes, of_part);
    let start = (parts.iter().map(|(ends, _)| ends.len()).sum::<usize>() + 1) * ENTRY;
    let mut section = Vec::with_capacity(start + parts.iter().map(|(_, chunks)| chunks.len()).sum::<usize>());
    let entry = |end: usize| u32::try_from(end).expect("a section has less than 4 GiB").to_le_bytes();
    let mut first = start;
    section.extend(entry(first));
    for (ends, chunks) in &parts {
        section.extend(ends.iter().flat_map(|end| entry(first + end)));
        first += chunks.len();
    }
    parts.iter().for_each(|(_, chunks)| section.extend(chunks));
    section
}

/// Bits of a number in a palette.
fn width(palette: usize) -> u32 {
    palette.next_power_of_two().trailing_zeros()
}

privy_base::best_instructions! {
    /// `numbers` is memory for the number of each code.
    fn compress_chunk(codes: &[u16], numbers: &mut [u16; CODES], section: &mut Vec<u8>) {
        let most = codes.iter().copied().max().unwrap_or(0);
        let (mut palette, mut len) = ([0; CHUNK], 1);
        palette[0] = most;
        if codes[1..] != codes[..codes.len() - 1] {
            let numbers = &mut numbers[..=usize::from(most)];
            numbers.fill(0);
            codes.iter().for_each(|code| numbers[usize::from(*code)] = 1);
            len = 0;
            for (code, number) in (0..).zip(numbers).filter(|(_, number)| **number > 0) {
                palette[len] = code;
                *number = len as u16;
                len += 1;
            }
        }
        let (last, palette) = (len - 1, &palette[..len]);
        if most <= u8::MAX.into() && last < usize::from(WIDE) {
            section.push(last as u8);
            section.extend(palette.iter().map(|code| *code as u8));
        } else {
            section.extend([WIDE | (last >> 8) as u8, last as u8]);
            section.extend(palette.iter().flat_map(|code| code.to_le_bytes()));
        }
        let width = width(len);
        if width == 0 {
            return;
        }
        // Eight numbers take as many bytes as one takes bits.
        for eight in codes.chunks(8) {
            let number = |code: &u16| u64::from(numbers[usize::from(*code)]);
            let bits = |four: &[u16]| four.iter().rev().fold(0, |bits, code| bits << width | number(code));
            let (low, high) = eight.split_at(eight.len().min(4));
            let bits = u128::from(bits(low)) | u128::from(bits(high)) << (4 * width);
            section.extend(&bits.to_le_bytes()[..(eight.len() * width as usize).div_ceil(8)]);
        }
    }
}

/// The place in the section of a chunk, by its number in a part of the directory.
#[inline(always)]
fn chunk_place(directory: &[u8], chunk: usize) -> Option<Range<usize>> {
    let (start, rest) = directory.get(chunk * ENTRY..)?.split_first_chunk::<ENTRY>()?;
    let end = rest.first_chunk::<ENTRY>()?;
    Some(u32::from_le_bytes(*start) as usize..u32::from_le_bytes(*end) as usize)
}

/// Reads a code of a section; `read` gives parts of the section.
///
/// # Errors
/// Those of `read`, and `damaged`.
#[inline(always)]
pub fn read_code<B: AsRef<[u8]>, E>(
    rank: usize,
    read: impl Fn(Range<usize>) -> Result<B, E>,
    damaged: impl Fn() -> E,
) -> Result<u16, E> {
    let chunk = rank / CHUNK;
    let directory = read(chunk * ENTRY..(chunk + 2) * ENTRY)?;
    let chunk = read(chunk_place(directory.as_ref(), 0).ok_or_else(&damaged)?)?;
    code(chunk.as_ref(), rank).ok_or_else(damaged)
}

/// Reads codes of a section from a chunk on, as [`read_code`] does. The last chunk of a section may have fewer codes;
/// those beyond mean nothing.
///
/// # Errors
/// Those of `read`, and `damaged`.
pub fn read_codes<B: AsRef<[u8]>, E>(
    first: usize,
    codes: &mut [u16],
    read: impl Fn(Range<usize>) -> Result<B, E>,
    damaged: impl Fn() -> E,
) -> Result<(), E> {
    let Some(last) = codes.len().div_ceil(CHUNK).checked_sub(1) else { return Ok(()) };
    let directory = read(first * ENTRY..(first + last + 2) * ENTRY)?;
    let place = |chunk: usize| chunk_place(directory.as_ref(), chunk).ok_or_else(&damaged);
    let start = place(0)?.start;
    let chunks = read(start..place(last)?.end)?;
    for (chunk, codes) in codes.chunks_mut(CHUNK).enumerate() {
        let place = place(chunk)?;
        let place = place.start.checked_sub(start).zip(place.end.checked_sub(start));
        let chunk = place.and_then(|(start, end)| chunks.as_ref().get(start..end));
        chunk.and_then(|chunk| decompress_chunk(chunk, codes)).ok_or_else(&damaged)?;
    }
    Ok(())
}

/// The palette of a chunk, the bytes of each of its codes, and the numbers; `None` when the chunk is damaged.
#[inline(always)]
fn parts(chunk: &[u8]) -> Option<(&[u8], usize, &[u8])> {
    let (first, rest) = chunk.split_first()?;
    if first & WIDE == 0 {
        let (palette, numbers) = rest.split_at_checked(usize::from(*first) + 1)?;
        return Some((palette, 1, numbers));
    }
    let (low, rest) = rest.split_first()?;
    let last = usize::from(u16::from_le_bytes([*low, first & !WIDE]));
    let (palette, numbers) = rest.split_at_checked((last + 1) * 2)?;
    Some((palette, 2, numbers))
}

/// A code of a palette. A forged file may have invalid codes: all are in range.
#[inline(always)]
fn entry(palette: &[u8], bytes: usize, number: usize) -> Option<u16> {
    let low = u16::from(*palette.get(number * bytes)?);
    let high = if bytes == 2 { u16::from(*palette.get(number * 2 + 1)?) << 8 } else { 0 };
    Some((high | low) % CODES as u16)
}

/// A code in its chunk; `None` when the chunk is damaged.
#[inline]
pub fn code(chunk: &[u8], place: usize) -> Option<u16> {
    let (palette, bytes, numbers) = parts(chunk)?;
    let width = width(palette.len() / bytes);
    let bit = (place % CHUNK) * width as usize;
    let byte = |place: usize| numbers.get(bit / 8 + place).copied().unwrap_or(0);
    let number = u32::from_le_bytes([byte(0), byte(1), byte(2), 0]) >> (bit % 8) & ((1 << width) - 1);
    entry(palette, bytes, number as usize)
}

privy_base::best_instructions! {
    /// The first codes of a chunk; `None` when it is damaged.
    fn decompress_chunk(chunk: &[u8], codes: &mut [u16]) -> Option<()> {
        let (palette, bytes, numbers) = parts(chunk)?;
        let (len, mut by_number) = (palette.len() / bytes, [0; CHUNK]);
        for (number, code) in by_number.get_mut(..len)?.iter_mut().enumerate() {
            *code = entry(palette, bytes, number)?;
        }
        if len == 1 {
            codes.fill(by_number[0]);
            return Some(());
        }
        // Eight numbers take as many bytes as one takes bits.
        let width = width(len);
        let mut highest = 0;
        for (place, codes) in (0..).step_by(width as usize).zip(codes.chunks_mut(8)) {
            let rest = numbers.get(place..).unwrap_or_default();
            let bits = u128::from_le_bytes(rest.first_chunk().copied().unwrap_or_else(|| {
                let mut bytes = [0; 16];
                bytes[..rest.len()].copy_from_slice(rest);
                bytes
            }));
            for (codes, mut bits) in codes.chunks_mut(4).zip([bits as u64, (bits >> (4 * width)) as u64]) {
                for code in codes {
                    let number = bits as usize & ((1 << width) - 1);
                    bits >>= width;
                    highest = highest.max(number);
                    *code = by_number[number];
                }
            }
        }
        (highest < len).then_some(())
    }
}
