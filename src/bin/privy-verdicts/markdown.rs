//! A report as Markdown.

use std::fmt::Write as _;

use super::overview::overview;
use super::plot;
use super::report::VerdictsReport;
use super::verdict::{Grid, Verdict};

const HEAD: &str = "\
# What the sources claim, and what is true

Old descriptions of these games make claims about their outcome. Here every claim that concerns a game on 25 field points is
decided by perfect play: the game is solved, every legal position included, and the answer is read off or counted. Five claims
concern the double board of 49 points, which is not solved; one of them needs no table. The numbers of the claims are those of the rules, section 8.

This file is the output of `privy-verdicts --format markdown`; [`verdicts.json`](verdicts.json) holds the same figures for
programs. They follow from the rules alone and are the same in every run; games are drawn by lot from fixed seeds.
";

const READING: &str = "\
## How to read the figures

- A **ply** is one move of one side. A length is that of best play: the winner takes the shortest way, the loser the longest.
- **Positions** are all legal ones of the layers that captures can reach from the opening, games that are over left out. They
  count alike; most never occur in a sensible game, so a share of them describes the game's space, not its practice. Mirror
  images count as two.
- **Won** is for the side named, under best play of both. A **draw** is a position in which neither side can force a win.
- A move **gives the win away** when the position after it is not won any more. Shares of moves pool the moves of all positions.
- **Perfect lines** are all games in which both sides make only perfect moves; there a mirror image counts as the same position.
- **Fewest Rebels lost**: the game is solved with the attrition limit raised, so that the General wins as soon as he has taken
  more. What the Rebels still win they can win at no greater cost, whatever he does. With the looser goal they may take longer.
- **Entering** is a step of the General from the field into the privy.
- **By lot** means: all legal moves alike. A **perfect** player draws among the best moves of the table. The third occurrence of a
  position is a draw.
- Where a claim is vague the threshold is ours, and said.
";

pub(super) fn markdown(report: &VerdictsReport) -> String {
    let mut text = HEAD.to_owned();
    // Writing to a string does not fail.
    let _ = writeln!(text, "\n| claim | variant | in short | answer |\n|---|---|---|---|");
    for verdict in &report.verdicts {
        let Verdict { claim, variant, says, answer, .. } = verdict;
        let _ = writeln!(text, "| [{claim}](#claim-{claim}) | `{variant}` | {says} | **{answer}** |");
    }
    let _ = write!(text, "\n{READING}");
    if !report.variants.is_empty() {
        let _ = writeln!(text, "\n## The solved games");
        overview(&report.variants).iter().for_each(|grid| write_grid(&mut text, grid));
        for (name, caption) in [
            (plot::SHARES, "Share of the positions that the Rebels win, by number of Rebels"),
            (plot::MISTAKES, "Share of the Rebels' moves in won positions that give the win away, by number of Rebels"),
            (
                plot::DISTANCES,
                "Share of the decided positions with the Rebels to move that take more than so many plies",
            ),
        ] {
            let _ = writeln!(text, "\n![{caption}]({name})");
        }
    }
    report.verdicts.iter().for_each(|verdict| write_verdict(&mut text, verdict));
    text
}

fn write_verdict(text: &mut String, verdict: &Verdict) {
    let _ = writeln!(text, "\n## Claim {}\n", verdict.claim);
    let _ = writeln!(text, "`{}`: {}\n", verdict.variant, verdict.says);
    let _ = writeln!(text, "**Computation.** {}\n", verdict.computation);
    let _ = writeln!(text, "**Answer: {}.** {}", verdict.answer, verdict.finding);
    if let Some(measure) = &verdict.measure {
        let _ = writeln!(text, "\n**Measure.** {measure}");
    }
    if !verdict.figures.is_empty() {
        let _ = writeln!(text, "\n| figure | value |\n|---|---|");
        for figure in &verdict.figures {
            let _ = writeln!(text, "| {} | {} |", figure.name, figure.value);
        }
    }
    verdict.grids.iter().for_each(|grid| write_grid(text, grid));
}

fn write_grid(text: &mut String, grid: &Grid) {
    let _ = writeln!(text, "\n{}:\n", grid.title);
    let _ = writeln!(text, "| {} |", grid.columns.join(" | "));
    let _ = writeln!(text, "|{}", "---|".repeat(grid.columns.len()));
    for row in &grid.rows {
        let cells: Vec<String> = row.iter().map(|cell| cell.short()).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
}
