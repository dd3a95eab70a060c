// @ts-check
/* What each control does, and how the page begins. */

import { $, EASIEST, LEVEL, LEVELS, state, t } from "./state.js";
import { ask, engine, lost, ownEngine, servedEngine, stopSearch, warn } from "./engine.js";
import { other } from "./moves.js";
import { lastOf } from "./tree.js";
import { isPath, keep, keepOwn } from "./store.js";
import { tick } from "./clock.js";
import { drawBoard } from "./board.js";
import { readGame } from "./game.js";
import { nodeAt, nodeOf } from "./review.js";
import { draw, note, seatsOf } from "./panel.js";
import { begin, endGame, offerDraw, resign, show, takeBack, undoTakeBack } from "./play.js";
import { explainNode, hint, promote, solve, startReview, toggleAnalysis, tryAgain, why } from "./help.js";
import { checkEdited, editedText, setUp, toggleEditor } from "./editor.js";
import { editOwn, loadFiles, playEdited, save } from "./files.js";
import { deleteOwn, openNewGame, pickedOwn, playAgain, startPicked, swapSides, welcome } from "./newgame.js";
import { copyLink, openMine, restore } from "./links.js";
import { listenToBoard } from "./input.js";
import { copyPuzzle, hintExercise, leaveExercise, nextStep, openExercise, openLearning, playLine, showStep, startLesson } from "./learn.js";

function writeTexts() {
  state.text = JSON.parse($("texts").textContent);
  const each = (name, write) => document.querySelectorAll(`[data-${name}]`)
    .forEach(one => write(one, t(one.getAttribute(`data-${name}`))));
  each("text", (one, text) => { one.textContent = text; });
  each("label", (one, text) => one.setAttribute("aria-label", text));
  each("hint", (one, text) => one.setAttribute("placeholder", text));
  for (const select of [$("level"), $("new-level")]) {
    for (let level = 1; level <= LEVELS; level++)
      select.append(new Option(`${level} · ${t(`level_${level}`)}`, String(level)));
    select.value = LEVEL;
  }
}

function listenToControls() {
  const goTo = node => node && show(node);
  const actions = {
    new: openNewGame, learn: openLearning, undo: takeBack, redo: undoTakeBack, hint, why, analyse: toggleAnalysis,
    review: startReview, now: stopSearch, solve,
    again: () => playAgain(), resign, draw: offerDraw, swap: swapSides, "review-over": startReview, promote,
    first: () => goTo(state.root), back: () => goTo(state.at.parent), forth: () => goTo(state.at.children[0]),
    end: () => goTo(lastOf(state.at)),
    save: () => save($("kind").value), load: () => $("file").click(), mine: openMine, own: () => editOwn(pickedOwn()),
    "own-load": () => { $("own-game").close(); $("game").close(); $("file").click(); }, "own-play": playEdited,
    "own-delete": deleteOwn,
    link: () => copyLink(),
    set: () => setUp($("fen").value), edit: () => toggleEditor(!state.editing), "edit-done": () => setUp(editedText()),
    "welcome-lesson": () => { $("welcome").close(); startLesson(state.variant.id); },
    "welcome-play": () => $("welcome").close(),
    "welcome-other": () => { $("welcome").close(); openNewGame(); },
    flip: () => { state.flipped = !state.flipped; drawBoard(); draw(); },
    "exercise-hint": hintExercise, "exercise-line": playLine, "exercise-link": () => copyLink(),
    "as-puzzle": copyPuzzle, "exercise-next": nextStep,
    "exercise-retry": () => showStep(state.exercise, state.exercise.at), "exercise-leave": leaveExercise,
  };
  for (const [id, action] of Object.entries(actions)) $(id).onclick = () => action();
  $("you").onchange = $("level").onchange = () => {
    state.seats = seatsOf($("you").value, +$("level").value);
    show(state.at);
  };
  $("minutes").onchange = () => { $("clock-more").hidden = $("minutes").value === "0"; };
  $("new-you").onchange = () => { $("new-level-label").hidden = $("new-you").value === "both"; };
  $("edit-side").onchange = () => { $("fen").value = editedText(); checkEdited(); };
  $("theme").onchange = openLearning;
  $("comment").oninput = () => { state.at.comment = $("comment").value.trim(); keep(); };
  $("comment").onchange = draw;
  $("game").onclose = () => $("game").returnValue === "start" ? startPicked() : show(state.at);
  $("file").onchange = async () => {
    const files = [...$("file").files];
    $("file").value = "";
    await loadFiles(files);
  };
  const keys = { u: "undo", h: "hint", w: "why", a: "analyse", r: "review", s: "solve", ",": "back", ".": "forth",
    ArrowLeft: "back", ArrowRight: "forth", Home: "first", End: "end", n: "new", l: "learn", f: "flip" };
  document.addEventListener("keydown", event => {
    if (/** @type {Element} */ (event.target).matches("input, select, textarea") || event.ctrlKey || event.metaKey
      || event.altKey || document.querySelector("dialog[open]")) return;
    const button = keys[event.key];
    if (button && !$(button).disabled && !$(button).hidden) { event.preventDefault(); $(button).click(); }
  });
  document.addEventListener("dragover", event => event.preventDefault());
  document.addEventListener("drop", async event => {
    event.preventDefault();
    await loadFiles([...event.dataTransfer.files]);
  });
  addEventListener("hashchange", async () => {
    const link = location.hash,
      failure = isExercise(link) ? await openExercise(link) : !state.exercise && link.length > 1 && await restore();
    if (!failure) return;
    warn(t("link_failed", { reason: failure }));
    keep();  // the address is that of the game that is shown
  });
  $("moves").onclick = event => goTo(nodeOf.get(event.target));
  $("curve").onclick = event => goTo(nodeAt(event));
  $("turning").onclick = event => {
    const node = nodeOf.get(event.target);
    if (node) (event.target.matches(".retry") ? tryAgain : explainNode)(node);
  };
  listenToBoard();
  setInterval(() => {
    const fallen = tick();
    if (fallen) endGame(other(fallen), "time");
  }, 200);
  addEventListener("pagehide", () => { if (state.root?.clock) keep(); });
}

const isExercise = link => /^#(lesson|puzzle)=/.test(link);

/** Opens the exercise of a link, over the game at hand. */
async function openLink(link) {
  const failure = isExercise(link) && await openExercise(link);
  if (failure) warn(t("link_failed", { reason: failure }));
}

(async () => {
  onerror = null;  // a browser that cannot read this shows that it is too old
  writeTexts();
  listenToControls();
  engine.backend = await ($("engine-module") ? ownEngine() : servedEngine());
  const asked = JSON.parse($("begin").textContent);
  const answers = await ask("list_variants verbose");
  state.listed = answers[0].text.split("\n").map(line => JSON.parse(line)).filter(one => one.family !== "own");
  state.seed = asked.seed;
  if (asked.time) {
    const times = [...$("time").options].map(option => +option.value);
    const off = time => Math.abs(time - asked.time);
    $("time").value = times.reduce((best, time) => off(time) < off(best) ? time : best);
  }
  const wantsKept = location.hash.length > 1 || !(asked.variant || asked.side || asked.level
    || asked.seed !== undefined);
  const link = location.hash;
  if (isExercise(link)) history.replaceState(null, "", location.pathname);
  const failure = wantsKept ? await restore() : "";
  if (failure === null) return openLink(link);
  const spec = asked.variant || state.listed[0].id, game = await readGame(spec, isPath(spec) ? spec : undefined);
  if (game.own) keepOwn(game);
  const level = asked.level || (wantsKept ? EASIEST : LEVEL);
  const refusal = await begin(game, { seats: seatsOf(asked.side || "general", level) });
  if (refusal) note(refusal);
  if (failure) warn(t("link_failed", { reason: failure }));
  else if (isExercise(link)) await openLink(link);
  else if (wantsKept) welcome(game);
})().catch(reason => lost(typeof reason === "string" ? reason : t("no_browser", { reason })));
