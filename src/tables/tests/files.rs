//! Table files: equal for any number of threads and runs, never half written, and refused when damaged.

use privy_protocol::Stop;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use proptest::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::{Folder, game, interrupted, plain, solve_with, solved, write_table};
use privy_base::atomic_file::AtomicFile;
use privy_base::path_choice::PathChoice;
use privy_rules::rule_set::{ApexRule, RuleSet};
use privy_rules::{Side, Variant};
use privy_tables::file::{FORMAT, Header, TableFile};
use privy_tables::{
    Progress, SolveOptions, Table, TableError, TableValue, Tables, effort, solve, solve_in_memory, table_files,
    table_path,
};
use privy_testing::cases;
use privy_testing::exactness::with_opening;
use privy_testing::tables::some_states;

fn rule_set() -> RuleSet {
    RuleSet {
        intervention: true,
        custodial: true,
        apex: ApexRule::Return,
        close_privy: true,
        rebels_at_most: Some(1),
        ..plain()
    }
}

/// A game of a few positions: its file is one segment.
fn tiny() -> Arc<Variant> {
    game("hut", &rule_set(), "b2", 5).unwrap()
}

/// A game on 25 points, whose file has many segments, with the file's bytes.
fn large() -> &'static (Arc<Variant>, Vec<u8>) {
    static LARGE: OnceLock<(Arc<Variant>, Vec<u8>)> = OnceLock::new();
    LARGE.get_or_init(|| {
        let variant = game("privy", &rule_set(), "c3", 6).unwrap();
        let folder = Folder::new();
        let path = folder.file("large.privy");
        solve_with(&variant, &path, 2).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        assert!(bytes.len() > 8 << 16, "{} bytes", bytes.len());
        (variant, bytes)
    })
}

fn assert_refused(path: &Path, variant: &Arc<Variant>, words: &str) {
    let message = Table::open(path, variant).expect_err(words).to_string();
    assert!(message.contains(&path.display().to_string()), "{message} does not name {}", path.display());
    assert!(message.contains(words), "{message} does not say {words}");
}

#[test]
fn threads_do_not_change_a_byte() {
    let (variant, bytes) = large();
    let folder = Folder::new();
    solve_with(variant, &folder.file("one.privy"), 1).unwrap();
    assert!(std::fs::read(folder.file("one.privy")).unwrap() == *bytes);
}

#[test]
fn every_flipped_byte_of_a_small_file_is_refused() {
    let (folder, variant) = (Folder::new(), tiny());
    let path = folder.file("tiny.privy");
    solved(&variant, &path);
    let sound = std::fs::read(&path).unwrap();
    assert!(sound.len() < 1 << 16);
    for place in 0..sound.len() {
        let mut damaged = sound.clone();
        damaged[place] ^= 1 << (place % 8);
        std::fs::write(&path, damaged).unwrap();
        assert_refused(&path, &variant, "");
    }
}

#[test]
fn a_file_truncated_anywhere_is_refused() {
    let (folder, variant) = (Folder::new(), tiny());
    let path = folder.file("tiny.privy");
    solved(&variant, &path);
    let sound = std::fs::read(&path).unwrap();
    for length in 0..sound.len() {
        std::fs::write(&path, &sound[..length]).unwrap();
        assert_refused(&path, &variant, if length < 8 { "not a table file" } else { "truncated" });
    }
    std::fs::write(&path, [sound.as_slice(), b"more"].concat()).unwrap();
    assert_refused(&path, &variant, "damaged at its end");
    let (variant, sound) = large();
    for length in (0..sound.len()).step_by(sound.len() / 50) {
        std::fs::write(&path, &sound[..length]).unwrap();
        assert_refused(&path, variant, "");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(8), failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever byte is damaged, a probe gives the value of the sound file or an error.
    #[test]
    fn a_flipped_byte_never_gives_a_wrong_value(at in any::<prop::sample::Index>(), flip in 1u8..=255, stride in 1usize..99) {
        static SOUND: OnceLock<Table> = OnceLock::new();
        let (variant, bytes) = large();
        let sound = SOUND.get_or_init(|| Table::from_memory(bytes.clone(), variant).unwrap());
        let folder = Folder::new();
        let path = folder.file("damaged.privy");
        let mut damaged = bytes.clone();
        damaged[at.index(bytes.len())] ^= flip;
        std::fs::write(&path, damaged).unwrap();
        match Table::open(&path, variant) {
            Err(error) => prop_assert!(error.to_string().contains("damaged.privy"), "{}", error),
            Ok(table) => {
                prop_assert!(table.check().unwrap_err().to_string().contains("damaged between byte"));
                for state in some_states(variant, stride) {
                    match table.probe_state(&state) {
                        Ok(value) => prop_assert_eq!(value, sound.probe_state(&state).unwrap()),
                        Err(TableError::Unusable(..)) => {}
                        Err(error) => prop_assert!(false, "{}", error),
                    }
                }
            }
        }
    }
}

#[test]
fn other_files_are_refused_by_their_kind() {
    let (folder, variant) = (Folder::new(), tiny());
    let path = folder.file("tiny.privy");
    std::fs::write(&path, "").unwrap();
    assert_refused(&path, &variant, "not a table file");
    std::fs::write(&path, "a letter to a friend, longer than any trailer").unwrap();
    assert_refused(&path, &variant, "not a table file");
    assert!(matches!(Table::open(&folder.file("none.privy"), &variant), Err(TableError::System { .. })));
    assert!(matches!(Table::open(folder.0.path(), &variant), Err(TableError::System { .. })));
    let other = game("barn", &rule_set(), "b2", 3).unwrap();
    solved(&other, &path);
    assert_refused(&path, &variant, &format!("a table of small {}, not of small", other.fingerprint()));
}

#[test]
fn files_of_another_format_or_layout_are_not_read() {
    let (folder, variant) = (Folder::new(), tiny());
    let path = folder.file("tiny.privy");
    solved(&variant, &path);
    let header = TableFile::open(&path).unwrap().header;
    let all = header.sections.len();
    let write = |header: &Header, sections: usize| {
        write_table(&path, header, (0..sections).map(|_| Vec::new()));
    };
    write(&Header { format: FORMAT + 1, ..header.clone() }, all);
    assert_refused(&path, &variant, "format 9, this program reads 8; solve the variant again");
    write(&header, all - 1);
    assert_refused(&path, &variant, "laid out by another version of the program; solve the variant again");
    let mut layers = header.layers.clone();
    layers[0].rebels += 1;
    write(&Header { layers, ..header.clone() }, all);
    assert_refused(&path, &variant, "laid out by another version of the program; solve the variant again");
    // Sections in which nothing is: nothing is said, and nothing breaks.
    write(&header, all);
    let table = Table::open(&path, &variant).unwrap();
    for state in some_states(&variant, 7) {
        let moves_decide =
            state.side() == Side::General && table.probe_state(&state).is_ok_and(|v| v == TableValue::Win(1));
        assert!(moves_decide || table.probe_state(&state).is_err(), "{state:?}");
    }
}

#[test]
fn a_table_in_memory_has_the_bytes_and_values_of_the_file() {
    let (folder, variant) = (Folder::new(), tiny());
    let path = folder.file("tiny.privy");
    let (on_disk, in_memory) =
        (solved(&variant, &path), solve_in_memory(&variant, &mut |_| {}, &Stop::default()).unwrap());
    assert_eq!((in_memory.bytes(), in_memory.layers()), (on_disk.bytes(), on_disk.layers()));
    in_memory.check().unwrap();
    for state in some_states(&variant, 1) {
        assert_eq!(in_memory.probe_state(&state).ok(), on_disk.probe_state(&state).ok(), "{state:?}");
    }
    let stop = Stop::default();
    stop.set();
    assert!(matches!(solve_in_memory(&variant, &mut |_| {}, &stop), Err(TableError::Interrupted)));
    let too_large = Variant::builtin("subjugatio").unwrap();
    assert!(matches!(solve_in_memory(&too_large, &mut |_| {}, &Stop::default()), Err(TableError::Unsolvable(..))));
    // Nothing but the table of the file has been written anywhere near.
    assert_eq!(std::fs::read_dir(folder.0.path()).unwrap().count(), 1);
    assert!(!Path::new("memory.resume").exists());
}

/// Small games, with a hand and without.
#[test]
fn small_games_of_all_kinds_are_solved_in_memory() {
    let folder = Folder::new();
    let komikan = Variant::builtin("komikan").unwrap();
    let opening = komikan.opening();
    let few = opening.with_pieces(opening.rebels().into_iter().take(2).collect(), opening.general());
    let few = with_opening(&komikan, komikan.position_text(&few).split(' ').next().unwrap()).unwrap();
    let mut games = 0;
    for variant in Variant::all_ids().map(|id| Variant::builtin(id).unwrap()).chain([few]) {
        if effort(&variant).is_ok_and(|effort| effort.positions >= 20_000) || effort(&variant).is_err() {
            continue;
        }
        let path = folder.file(variant.id());
        let (on_disk, in_memory) =
            (solved(&variant, &path), solve_in_memory(&variant, &mut |_| {}, &Stop::default()).unwrap());
        assert!(in_memory.contents().unwrap() == on_disk.contents().unwrap(), "{}", variant.id());
        games += 1;
    }
    assert!(games > 3, "{games} games");
}

#[test]
fn an_interrupted_solve_leaves_the_old_file_and_goes_on_later() {
    let (folder, variant) = (Folder::new(), tiny());
    let path = folder.file("tiny.privy");
    let layers: Vec<u32> = solved(&variant, &path).layers().iter().map(|layer| layer.rebels).collect();
    let sound = std::fs::read(&path).unwrap();
    for (number, rebels) in layers.iter().enumerate() {
        std::fs::write(&path, "what was there before").unwrap();
        for ply in [3, 0] {
            assert!(matches!(interrupted(&variant, &path, (*rebels, ply)), Err(TableError::Interrupted)));
            assert_eq!(std::fs::read(&path).unwrap(), b"what was there before");
        }
        let mut resumed = None;
        let mut progress = |progress: &Progress| resumed = progress.resumed_from;
        solve(&variant, &path, &SolveOptions::default(), &mut progress, &Stop::default()).unwrap();
        assert_eq!(resumed, number.checked_sub(1).map(|last| layers[last]));
        assert!(std::fs::read(&path).unwrap() == sound, "interrupted with {rebels} Rebels");
        assert_eq!(std::fs::read_dir(folder.0.path()).unwrap().count(), 1);
    }
}

/// A checkpoint of another format is not resumed, sound as it is.
#[test]
fn a_checkpoint_of_another_format_is_not_resumed() {
    let (folder, variant) = (Folder::new(), tiny());
    let (path, beside) = (folder.file("tiny.privy"), folder.file("tiny.privy.resume"));
    let most = solved(&variant, &folder.file("sound.privy")).layers().last().unwrap().rebels;
    for (format, is_resumed) in [(FORMAT, true), (FORMAT + 1, false)] {
        interrupted(&variant, &path, (most, 0)).unwrap_err();
        let kept = std::fs::read(&beside).unwrap();
        let (header, checksum) = kept.split_last_chunk::<8>().unwrap();
        let text = std::str::from_utf8(header).unwrap();
        let changed = text.replace(&format!("\"format\":{FORMAT}"), &format!("\"format\":{format}"));
        let sum = u64::from_le_bytes(*checksum) ^ xxh3_64(header) ^ xxh3_64(changed.as_bytes());
        std::fs::write(&beside, [changed.as_bytes(), &sum.to_le_bytes()].concat()).unwrap();
        let mut resumed = None;
        let mut progress = |progress: &Progress| resumed = progress.resumed_from;
        solve(&variant, &path, &SolveOptions::default(), &mut progress, &Stop::default()).unwrap();
        assert_eq!(resumed.is_some(), is_resumed, "format {format}");
        std::fs::remove_file(&path).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(20), failure_persistence: None, ..ProptestConfig::default() })]

    /// A damaged checkpoint, or one of other rules, costs time but changes nothing.
    #[test]
    fn a_damaged_checkpoint_changes_nothing(ply in 0u32..9, at in any::<prop::sample::Index>(), flip in 0u8..=255) {
        let (folder, variant) = (Folder::new(), tiny());
        let path = folder.file("tiny.privy");
        solved(&variant, &path);
        let sound = std::fs::read(&path).unwrap();
        let checkpointed = if flip == 0 { game("hut", &plain(), "b2", 5).unwrap() } else { variant.clone() };
        // The plain game has no such ply; then it is solved.
        let _ = interrupted(&checkpointed, &path, (5, ply));
        let beside = folder.file(if at.index(2) == 0 { "tiny.privy.resume" } else { "tiny.privy.unfinished" });
        if let Ok(mut bytes) = std::fs::read(&beside) {
            let at = at.index(bytes.len());
            bytes[at] ^= flip;
            std::fs::write(&beside, bytes).unwrap();
        }
        solved(&variant, &path);
        prop_assert!(std::fs::read(&path).unwrap() == sound);
    }
}

/// A table whose file is truncated or overwritten while it is in use gives no wrong value, and the process survives.
#[test]
fn a_file_may_change_while_its_table_is_in_use() {
    let (variant, bytes) = large();
    let folder = Folder::new();
    let path = folder.file("changing.privy");
    let sound = {
        std::fs::write(folder.file("sound.privy"), bytes).unwrap();
        Table::open(&folder.file("sound.privy"), variant).unwrap()
    };
    let changes: [&dyn Fn(&mut std::fs::File); 3] =
        [&|file| file.set_len(0).unwrap(), &|file| file.set_len(bytes.len() as u64 / 2).unwrap(), &|file| {
            file.write_all(&vec![0xa5; bytes.len()]).unwrap()
        }];
    for change in changes {
        std::fs::write(&path, bytes).unwrap();
        let table = Table::open(&path, variant).unwrap();
        // Some of it is in memory, some is not.
        let first = table.probe(&variant.start()).unwrap();
        change(&mut std::fs::File::options().write(true).open(&path).unwrap());
        assert_eq!(table.probe(&variant.start()).unwrap(), first);
        assert!(matches!(table.check(), Err(TableError::Unusable(..))));
        let mut damaged = 0;
        for state in some_states(variant, 7) {
            match table.probe_state(&state) {
                Ok(value) => assert_eq!(value, sound.probe_state(&state).unwrap()),
                Err(TableError::Unusable(..)) => damaged += 1,
                Err(error) => panic!("{error}"),
            }
        }
        assert!(damaged > 0);
    }
}

/// A pipe never ends, and waits for somebody to write into it.
#[cfg(unix)]
#[test]
fn a_pipe_is_not_a_table() {
    let (folder, variant) = (Folder::new(), tiny());
    let path = folder.file("pipe.privy");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let error = Table::open(&path, &variant).unwrap_err().to_string();
    assert!(error.contains("pipe.privy: expected a file"), "{error}");
    assert!(Header::read(&path).is_err());
}

#[test]
fn unfinished_files_are_ignored_and_removed() {
    let (folder, variant) = (Folder::new(), tiny());
    let path = folder.file("tiny.privy");
    let beside = folder.file("tiny.privy.unfinished");
    let table = solved(&variant, &path);
    std::fs::write(&beside, &std::fs::read(&path).unwrap()[..300]).unwrap();
    assert!(table.check().is_ok() && Table::open(&path, &variant).is_ok());
    assert_eq!(table_files(folder.0.path()).unwrap(), std::slice::from_ref(&path));
    assert!(solve_with(&variant, &path, 1).unwrap().removed_unfinished);
    assert!(!beside.exists());
    std::fs::write(&beside, "").unwrap();
    assert!(solve_with(&variant, &path, 1).unwrap().removed_unfinished);
    assert!(!solve_with(&variant, &path, 1).unwrap().removed_unfinished);
    assert_eq!(std::fs::read_dir(folder.0.path()).unwrap().count(), 1);
}

#[test]
fn one_process_at_a_time_solves_into_a_file() {
    let (folder, variant) = (Folder::new(), tiny());
    let (path, other) = (folder.file("tiny.privy"), folder.file("other.privy"));
    let writing = AtomicFile::create(&path).unwrap();
    let error = solve_with(&variant, &path, 1).unwrap_err().to_string();
    assert_eq!(error, format!("{}: in use by another process", path.display()));
    solved(&variant, &other);
    assert!(!path.exists());
    drop(writing);
    solved(&variant, &path);
    assert_eq!(std::fs::read_dir(folder.0.path()).unwrap().count(), 2);
}

/// What is remembered of a variant without a table hides neither a table made later nor another variant.
#[test]
fn a_new_table_is_found() {
    let (folder, variant) = (Folder::new(), tiny());
    let tables = Tables::new(PathChoice::Path(folder.0.path().to_owned()));
    let too_large = Variant::builtin("subjugatio").unwrap();
    for _ in 0..2 {
        assert!(matches!(tables.find(&variant), Err(TableError::Missing { .. })));
        assert!(matches!(tables.find(&too_large), Err(TableError::Unsolvable(id, _)) if id == "subjugatio"));
    }
    assert!(tables.find_any(&too_large).unwrap().is_none());
    solved(&variant, &table_path(folder.0.path(), &variant));
    assert!(tables.find(&variant).is_ok());
}

#[test]
fn an_unreadable_folder_is_an_error() {
    let (folder, variant) = (Folder::new(), tiny());
    let find = |folder: PathBuf| Tables::new(PathChoice::Path(folder)).find(&variant).unwrap_err();
    assert!(matches!(find(folder.0.path().to_owned()), TableError::Missing { .. }));
    assert!(matches!(find(folder.file("none")), TableError::Missing { .. }));
    std::fs::write(folder.file("file"), "no folder").unwrap();
    let error = find(folder.file("file"));
    assert!(matches!(error, TableError::System { .. }), "{error}");
    assert!(error.to_string().starts_with(&folder.file("file").display().to_string()), "{error}");
}

#[test]
fn unwritable_paths_are_refused_and_unchanged() {
    let (folder, variant) = (Folder::new(), tiny());
    std::fs::write(folder.file("file"), "no folder").unwrap();
    let error = solve_with(&variant, &folder.file("file/tiny.privy"), 1).unwrap_err();
    assert!(matches!(error, TableError::System { .. }), "{error}");
    assert_eq!(std::fs::read(folder.file("file")).unwrap(), b"no folder");
    // A folder of that name stays, and nothing is left beside it.
    std::fs::create_dir(folder.file("tiny.privy")).unwrap();
    std::fs::write(folder.file("tiny.privy/inside"), "").unwrap();
    let error = solve_with(&variant, &folder.file("tiny.privy"), 1).unwrap_err();
    assert!(matches!(error, TableError::System { .. }), "{error}");
    assert!(folder.file("tiny.privy/inside").exists());
    assert_eq!(std::fs::read_dir(folder.0.path()).unwrap().count(), 2);
    // A folder that is not there yet is made.
    solved(&variant, &folder.file("a/b/tiny.privy"));
}
