//! The network of the evaluation.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use privy_base::random::Random;
use privy_rules::{Position, Side, Variant};
use privy_search::eval::network::*;

fn random_network(variant: &Variant, random: &mut Random) -> Network {
    let count = generals(variant).count() * (2 + FLAGS + variant.board().len());
    let mut row = || std::array::from_fn(|_| random.below(301) as i16 - 150);
    Network::from_rows(variant, &(0..count).map(|_| row()).collect::<Vec<_>>())
}

/// The sum written out, unit by unit.
fn plain_value(network: &Network, position: &Position) -> i32 {
    let layer = &network.0[position.general().index()];
    let unit = |unit: usize| {
        let rebels: i32 = position.rebels().into_iter().map(|point| i32::from(layer.rebels[point.index()][unit])).sum();
        let apex = i32::from(position.apex_visited()) * i32::from(layer.flags[0][unit]);
        let jumps = i32::from(position.free_jumps()) * i32::from(layer.flags[1][unit]);
        let sum = (i32::from(layer.bias[unit]) + rebels + apex + jumps).clamp(0, ONE);
        sum * sum / 256 * i32::from(layer.output[unit])
    };
    (0..UNITS).map(unit).sum::<i32>() / ONE
}

#[test]
fn values_are_the_plain_sums_and_equal_those_of_mirror_images() {
    let mut random = Random::new(7);
    for id in ["sixteen-rebels", "juroku-musashi", "kings-gonu", "subjugatio"] {
        let variant = Variant::builtin(id).unwrap();
        let network = random_network(&variant, &mut random);
        for _ in 0..200 {
            let points = variant.board().all();
            let general = *random.pick(&points.into_iter().collect::<Vec<_>>()).unwrap();
            let rebels = points.into_iter().filter(|_| random.below(2) == 0).collect::<privy_rules::board::PointSet>();
            let position = Position::new(rebels.without(general), general, Side::General, true, 2);
            let value = network.value(&position);
            assert_eq!(value, plain_value(&network, &position), "{id}");
            assert_eq!(value, network.value(&variant.mirror(&position)), "{id}");
        }
    }
}

#[test]
fn networks_round_trip_and_malformed_ones_are_refused() {
    let variant = Variant::builtin("kings-gonu").unwrap();
    let network = random_network(&variant, &mut Random::new(8));
    let text = network.to_text(&variant);
    assert_eq!(Network::from_text(&text, &variant), Some(network));
    assert_eq!(Network::from_text(&text[4..], &variant), None, "too short");
    assert_eq!(Network::from_text("?", &variant), None);
    let large = STANDARD.encode(i16::MAX.to_le_bytes().repeat(text.len() / 4 * 3 / 2));
    assert_eq!(Network::from_text(&large, &variant), None, "sums overflow");
}
