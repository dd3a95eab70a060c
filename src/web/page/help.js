// @ts-check
/* What the engine says when it is asked: a hint, why, analysis, perfect play, a review of every move. */

import { $, LEVEL, state, t } from "./state.js";
import { engine, stopSearch, stream } from "./engine.js";
import { bestIn, generalChance, told } from "./words.js";
import { mainLine, pathTo } from "./tree.js";
import { keep } from "./store.js";
import { towards } from "./game.js";
import { listTurning, review } from "./review.js";
import { analyse, asked, draw, note, reveal, say, setSeats } from "./panel.js";
import { show } from "./play.js";
/** @import { GameNode } from "./state.js" */

export async function hint() {
  const text = await asked("go time 1000"), best = bestIn(text);
  if (!best) return text && note(text);
  const score = [...text.matchAll(/score (\S+)(?: bound \S+)?(?: winrate (\S+))?/g)].pop();
  state.arrows = [best];
  draw();
  note(t("hint_is", { move: best, score: score ? told(score[1], score[2]) : "" }));
  say($("note").textContent);
}

/** Who is winning and why, in the engine's words. */
export async function why() {
  note(t("looking"));
  const text = await asked("explain");
  if (!text) return;
  $("explained").textContent = text;
  reveal($("explanation"));
  note("");
  say(text);
}

/** Perfect play of the game, for as long as this page is open. Nothing else goes on meanwhile; the same button stops
    it. */
export async function solve() {
  if (engine.solving) return stopSearch();
  const mine = state.turn, setSolving = spec => {
    engine.solving = spec;
    draw();
  };
  setSolving(state.variant.spec);
  note(t("solving"));
  const answer = await stream(towards(state.at), "solve verbose", line => {
    const [, ply, , decided, , all] = line.split(" ");
    if (all) note(t("solving_ply", { ply, percent: Math.round(100 * decided / all) }));
  });
  engine.variant = engine.solving;
  setSolving("");
  if (mine !== state.turn) return;
  const table = answer.text.split("\n").at(-1).match(/^\S+ [0-9a-f]{16} (\d+) /);
  if (!answer.ok || !table)
    return note(answer.ok || answer.text.startsWith("interrupted") ? t("solve_stopped") : t("unsolvable"));
  if (state.analysing) analyse(mine);
  note(t("solved", { plies: table[1] }));
  say($("note").textContent);
}

export function toggleAnalysis() {
  state.analysing = !state.analysing;
  if (state.exercise && !state.exercise.isOver) state.exercise.missed = true;  // help, like a hint
  $("analyse").setAttribute("aria-pressed", state.analysing);
  show(state.at);
  if (!state.analysing && engine.streaming) stopSearch();
}

/** Makes the branch that is shown the main line. */
export function promote() {
  for (const node of pathTo(state.at))
    node.parent.children = [node, ...node.parent.children.filter(one => one !== node)];
  draw();
  keep();
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
  const answer = await stream([...towards(nodes.at(-1)), "set_option level 10"], `review time ${$("time").value / 5}`,
    line => {
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
  else if (mine === state.turn) note(t("review_done"));
}

/** What would have been right before a move, and why.
   @param {GameNode} node */
export async function explainNode(node) {
  await show(node.parent);
  state.arrows = node.judged.line.slice(0, 3);
  draw();
  await why();
}

/** Lets the person play on from before a move, as the side that made it.
   @param {GameNode} node */
export function tryAgain(node) {
  const side = node.judged.side, level = state.seats.general || state.seats.rebels || LEVEL;
  setSeats(side === "general" ? { general: 0, rebels: level } : { general: level, rebels: 0 });
  show(node.parent).then(() => note(t("find_better", { move: node.move })));
}
