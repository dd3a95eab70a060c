// @ts-check
/* Exercises: puzzles with one right move, and the lessons of each game. state.exercise is what is at hand, null in a game. */

import { $, state, t } from "./state.js";
import { draw, setBoard } from "./board.js";
import { choose, pointsOf } from "./moves.js";
import { begin, describe, newNode, readGame, show } from "./play.js";
import { note, say, sideName, toggleAnalysis } from "./panel.js";
import { failWith } from "./records.js";
import { setSeats } from "./newgame.js";
import { store, stored } from "./store.js";
/** @import { Exercise, Step } from "./state.js" */

/** The puzzles of this file, by game. */
export const puzzles = () => state.puzzles ??= $("puzzles").textContent.split("\n").filter(line => line.startsWith("{")).map(line => JSON.parse(line));
export const lessons = () => state.lessons ??= JSON.parse($("lessons").textContent);

/** The lesson of a game. */
export const startLesson = game => startExercise({ kind: "lesson", game, steps: lessons()[game], at: 0 });

export function openLearning() {
  const of = id => ({ puzzles: puzzles().filter(one => one.game === id), lesson: lessons()[id] });
  const listed = state.listed.filter(one => of(one.id).puzzles.length || of(one.id).lesson);
  $("exercises").replaceChildren(...listed.map(game => {
    const row = document.createElement("li"), { puzzles: some, lesson } = of(game.id), done = solvedOf(game.id);
    row.append(Object.assign(document.createElement("span"), { className: "grow", textContent: game.title }));
    if (lesson) row.append(exerciseButton(t("lesson"), () => startLesson(game.id)));
    if (some.length) row.append(exerciseButton(t("puzzles_done", { done: done.length, of: some.length }), () => startExercise({ kind: "puzzles", game: game.id, steps: some, at: Math.max(0, some.findIndex(one => !done.includes(one.position))) })));
    return row;
  }));
  $("learning").showModal();
}

function exerciseButton(text, start) {
  const button = Object.assign(document.createElement("button"), { textContent: text });
  button.onclick = () => { $("learning").close(); start(); };
  return button;
}

const solvedOf = id => (stored("solved") || {})[id] || [];

/** @param {Exercise} exercise */
async function startExercise(exercise) {
  if (state.analysing) toggleAnalysis();
  const game = await readGame(exercise.game);
  if (game.refusal) return failWith(game.refusal);
  state.paused ??= { variant: state.variant, root: state.root, at: state.at, first: state.first, seats: state.seats };
  exercise.variant = game;
  await showStep(exercise, exercise.at);
}

/** Shows the position of a step; a person plays both sides, the right moves are those of the step.
   @param {Exercise} exercise
   @param {number} at */
export async function showStep(exercise, at) {
  const step = exercise.steps[at], refusal = await begin(exercise.variant, { fen: step.position, seats: { general: 0, rebels: 0 }, exercise });
  if (refusal) return leaveExercise(refusal);
  Object.assign(exercise, { at, line: step.line, done: 0, missed: false, isOver: false });
  note("");
  tellStep(exercise.kind === "lesson" ? step.text : t(`puzzle_${step.goal}`, { side: sideName(step.side), plies: step.plies, grade: step.grade }));
}

function tellStep(text, kind = "") {
  const { exercise } = state;
  $("exercise").hidden = false;
  $("exercise-title").textContent = t(exercise.kind === "lesson" ? "lesson_of" : "puzzle_of", { title: exercise.variant.title, at: exercise.at + 1, of: exercise.steps.length });
  $("exercise-text").textContent = text;
  $("exercise").dataset.kind = kind;
  $("exercise-hint").hidden = exercise.isOver || !exercise.line.length;
  $("exercise-next").hidden = exercise.at + 1 >= exercise.steps.length;
  $("exercise-next").textContent = t(exercise.isOver || exercise.kind === "lesson" ? "next" : "skip");
  say(text);
}

/** A move in an exercise: the right one is answered by the next of the line, a wrong one is taken back. */
export async function answerExercise(text) {
  const { exercise } = state, step = exercise.steps[exercise.at], from = state.at, right = exercise.line[exercise.done];
  const isRight = exercise.isOver || text === right || (step.also || []).includes(text);
  await showInExercise(text);
  if (!isRight) {
    exercise.missed = true;
    await new Promise(done => setTimeout(done, 700));
    if (state.exercise !== exercise) return;
    await show(from);
    return tellStep(step.wrong || t(exercise.kind === "lesson" ? "lesson_wrong" : "puzzle_wrong"), "wrong");
  }
  if (exercise.isOver) return;
  exercise.done += 1;
  if (exercise.done >= exercise.line.length) return finishStep(step);
  await showInExercise(exercise.line[exercise.done]);
  exercise.done += 1;
  tellStep(t("puzzle_goes_on"), "right");
}

async function showInExercise(text) {
  const { exercise } = state;
  const node = state.at.children.find(child => child.move === text) || newNode(text, state.at);
  await show(node, true);
  return state.exercise === exercise;
}

/** @param {Step} step */
function finishStep(step) {
  const { exercise } = state;
  exercise.isOver = true;
  if (exercise.kind === "puzzles" && !exercise.missed) {
    const all = stored("solved") || {};
    store("solved", { ...all, [exercise.game]: [...new Set([...solvedOf(exercise.game), step.position])] });
  }
  tellStep(exercise.kind === "lesson" ? step.then || t("lesson_right") : t(exercise.missed ? "puzzle_solved_late" : "puzzle_solved"), "right");
  $("exercise-next").focus();
}

export const nextStep = () => showStep(state.exercise, state.exercise.at + 1);

/** First the piece, then the move. */
export function hintExercise() {
  const { exercise } = state, move = exercise.line[exercise.done];
  if (!move) return;
  exercise.missed = true;
  const [from] = pointsOf(move);
  if (state.picked[0] !== from) { state.picked = []; choose(from); tellStep(t("hint_piece", { point: from })); }
  else { state.arrows = [move]; state.picked = []; draw(); tellStep(t("hint_move", { move })); }
}

/** Back to the game that was at hand. */
export async function leaveExercise(reason) {
  const { paused } = state;
  $("exercise").hidden = true;
  Object.assign(state, { exercise: null, paused: null });
  if (!paused) return;
  Object.assign(state, { variant: paused.variant, root: paused.root, first: paused.first });
  setBoard(paused.variant.board);
  describe($("rules"), paused.variant);
  $("title").textContent = paused.variant.title;
  setSeats(paused.seats);
  await show(paused.at);
  if (typeof reason === "string") note(reason);
}
