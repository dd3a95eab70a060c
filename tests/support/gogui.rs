//! GoGui as a script: the commands that it sends to its copies of the engine, in the same order.

use std::process::Stdio;

use privy_protocol::{Client, Reply};

use super::binary;
use super::late::PATIENCE;

/// A half move: the colour and the point.
pub type HalfMove = (&'static str, String);

/// The state of a copy: the answers to everything that GoGui asks, and the position text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen(Vec<String>);

/// The questions of [`Seen`].
const QUESTIONS: [&str; 9] = [
    "gogui-rules_board",
    "gogui-rules_board_gfx",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "gogui-rules_captured_count",
    "gogui-rules_final_result",
    "gogui-rules_game_id",
    "status",
    "fen",
];

/// A copy of the engine.
pub struct Copy(Client);

impl Copy {
    pub fn start(variant: &str) -> Copy {
        Copy(Client::spawn(binary::privy().args(["gogui", "--variant", variant]).stderr(Stdio::null())).unwrap())
    }

    pub fn ask(&mut self, command: &str) -> Reply {
        self.0.request(command, PATIENCE).unwrap()
    }

    /// The text of a successful answer.
    #[track_caller]
    pub fn succeed(&mut self, command: &str) -> String {
        let reply = self.ask(command);
        assert!(reply.is_success(), "{command}: {reply:?}");
        reply.text().to_owned()
    }

    /// The text of a failure.
    #[track_caller]
    pub fn fail(&mut self, command: &str) -> String {
        let reply = self.ask(command);
        assert!(!reply.is_success(), "{command}: {reply:?}");
        reply.text().to_owned()
    }

    /// Sends commands in one piece and returns the answers.
    pub fn ask_all(&mut self, commands: &[String]) -> Vec<Reply> {
        let bytes = commands.iter().flat_map(|command| [command.as_bytes(), b"\n"].concat()).collect::<Vec<u8>>();
        self.0.send_bytes(&bytes, commands.len()).unwrap();
        commands.iter().map(|_| self.0.receive(PATIENCE).unwrap()).collect()
    }

    pub fn seen(&mut self) -> Seen {
        let answers = self.ask_all(&QUESTIONS.map(str::to_owned));
        assert!(answers.iter().all(Reply::is_success), "{answers:?}");
        Seen(answers.iter().map(|answer| answer.text().to_owned()).collect())
    }

    /// The legal points, empty if the game is over.
    pub fn legal(&mut self) -> Vec<String> {
        self.succeed("gogui-rules_legal_moves").split_whitespace().map(str::to_owned).collect()
    }

    pub fn client(&mut self) -> &mut Client {
        &mut self.0
    }

    pub fn quit(self) {
        assert!(self.0.quit(PATIENCE).unwrap().unwrap().success());
    }

    /// Ends the input without `quit`.
    pub fn end_of_input(mut self) {
        self.0.close_input();
        // It must end by itself: the status shows if the client has to kill it.
        drop(self);
    }
}

/// A game in GoGui: the program that plays, the ruler, two other copies, and the half moves.
pub struct Gogui {
    pub player: Copy,
    pub ruler: Copy,
    others: [Copy; 2],
    pub game: Vec<HalfMove>,
    seen: Vec<Seen>,
}

impl Gogui {
    /// Attaches the engine. Every copy gets `settings`, as from a file of parameters.
    pub fn attach(variant: &str, settings: &[&str]) -> Gogui {
        let mut copies: [Copy; 4] = std::array::from_fn(|_| Copy::start(variant));
        for copy in &mut copies {
            let listed = copy.succeed("list_commands");
            assert!(listed.lines().any(|command| command == "gogui-rules_board"), "{listed}");
            assert_eq!(copy.succeed("protocol_version"), "2");
            assert_eq!(copy.succeed("name"), "Privy");
            copy.succeed("version");
            for setting in settings {
                copy.succeed(setting);
            }
        }
        let [mut player, mut ruler, third, fourth] = copies;
        // The ruler never gets boardsize: the opening is set up at the start, and again after clear_board.
        let ready = ruler.seen();
        ruler.succeed("clear_board");
        assert_eq!(ruler.seen(), ready);
        let size = ruler.succeed("gogui-rules_board_size");
        assert_ne!(ruler.succeed("gogui-rules_game_id"), "Go");
        player.succeed(&format!("boardsize {size}"));
        player.succeed("clear_board");
        player.succeed("gogui-title");
        player.succeed("gogui-version 1.6.0");
        assert_eq!(player.seen(), ready);
        Gogui { player, ruler, others: [third, fourth], game: Vec::new(), seen: vec![ready] }
    }

    /// The side of the next half move, from the ruler.
    pub fn colour(&mut self) -> &'static str {
        match self.ruler.succeed("gogui-rules_side_to_move").chars().next() {
            Some('w' | 'W') => "w",
            Some('b' | 'B') => "b",
            other => panic!("{other:?}"),
        }
    }

    /// A click of the user: the ruler must list the point as legal, the program plays it.
    pub fn click(&mut self, point: &str) {
        let colour = self.colour();
        assert!(self.ruler.legal().iter().any(|legal| legal == point), "{point}");
        self.player.succeed(&format!("play {} {point}", colour.to_uppercase()));
        self.add(colour, point.to_owned());
    }

    /// The program generates the next half move.
    pub fn generate(&mut self) -> String {
        let colour = self.colour();
        let point = self.player.succeed(&format!("genmove {colour}"));
        assert!(self.ruler.legal().contains(&point), "{point}");
        self.add(colour, point.clone());
        point
    }

    fn add(&mut self, colour: &'static str, point: String) {
        self.game.push((colour, point));
        self.synchronise_ruler();
        let seen = self.ruler.seen();
        assert_eq!(self.player.seen(), seen, "after {:?}", self.game);
        self.seen.push(seen);
    }

    /// Sends the ruler the game from the beginning, twice, and then the last half move once more, which it must refuse.
    fn synchronise_ruler(&mut self) {
        let mut commands = vec!["clear_board".to_owned()];
        commands.extend(self.game.iter().map(|(colour, point)| format!("play {colour} {point}")));
        for _ in 0..2 {
            assert!(self.ruler.ask_all(&commands).iter().all(Reply::is_success));
        }
        let before = self.ruler.seen();
        if let Some(last) = commands.get(1..).and_then(<[String]>::last) {
            assert!(self.ruler.fail(last).starts_with("illegal move: "));
        }
        assert_eq!(self.ruler.seen(), before);
    }

    /// Goes to a half move of the game as GoGui does: all undos in one command, all moves in one command. The state
    /// must be the one that was recorded there.
    pub fn go_to(&mut self, from: usize, to: usize) {
        let shared = from.min(to);
        let undone = from - shared;
        match undone {
            0 => {}
            1 => drop(self.player.succeed("undo")),
            _ => drop(self.player.succeed(&format!("gg-undo {undone}"))),
        }
        let played: Vec<String> =
            self.game[shared..to].iter().map(|(colour, point)| format!("{} {point}", colour.to_uppercase())).collect();
        match played.as_slice() {
            [] => {}
            [one] => drop(self.player.succeed(&format!("play {one}"))),
            several => drop(self.player.succeed(&format!("gogui-play_sequence {}", several.join(" ")))),
        }
        assert_eq!(self.player.seen(), self.seen[to], "from {from} to {to}");
    }

    /// Detaches the program: one copy gets quit, the others the end of their input.
    pub fn detach(self) {
        self.player.quit();
        self.ruler.end_of_input();
        self.others.into_iter().for_each(Copy::end_of_input);
    }
}
