//! Tables and proofs, of games with a changed rule too, and the counts in them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use privy_program::CliError;
use privy_rules::rule_set::{ApexRule, RuleSet};
use privy_rules::{Side, Variant};
use privy_search::Stop;
use privy_search::proof::{Proof, ProveError, ProveRequest, prove};
use privy_tables::{Layer, Progress, SolveOptions, Table, TableError, TableValue, solve, table_path};

use super::census::Census;

/// The folder of the games with a changed rule, in that of the tables.
const CHANGED: &str = "verdicts";

/// Limits of a proof: plies, nodes of a judgement, MiB of a search, and time. Proofs that exist took a third of that
/// time.
const PROOF: (u16, u64, usize, Duration) = (120, 30_000, 64, Duration::from_secs(180));

/// Gets the current activity in a few words, and the progress of a solve.
pub(super) type Listener<'a> = dyn FnMut(&str, Option<&Progress>) + Send + 'a;

/// Tables, and results that several computations share.
pub(super) struct Study<'a> {
    folder: PathBuf,
    listener: &'a mut Listener<'a>,
    pub(super) stop: &'a Stop,
    censuses: BTreeMap<String, Arc<Census>>,
    /// Games, by their fingerprint, and the sides for which no proof was found.
    unproved: BTreeSet<(String, String)>,
}

/// A step of the ladder: a game in which the General wins by taking more Rebels than this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LossLimit {
    /// The Rebels lose at most this many.
    pub(super) losses: u32,
    /// The value of the opening with the General first, and with the Rebels first.
    pub(super) openings: [TableValue; 2],
    pub(super) layer: Layer,
}

impl LossLimit {
    /// True if the Rebels win the opening with the General to move first.
    pub(super) fn general_first_won(&self) -> bool {
        self.openings[0].class() < 0
    }
}

impl<'a> Study<'a> {
    pub(super) fn new(folder: PathBuf, listener: &'a mut Listener<'a>, stop: &'a Stop) -> Study<'a> {
        Study { folder, listener, stop, censuses: BTreeMap::new(), unproved: BTreeSet::new() }
    }

    pub(super) fn say(&mut self, doing: &str) -> Result<(), CliError> {
        if self.stop.is_set() {
            return Err(TableError::Interrupted.into());
        }
        (self.listener)(doing, None);
        Ok(())
    }

    /// The table of a built-in variant, solved where it is missing.
    pub(super) fn table(&mut self, id: &str) -> Result<Table, CliError> {
        let variant = built_in(id)?;
        let path = table_path(&self.folder, &variant);
        self.open(&variant, path, id)
    }

    /// The table of a built-in variant with changed rule words.
    pub(super) fn changed(&mut self, id: &str, what: &str, change: &dyn Fn(&mut RuleSet)) -> Result<Table, CliError> {
        let variant = reworded(id, change)?;
        let path = table_path(&self.folder.join(CHANGED), &variant);
        self.open(&variant, path, &format!("{id} with {what}"))
    }

    /// The same without its apex rule.
    pub(super) fn without_apex(&mut self, id: &str) -> Result<Table, CliError> {
        self.changed(id, "apex = none", &|words| words.apex = ApexRule::None)
    }

    /// The table of a built-in variant on another board with the same field.
    pub(super) fn on_board(&mut self, id: &str, board: &str, opening: &str) -> Result<Table, CliError> {
        let folder = self.folder.join(CHANGED);
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join("board.toml"), board)?;
        let heading = format!("id = \"{id}-board\"\ntitle = \"{id} on another board\"\nextends = \"{id}\"\n");
        let text = format!("{heading}board = \"board.toml\"\nopening = \"{opening}\"\n");
        let variant = Arc::new(Variant::from_toml(&text, Some(&folder))?);
        let path = table_path(&folder, &variant);
        self.open(&variant, path, &variant.heading.title)
    }

    fn open(&mut self, variant: &Arc<Variant>, path: PathBuf, name: &str) -> Result<Table, CliError> {
        if path.exists() {
            let table = Table::open(&path, variant)?;
            if table.limit().is_none() {
                return Ok(table);
            }
        }
        let doing = format!("solving {name}");
        let listener = &mut *self.listener;
        let mut progress = |progress: &Progress| listener(&doing, Some(progress));
        solve(variant, &path, &SolveOptions::default(), &mut progress, self.stop)?;
        Ok(Table::open(&path, variant)?)
    }

    /// A checked proof that a side wins the opening of a built-in variant with a changed rule set: the kept one of
    /// `docs/proofs`, or one that is found within [`PROOF`], if any is.
    pub(super) fn proof(
        &mut self,
        id: &str,
        side: Side,
        what: &str,
        change: &dyn Fn(&mut RuleSet),
    ) -> Result<Option<Proof>, CliError> {
        let variant = reworded(id, change)?;
        let folder = self.folder.join(CHANGED).join(side.to_string());
        let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/proofs/{id}.proof.zst"));
        let is_kept = built_in(id)?.fingerprint() == variant.fingerprint() && side == Side::Rebels && kept.exists();
        let path = if is_kept { kept } else { Proof::path(&folder, &variant) };
        let failed = |error: &dyn std::fmt::Display| CliError::File(format!("{}: {error}", path.display()));
        if path.exists() {
            let proof = Proof::read(&path, &variant, self.stop).map_err(|error| failed(&error))?;
            proof.check(self.stop).map_err(|fault| failed(&fault))?;
            return Ok(Some(proof));
        }
        let key = (variant.fingerprint().to_owned(), side.to_string());
        if self.unproved.contains(&key) {
            return Ok(None);
        }
        self.say(&format!("proving {id}{what} for the {side}"))?;
        let (plies, nodes, mebibytes, time) = PROOF;
        // One thread finds the same proof each time.
        let request =
            ProveRequest { plies, nodes, mebibytes, time: Some(time), ..ProveRequest::of_opening(&variant, side) };
        let stop = self.stop.clone();
        let proof = match prove(&request, &mut |_| {}, &stop) {
            Ok(Some(proof)) => proof,
            Err(ProveError::Interrupted) if stop.is_set() => return Err(TableError::Interrupted.into()),
            _ => {
                self.unproved.insert(key);
                return Ok(None);
            }
        };
        proof.check(&stop).map_err(|fault| failed(&fault))?;
        proof.save(&path)?;
        Ok(Some(proof))
    }

    pub(super) fn census(&mut self, id: &str) -> Result<Arc<Census>, CliError> {
        if let Some(census) = self.censuses.get(id) {
            return Ok(Arc::clone(census));
        }
        let values = self.table(id)?;
        self.say(&format!("counting {id}"))?;
        let census = Arc::new(Census::of(&values, self.stop));
        self.censuses.insert(id.to_owned(), Arc::clone(&census));
        Ok(census)
    }

    /// The ladder of allowed losses: none at first, then more, up to those that the rules allow, or only until the
    /// Rebels win the opening.
    pub(super) fn ladder(&mut self, id: &str, whole: bool) -> Result<Vec<LossLimit>, CliError> {
        let variant = built_in(id)?;
        let opening = variant.opening().rebels().len();
        // Where Rebels fall in pairs every other layer is missing.
        let layers = self.table(id)?.layers().len() as u32;
        let limit = variant.rules().rebels_at_most().unwrap_or(0);
        let step = if layers < opening - limit { 2 } else { 1 };
        let mut ladder: Vec<LossLimit> = Vec::new();
        for losses in (0..opening - limit).step_by(step as usize) {
            if !whole && ladder.last().is_some_and(LossLimit::general_first_won) {
                break;
            }
            let at_most = opening - losses - 1;
            let table = if at_most < limit + step {
                self.table(id)?
            } else {
                let what = format!("rebels_at_most = {at_most}");
                self.changed(id, &what, &|words| words.rebels_at_most = u8::try_from(at_most).ok())?
            };
            let layer = table.layers().iter().find(|layer| layer.rebels == opening).copied();
            if let Some(layer) = layer {
                ladder.push(LossLimit { losses, openings: openings(&table)?, layer });
            }
        }
        Ok(ladder)
    }
}

/// The value of the opening with the General first, and with the Rebels first. One table holds both.
pub(super) fn openings(table: &Table) -> Result<[TableValue; 2], CliError> {
    let opening = table.variant().opening();
    let value = |side| table.probe_state(&opening.with_side(side));
    Ok([value(Side::General)?, value(Side::Rebels)?])
}

/// A built-in variant with changed rule words.
fn reworded(id: &str, change: &dyn Fn(&mut RuleSet)) -> Result<Arc<Variant>, CliError> {
    let base = built_in(id)?;
    let mut words = base.rule_set().clone();
    change(&mut words);
    Ok(Arc::new(base.with_words(words)?))
}

pub(super) fn built_in(id: &str) -> Result<Arc<Variant>, CliError> {
    Variant::builtin(id).ok_or_else(|| CliError::UnknownVariant(id.to_owned()))
}
