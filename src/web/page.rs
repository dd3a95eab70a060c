//! Puts the page together.

use std::io::{self, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

use crate::puzzles::PUZZLES;

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");
const TEXTS: &str = include_str!("page/texts.en.json");
const LESSONS: &str = include_str!("lessons.json");
/// Proofs of openings, small enough to be at hand.
const PROOFS: [&[u8]; 6] = [
    include_bytes!("../../docs/proofs/rebels-5x7.proof.zst"),
    include_bytes!("../../docs/proofs/sixteen-rebels-neeley.proof.zst"),
    include_bytes!("../../docs/proofs/subjugatio.proof.zst"),
    include_bytes!("../../docs/proofs/subjugatio-free.proof.zst"),
    include_bytes!("../../docs/proofs/subjugatio-intervention.proof.zst"),
    include_bytes!("../../docs/proofs/yeung-luk.proof.zst"),
];
const WORKER: &str = include_str!("page/worker.js");
/// The modules in the order in which they are joined: each imports only from those before it.
const MODULES: [&str; 20] = [
    include_str!("page/state.js"),
    include_str!("page/engine.js"),
    include_str!("page/moves.js"),
    include_str!("page/words.js"),
    include_str!("page/tree.js"),
    include_str!("page/store.js"),
    include_str!("page/clock.js"),
    include_str!("page/board.js"),
    include_str!("page/game.js"),
    include_str!("page/review.js"),
    include_str!("page/panel.js"),
    include_str!("page/play.js"),
    include_str!("page/help.js"),
    include_str!("page/editor.js"),
    include_str!("page/files.js"),
    include_str!("page/newgame.js"),
    include_str!("page/links.js"),
    include_str!("page/input.js"),
    include_str!("page/learn.js"),
    include_str!("page/main.js"),
];

/// What a page begins with, where its address names no game. Without game, side and level it continues the game that
/// the browser keeps.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Begin {
    /// The game, as the command `variant` takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// The person's side: `general`, `rebels` or `both`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// The level of the engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<u64>,
    /// The engine's time for a move in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// The seed of the first game; the next ones follow. Random without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// Returns the page. With the module `engine` for WebAssembly it needs no program to serve it.
///
/// # Errors
/// When memory is short.
pub fn page(begin: &Begin, engine: Option<&[u8]>) -> io::Result<String> {
    let mut data =
        [("begin", &*serde_json::to_string(begin)?), ("texts", TEXTS), ("puzzles", PUZZLES), ("lessons", LESSONS)]
            .map(|(id, text)| script(id, "application/json", &text.replace('<', "\\u003c")))
            .concat();
    if let Some(module) = engine {
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(module)?;
        data += &script("engine-module", "text/plain", &BASE64.encode(packed.finish()?));
        data += &script("engine-proofs", "text/plain", &PROOFS.map(|proof| BASE64.encode(proof)).join(" "));
        data += &script("engine-worker", "text/plain", WORKER);
    }
    let page = TEMPLATE.replace("{STYLE}", STYLE).replace("{DATA}", &data);
    Ok(page.replace("{SCRIPT}", &MODULES.map(joined).concat()))
}

/// A module without imports and exports: all of them share the scope of one script.
fn joined(module: &str) -> String {
    let lines = module.lines().filter(|line| !line.starts_with("import "));
    lines.flat_map(|line| [line.strip_prefix("export ").unwrap_or(line), "\n"]).collect()
}

/// Returns an element that holds data.
fn script(id: &str, kind: &str, text: &str) -> String {
    format!("<script id=\"{id}\" type=\"{kind}\">{text}</script>\n")
}
