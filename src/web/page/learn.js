// @ts-check
/* Exercises: puzzles with one right move, and the lessons of each game. state.exercise is what is at hand, null in a
   game. */

import { $, choice, element, state, t } from "./state.js";
import { isOn, pointsOf } from "./moves.js";
import { bestIn, sideName } from "./words.js";
import { after, lastOf, movesTo } from "./tree.js";
import { linkOf, setLink, store, stored } from "./store.js";
import { readKnown } from "./game.js";
import { asked, draw, note, say } from "./panel.js";
import { begin, failWith, present, show } from "./play.js";
import { toggleAnalysis } from "./help.js";
import { copyLink } from "./links.js";
import { choose } from "./input.js";
/** @import { Step, Exercise } from "./state.js" */

/** The puzzles of this file, by game. */
const puzzles = () => state.puzzles ??= $("puzzles").textContent.split("\n").filter(line => line.startsWith("{"))
  .map(line => JSON.parse(line));

const lessons = () => state.lessons ??= JSON.parse($("lessons").textContent);

/** The steps of a lesson by its name: the id of a game, for its rules, or that and `/win`, for how to win it. */
const stepsOf = name => name.endsWith("/win") ? lessons().how_to_win[name.slice(0, -4)] : lessons()[name];

export const startLesson = (name, at = 0) =>
  startExercise({ kind: "lesson", game: name.split("/")[0], name, steps: stepsOf(name), at });

export function openLearning() {
  const theme = $("theme").value, finished = stored("lessons") || {};
  const of = id => ({ puzzles: puzzles().filter(one => one.game === id && ["", one.side, one.goal].includes(theme)),
    lesson: stepsOf(id) || stepsOf(`${id}/win`) });
  const listed = state.listed.filter(one => of(one.id).puzzles.length || of(one.id).lesson);
  $("exercises").replaceChildren(...listed.map(game => {
    const { puzzles: some } = of(game.id), done = solvedOf(game.id),
      row = element("li", {}, element("span", { className: "grow", textContent: game.title }));
    for (const [name, text] of [[game.id, "lesson"], [`${game.id}/win`, "how_to_win"]]) if (stepsOf(name))
      row.append(choice("learning", t(text) + (finished[name] ? " ✓" : ""), () => startLesson(name)));
    if (some.length) row.append(choice("learning", t("puzzles_done", { done: done.length, of: some.length }),
      () => startExercise({ kind: "puzzles", game: game.id, steps: some,
        at: Math.max(0, some.findIndex(one => !done.includes(one.position))) })));
    return row;
  }));
  $("streak").textContent = t("streak", { count: stored("streak") || 0 });
  if (!$("learning").open) $("learning").showModal();
}

/** Opens the lesson or puzzle of a link: one of the page's own, or a position with its solution that somebody has set.
    Returns the refusal. */
export async function openExercise(link) {
  const values = new URLSearchParams(link.slice(1)), kind = values.has("lesson") ? "lesson" : "puzzles",
    game = values.get("lesson") || values.get("puzzle");
  const position = values.get("position"), line = (values.get("moves") || "").split(",").filter(Boolean);
  const set = { position, line, goal: "own", side: position?.split(" ")[1] === "r" ? "rebels" : "general" };
  const steps = position ? [set] : kind === "lesson" ? stepsOf(game) : puzzles().filter(one => one.game === game);
  if (!steps?.length || position && !line.length) return t("no_exercise");
  const at = Math.min(steps.length, +values.get("step") || 1) - 1;
  return kind === "lesson" ? startLesson(game, at) : startExercise({ kind, game, steps, at });
}

/** Copies a link with the position that is shown as a puzzle; its solution is the line that follows. */
export function copyPuzzle() {
  const moves = movesTo(lastOf(state.at)).slice(state.at.ply);
  if (!moves.length) return note(t("puzzle_needs_moves"));
  copyLink(linkOf({ puzzle: state.variant.id, position: state.fen, moves: moves.join(",") }));
}

const solvedOf = id => (stored("solved") || {})[id] || [];

/** @param {Exercise} exercise */
async function startExercise(exercise) {
  if (state.analysing) toggleAnalysis();
  const game = await readKnown(exercise.game);
  if (game.refusal) { failWith(game.refusal); return game.refusal; }
  state.paused ??= { variant: state.variant, root: state.root, at: state.at, first: state.first, seats: state.seats };
  Object.assign(exercise, { variant: game, answer: answerExercise });
  await showStep(exercise, exercise.at);
}

/** Shows the position of a step; a person plays both sides, the right moves are those of the step.
   @param {Exercise} exercise
   @param {number} at */
export async function showStep(exercise, at) {
  const step = exercise.steps[at], refusal = await begin(exercise.variant,
    { fen: step.position, seats: { general: 0, rebels: 0 }, exercise });
  if (refusal) return leaveExercise(refusal);
  Object.assign(exercise, { at, line: step.line, done: 0, missed: false, isOver: false });
  note("");
  const { kind, game, name } = exercise, isSet = step.goal === "own";
  setLink({ lesson: name, puzzle: kind === "lesson" ? "" : game, step: isSet ? "" : at + 1,
    position: isSet ? step.position : "", moves: isSet ? step.line.join(",") : "" });
  tellStep(exercise.kind === "lesson" ? step.text
    : t(`puzzle_${step.goal}`, { side: sideName(step.side), plies: step.plies, grade: step.grade }));
}

/** @param {"" | "right" | "wrong"} tone */
function tellStep(text, tone = "") {
  Object.assign(state.exercise, { text, tone });
  draw();
  say(text);
}

/** A move in an exercise: the right one is answered by the next of the line, a wrong one is taken back. */
async function answerExercise(text) {
  const { exercise } = state, step = exercise.steps[exercise.at], from = state.at, right = exercise.line[exercise.done];
  const isRight = exercise.isOver || text === right || (step.also || []).includes(text);
  await showInExercise(text);
  if (!isRight) {
    exercise.missed = true;
    const reply = exercise.kind === "puzzles" && isOn(state.status) && bestIn(await asked("go time 300"));
    if (reply && state.exercise === exercise) await showInExercise(reply);
    await pause();
    if (state.exercise !== exercise) return;
    await show(from);
    const answer = exercise.kind === "lesson" ? "lesson_wrong" : reply ? "puzzle_refuted" : "puzzle_wrong";
    return tellStep(step.wrong || t(answer, { move: text, reply }), "wrong");
  }
  if (exercise.isOver) return;
  exercise.done += 1;
  if (exercise.done >= exercise.line.length) return finishStep(step);
  await showInExercise(exercise.line[exercise.done]);
  exercise.done += 1;
  tellStep(t("puzzle_goes_on"), "right");
}

const pause = () => new Promise(done => setTimeout(done, 700));

/** Plays the line of the exercise to its end. */
export async function playLine() {
  const { exercise } = state, at = exercise.at;
  exercise.missed = true;
  while (state.exercise === exercise && exercise.at === at && exercise.done < exercise.line.length) {
    await showInExercise(exercise.line[exercise.done]);
    exercise.done += 1;
    await pause();
  }
  if (state.exercise === exercise && exercise.at === at) finishStep(exercise.steps[at]);
}

const showInExercise = text => show(after(state.at, text), true);

/** @param {Step} step */
function finishStep(step) {
  const { exercise } = state;
  exercise.isOver = true;
  if (exercise.kind === "puzzles") store("streak", exercise.missed ? 0 : (stored("streak") || 0) + 1);
  if (exercise.kind === "puzzles" && !exercise.missed) {
    const all = stored("solved") || {};
    store("solved", { ...all, [exercise.game]: [...new Set([...solvedOf(exercise.game), step.position])] });
  }
  if (exercise.kind === "lesson" && exercise.at + 1 === exercise.steps.length)
    store("lessons", { ...stored("lessons"), [exercise.name]: true });
  tellStep(exercise.kind === "lesson" ? step.then || t("lesson_right")
    : t(exercise.missed ? "puzzle_solved_late" : "puzzle_solved", { count: stored("streak") }), "right");
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
  else { state.arrows = [move]; state.picked = []; tellStep(t("hint_move", { move })); }
}

/** Back to the game that was at hand. */
export async function leaveExercise(reason) {
  const { paused } = state;
  Object.assign(state, { exercise: null, paused: null });
  if (!paused) return;
  Object.assign(state, { variant: paused.variant, root: paused.root, first: paused.first, seats: paused.seats });
  present(paused.variant);
  await show(paused.at);
  if (typeof reason === "string") note(reason);
}
