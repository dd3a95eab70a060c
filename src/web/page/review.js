// @ts-check
/* Review: every move of the main line judged by the engine, the curve of the game, the moments that decided it. */

import { $, state, t } from "./state.js";
import { stream } from "./engine.js";
import { draw, make } from "./board.js";
import { mainLine, show, towards, why } from "./play.js";
import { GLYPHS, generalChance, moveText, note, numberOf, sideName, toggleAnalysis } from "./panel.js";
import { LEVEL, setSeats } from "./newgame.js";
/** @import { GameNode, Judged } from "./state.js" */

export const review = { turning: [], accuracy: null, line: [] };

export const percent = value => `${Math.round(100 * value)} %`;

/** A win, a loss or a draw in words. */
export function valueText(score) {
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
  else if (judgement === "blunder") parts.push(t("value_was", { before: valueText(best_score), after: valueText(score) }));
  if (best && !["best", "good"].includes(judgement)) parts.push(t("better_was", { move: best }));
  return parts.join("; ");
}

export async function startReview() {
  const nodes = mainLine();
  if (!nodes.length) return note(t("nothing_to_review"));
  Object.assign(review, { turning: [], accuracy: null, line: nodes });
  $("turning").replaceChildren();
  nodes.forEach(node => { node.judged = null; });
  if (state.analysing) toggleAnalysis();
  await show(state.at);
  const mine = state.turn;
  $("reviewed").hidden = false;
  note(t("reviewing"));
  const answer = await stream([...towards(nodes.at(-1)), "set_option level 10"], `review time ${$("time").value / 5}`, line => {
    const told = JSON.parse(line);
    if (told.ply) {
      const node = nodes[told.ply - 1];
      node.judged = told;
      node.chances = generalChance(told.side, told.winrate);
    } else {
      review.turning = told.turning_points.sort((a, b) => a - b).map(ply => nodes[ply - 1]);
      review.accuracy = { general: told.general_accuracy, rebels: told.rebels_accuracy };
      listTurning();
    }
    draw();
  });
  if (!answer.ok) note(answer.text);
  else if (mine === state.turn) {
    note(t("review_done"));
    draw();
  }
}

/** Forgets the review: the game is another one. */
export function hideStory() {
  Object.assign(review, { turning: [], accuracy: null, line: [] });
  $("reviewed").hidden = $("explanation").hidden = true;
}

export function showReviewed() {
  const judged = review.line.filter(node => node.judged);
  if ($("reviewed").hidden) return;
  drawCurve(judged);
  const { accuracy } = review;
  $("accuracy").textContent = accuracy ? ["general", "rebels"].map(side => t("accuracy_of", { side: sideName(side), percent: Math.round(100 * accuracy[side]) })).join(" · ") : t("judged_so_far", { count: judged.length, of: review.line.length });
}

/** The moments that decided the game. */
function listTurning() {
  $("turning").replaceChildren(...review.turning.map(node => {
    const item = document.createElement("li"), go = document.createElement("button"), retry = document.createElement("button");
    go.textContent = `${numberOf(node)} ${moveText(node)}${GLYPHS[node.judged.judgement] || ""}`;
    go.onclick = () => explainNode(node);
    retry.textContent = t("try_again");
    retry.onclick = () => tryAgain(node);
    item.append(go, ` ${judgementText(node.judged)} `, retry);
    return item;
  }));
  if (!review.turning.length) $("turning").replaceChildren(Object.assign(document.createElement("li"), { textContent: t("no_turning") }));
}

/** The chances of the General after each move. */
function drawCurve(judged) {
  const svg = $("curve"), width = svg.clientWidth, height = svg.clientHeight, step = width / Math.max(1, review.line.length);
  svg.replaceChildren();
  svg.setAttribute("aria-label", t("curve", { side: sideName("general") }));
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  make(svg, "line", { class: "middle", x1: 0, x2: width, y1: height / 2, y2: height / 2 });
  const at = node => [(node.ply - .5) * step, height - (height - 8) * node.chances - 4];
  if (judged.length) {
    const points = judged.map(at);
    make(svg, "path", { class: "area", d: `M${points[0][0]} ${height}L${points.map(point => point.join(" ")).join("L")}L${points.at(-1)[0]} ${height}Z` });
    make(svg, "polyline", { class: "curve", points: points.map(point => point.join(",")).join(" ") });
  }
  for (const node of judged.filter(node => GLYPHS[node.judged.judgement])) {
    make(svg, "circle", { class: `turn ${node.judged.side}`, cx: at(node)[0], cy: at(node)[1], r: node.judged.judgement === "inaccuracy" ? 4 : 6 });
  }
  if (state.at.parent && review.line.includes(state.at)) make(svg, "line", { class: "here", x1: (state.at.ply - .5) * step, x2: (state.at.ply - .5) * step, y1: 0, y2: height });
  svg.onclick = event => {
    const ply = Math.ceil(event.offsetX / svg.clientWidth * review.line.length);
    if (review.line[ply - 1]) show(review.line[ply - 1]);
  };
}

/** What would have been right before a move, and why.
   @param {GameNode} node */
async function explainNode(node) {
  await show(node.parent);
  state.arrows = node.judged.line.slice(0, 3);
  draw();
  await why();
}

/** Lets the person play on from before a move, as the side that made it.
   @param {GameNode} node */
function tryAgain(node) {
  const side = node.judged.side, level = state.seats.general || state.seats.rebels || LEVEL;
  setSeats(side === "general" ? { general: 0, rebels: level } : { general: level, rebels: 0 });
  show(node.parent).then(() => note(t("find_better", { move: node.move })));
}
