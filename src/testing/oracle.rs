//! The oracle with the built-in games, whose files are the engine's.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use privy_rules::Variant;

use privy_oracle::{Oracle, Rules};

/// The rules of a built-in game.
pub fn rules(id: &str) -> Arc<Rules> {
    static RULES: LazyLock<HashMap<&str, Arc<Rules>>> =
        LazyLock::new(|| Variant::all_ids().map(|id| (id, Arc::new(changed(id, "", None)))).collect());
    Arc::clone(RULES.get(id).unwrap_or_else(|| panic!("no variant {id}")))
}

/// The rules of a built-in game with some keys of its file changed, on its board or another.
pub fn changed(id: &str, keys: &str, board: Option<&str>) -> Rules {
    let variant = Variant::builtin(id).unwrap();
    let board = board.unwrap_or_else(|| &variant.board().source);
    Rules::read(&[&format!("id = \"{id}\"\n{keys}"), &variant.heading.source], board).unwrap()
}

/// The opening of a built-in game.
pub fn opening(id: &str) -> Oracle {
    Oracle::opening(&rules(id))
}

/// A position of a built-in game; the error is the reason of a refusal.
pub fn from_text(id: &str, text: &str) -> Result<Oracle, String> {
    Oracle::from_text(&rules(id), text)
}
