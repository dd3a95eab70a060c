//! Mutations of inputs: bytes, words and lines, and numbers, which random bytes rarely make valid.

use crate::support::random::Random;

/// Numbers at limits.
const NUMBERS: [&str; 16] = [
    "0",
    "-1",
    "1",
    "7",
    "8",
    "25",
    "26",
    "64",
    "65",
    "127",
    "255",
    "65536",
    "2147483647",
    "2147483648",
    "4294967296",
    "18446744073709551616",
];

/// A mutation of one of the seeds.
pub(crate) fn mutated(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut input = random.choose(seeds);
    for _ in 0..=random.below(4) {
        match random.below(9) {
            0 => replace_byte(&mut input, random),
            1 => insert(&mut input, random),
            2 => remove(&mut input, random),
            3 | 4 => change_number(&mut input, random),
            5 => exchange(&mut input, b' ', random),
            6 => exchange(&mut input, b'\n', random),
            7 => splice(&mut input, &random.choose(seeds), random),
            _ => flip_bit(&mut input, random),
        }
    }
    input.truncate(1 << 16);
    input
}

fn place(input: &[u8], random: &mut Random) -> usize {
    random.below(input.len() + 1)
}

fn replace_byte(input: &mut [u8], random: &mut Random) {
    // A byte from elsewhere in the input is more often valid than a random byte.
    if !input.is_empty() {
        let (from, to) = (random.below(input.len()), random.below(input.len()));
        input[to] = if random.one_in(3) { random.below(256) as u8 } else { input[from] };
    }
}

fn flip_bit(input: &mut [u8], random: &mut Random) {
    if !input.is_empty() {
        let at = random.below(input.len());
        input[at] ^= 1 << random.below(8);
    }
}

fn insert(input: &mut Vec<u8>, random: &mut Random) {
    let at = place(input, random);
    let bytes: Vec<u8> = (0..=random.below(6)).map(|_| random.below(256) as u8).collect();
    input.splice(at..at, bytes);
}

fn remove(input: &mut Vec<u8>, random: &mut Random) {
    let start = place(input, random);
    let end = (start + random.below(12)).min(input.len());
    input.drain(start..end);
}

/// Replaces a number by another one.
fn change_number(input: &mut Vec<u8>, random: &mut Random) {
    let is_digit = |at: usize| input.get(at).is_some_and(u8::is_ascii_digit);
    let starts: Vec<usize> = (0..input.len()).filter(|at| is_digit(*at) && (*at == 0 || !is_digit(at - 1))).collect();
    if starts.is_empty() {
        return;
    }
    let start = random.choose(&starts);
    let end = (start..).find(|at| !is_digit(*at)).unwrap_or(start);
    let number = if random.one_in(4) { random.below(1 << 20).to_string() } else { random.choose(&NUMBERS).to_owned() };
    input.splice(start..end, number.into_bytes());
}

/// Swaps, repeats or drops a part between separators.
fn exchange(input: &mut Vec<u8>, separator: u8, random: &mut Random) {
    let mut parts: Vec<Vec<u8>> = input.split(|byte| *byte == separator).map(<[u8]>::to_vec).collect();
    let (one, other) = (random.below(parts.len()), random.below(parts.len()));
    match random.below(3) {
        0 => parts.swap(one, other),
        1 => parts.insert(other, parts[one].clone()),
        _ => drop(parts.remove(one)),
    }
    *input = parts.join(&separator);
}

/// The beginning of one input and the end of another.
fn splice(input: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let (at, from) = (place(input, random), place(other, random));
    input.truncate(at);
    input.extend_from_slice(&other[from..]);
}
