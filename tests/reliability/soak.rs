//! Self-play in all games with changing options, moves taken back and interrupted searches. The naive rules check every
//! move and every ending. `PRIVY_SOAK_GAMES` is the number of games, `PRIVY_SOAK_TABLES` the folder of tables. The
//! engine is a process, since an interrupt reaches it while it searches.

use std::collections::BTreeMap;
use std::time::Duration;

use privy_protocol::Client;
use privy_rules::Variant;

use crate::support::binary;
use crate::support::late::PATIENCE;
use crate::support::oracle;
use crate::support::random::Random;
use privy_testing::settings;

/// A game of this many plies is abandoned.
const MOST_PLIES: usize = 200;

struct Player {
    client: Client,
}

impl Player {
    #[track_caller]
    fn ask(&mut self, command: &str) -> String {
        let reply = self.client.request(command, PATIENCE).unwrap();
        assert!(reply.is_success(), "{command}: {}", reply.text());
        reply.text().to_owned()
    }

    /// A move by a search of a millisecond, some nodes or some plies, or by an interrupted search without limit.
    fn choose(&mut self, side: &str, random: &mut Random) -> String {
        match random.below(32) {
            0 => {
                let interrupter = self.client.interrupter();
                self.client.send("go infinite").unwrap();
                std::thread::sleep(Duration::from_micros(random.below(3000) as u64));
                interrupter.interrupt().unwrap();
                let mut best = String::new();
                let on_line = |line: &str| best = line.strip_prefix("bestmove ").unwrap_or_default().to_owned();
                self.client.receive_lines(PATIENCE, on_line).unwrap();
                self.ask(&format!("play {best}"));
                best
            }
            1 => self.ask(&format!("genmove {side}")),
            2..=3 => self.go("time 1"),
            4 => self.go(&format!("depth {}", 1 + random.below(4))),
            _ => self.go(&format!("nodes {}", 1 + random.below(300))),
        }
    }

    fn go(&mut self, limit: &str) -> String {
        let answer = self.ask(&format!("go {limit}"));
        let best = answer.lines().last().unwrap().strip_prefix("bestmove ").unwrap().to_owned();
        self.ask(&format!("play {best}"));
        best
    }
}

/// Plays this number of games for each variant, or in all the number of the setting.
fn games_by_the_rules(of_each: usize) {
    let tables = std::env::var("PRIVY_SOAK_TABLES").unwrap_or_else(|_| "off".to_owned());
    let mut player = Player { client: Client::spawn(binary::privy().args(["--tables", &tables])).unwrap() };
    player.ask("time_settings 1 0 0");
    let mut variants: Vec<&str> = Variant::builtin_ids().collect();
    variants.retain(|id| *id != "twenty-six-murray");
    let games = settings::number("PRIVY_SOAK_GAMES", (of_each * variants.len()) as u64);
    let mut random = Random::new(settings::number("PRIVY_SOAK_SEED", 1));
    let mut results: BTreeMap<String, u64> = BTreeMap::new();
    let mut plies = 0;
    for game in 0..games {
        let id = variants[game as usize % variants.len()];
        player.ask(&format!("variant {id}"));
        player.ask("time_settings 1 0 0");
        let (multi_pv, level, threads) = (1 + random.below(3), 1 + random.below(10), 1 + usize::from(random.one_in(5)));
        for option in [("multi_pv", multi_pv), ("level", level), ("threads", threads), ("seed", game as usize)] {
            player.ask(&format!("set_option {} {}", option.0, option.1));
        }
        let mut reference = oracle::opening(id);
        let mut played: Vec<String> = Vec::new();
        while reference.result().is_none() && played.len() < MOST_PLIES {
            let status = player.ask("status");
            let side = status.strip_suffix(" to move").unwrap_or_else(|| panic!("{status}: {}", reference.text()));
            let legal = reference.legal_moves();
            assert_eq!(player.ask("legal_moves"), legal.join(" "), "{}", reference.text());
            let move_ = player.choose(side, &mut random);
            assert!(legal.contains(&move_), "{id}: {move_} after {played:?}");
            reference.play(&move_);
            played.push(move_);
            plies += 1;
            if random.one_in(20) {
                let count = 1 + random.below(played.len().min(4));
                player.ask(&format!("undo {count}"));
                played.truncate(played.len() - count);
                reference = oracle::opening(id);
                played.iter().for_each(|move_| reference.play(move_));
            }
            assert_eq!(player.ask("fen"), reference.text(), "{id}: after {played:?}");
        }
        let found = player.ask("status");
        if let Some(expected) = reference.result() {
            assert_eq!(found, expected, "{id}: after {played:?}");
        }
        *results.entry(found).or_default() += 1;
    }
    println!("{games} games, {plies} moves: {results:?}");
    player.client.quit(PATIENCE).unwrap();
}

#[test]
fn games_against_itself_are_played_by_the_rules() {
    games_by_the_rules(1);
}

#[test]
#[ignore = "release: twenty games of each variant"]
fn many_games_against_itself_are_played_by_the_rules() {
    games_by_the_rules(20);
}
