// @ts-check
/* What the engine tells, in words: outcomes, scores, judgements. */

import { onlyPerson, state, t } from "./state.js";
import { isOn, sideOf, winnerOf } from "./moves.js";
/** @import { Judged } from "./state.js" */

export const capital = text => text && text[0].toUpperCase() + text.slice(1);
export const sideName = side => state.variant[side];
const ends = { general: "general_wins", rebels: "rebels_win", draw: "draw_by" };

/** The status in the words of the game. */
export function outcomeText(status) {
  if (isOn(status)) return t("to_move", { side: sideName(sideOf(status)) });
  const first = winnerOf(status), word = status.split(": ")[1] || "", person = onlyPerson();
  const reason = state.text[`end_${word}`] ? t(`end_${word}`, state.variant) : word;
  return t(person && first !== "draw" ? person === first ? "you_won" : "you_lost" : ends[first] || "draw_by",
    { side: sideName(first), reason });
}

export const takesText = moves => moves.map(move => t(move.kind)
  + (move.takes.length ? ` ${t("takes", { points: move.takes.join(" ") })}` : "")).join(` ${t("or")} `);
export const GLYPHS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
/** The move that an answer chooses, and the last chance of winning in it. */
export const bestIn = text => text.match(/bestmove (\S+)/)?.[1];
export const rateIn = text => Number([...text.matchAll(/ winrate (\S+)/g)].pop()?.[1] ?? NaN);

export const percent = value => `${Math.round(100 * value)} %`;

/** A win, a loss or a draw in words. */
function valueText(score) {
  const [, sign, plies, mark] = score.match(/^([+-])W(\d+)?(\?)?/) || [];
  if (!sign) return t("a_draw");
  const value = t(sign === "+" ? "won" : "lost") + (plies ? ` ${t("in_plies", { count: plies })}` : "");
  return plies && mark ? t("likely", { value }) : value;
}

/** @param {Judged} judged */
export function judgementText({ judgement, only, exact, lost_plies, best, score, best_score, winrate, best_winrate }) {
  const parts = [t(`judged_${judgement}`, { count: lost_plies })];
  if (only) parts.push(t("only_move"));
  if (!exact) parts.push(t("chance_was", { before: percent(best_winrate), after: percent(winrate) }));
  else if (judgement === "blunder")
    parts.push(t("value_was", { before: valueText(best_score), after: valueText(score) }));
  if (best && !["best", "good"].includes(judgement)) parts.push(t("better_was", { move: best }));
  return parts.join("; ");
}

/** The chance of the General, from that of a side. */
export const generalChance = (side, rate) => side === "general" ? rate : 1 - rate;

/** A score in words: what is proved, or an evaluation and the chance of winning. */
export const told = (score, rate) =>
  /^[+-]?\d/.test(score) ? rate ? `${Math.round(100 * rate)} % (${score})` : score : valueText(score);

/** A score as a number, for order and colour. */
export function worth(text) {
  const score = text.replace(/^[≤≥]/, ""), won = score.match(/^([+-])W(\d*)(\??)$/);
  if (won) return (won[1] === "+" ? 1 : -1) * ((won[3] ? 5e5 : 1e6) - (won[2] ? +won[2] : 1000));
  return parseFloat(score) || 0;
}

export function colour(score, best) {
  const value = worth(score);
  if (Math.abs(value) > 1e5) return value > 0 ? "#1f7a45" : "#a8322a";
  if (score.endsWith("=")) return "#6d5f18";
  return `hsl(${130 * (1 - Math.min(1, Math.max(0, (best - value) / 6)))} 45% 30%)`;
}

export const short = score => score.replace("+W", "W").replace("-W", "L");
