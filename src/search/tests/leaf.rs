//! Leaves of the exact search.

use privy_rules::Variant;
use privy_search::proof::leaf::{Leaf, LeafFile, LeafResult, LeafValue};
use std::fs;
use std::sync::Arc;

fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("privy-leaves-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn of_several_threads_that_open_a_file_one_gets_it_and_the_others_are_refused() {
    let folder = folder("rivals");
    let variant = Variant::builtin("subjugatio").unwrap();
    for round in 0..30 {
        let path = folder.join(round.to_string());
        let opened = std::thread::scope(|scope| {
            let open = || LeafFile::open(&path, &variant, 1_000, 64);
            let rivals: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
            rivals.into_iter().map(|rival| rival.join().unwrap()).collect::<Vec<_>>()
        });
        assert_eq!(opened.iter().filter(|file| file.is_ok()).count(), 1);
        for refused in opened.into_iter().filter_map(Result::err) {
            assert!(refused.to_string().contains("in use by "), "{refused}");
        }
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn results_are_kept_and_another_game_and_other_settings_are_refused() {
    let folder = folder("kept");
    let path = folder.join("file");
    let variant = Variant::builtin("subjugatio").unwrap();
    let open = |variant: &Arc<Variant>, nodes, hash| LeafFile::open(&path, variant, nodes, hash);
    let legal = variant.legal_moves(variant.opening());
    let values = [LeafValue::Win(17), LeafValue::Open { hundredths: -250, no_win_within: 9 }, LeafValue::Loss];
    let mut leaf = Leaf { place: 0, position: *variant.opening(), without: Vec::new() };
    let mut file = open(&variant, 1_000, 64).unwrap();
    let mut kept = Vec::new();
    for (path, value) in legal.iter().zip(values) {
        let result = LeafResult { move_: *path.action(), value };
        file.add(&leaf, &result).unwrap();
        leaf.without.push(result.move_);
        kept.push(result);
    }
    assert!(!kept.is_empty());
    drop(file);
    // A line that was cut off by a full disk is ignored.
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text + "{\"position\":").unwrap();
    let file = open(&variant, 1_000, 64).unwrap();
    leaf.without.clear();
    for result in &kept {
        assert_eq!(file.find(&leaf), Some(*result));
        leaf.without.push(result.move_);
    }
    assert_eq!(file.find(&leaf), None);
    drop(file);
    let refused = |variant: &Arc<Variant>, nodes, hash, words: &str| {
        let error = open(variant, nodes, hash).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    refused(&variant, 2_000, 64, "it is of searches with --nodes 1000 --hash 64");
    refused(&variant, 1_000, 32, "it is of searches with --nodes 1000 --hash 64");
    refused(&Variant::builtin("subjugatio-free").unwrap(), 1_000, 64, "with the fingerprint");
    fs::remove_dir_all(folder).unwrap();
}
