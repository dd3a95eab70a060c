// @ts-check
/* A new game: which one, who plays, how strong. */

import { $, state, t } from "./state.js";
import { askAll, engine, stopSearch } from "./engine.js";
import { NS, drawThumbnail, readGeometry } from "./board.js";
import { readPieces, writePieces } from "./moves.js";
import { begin, describe, isPath, isPerson, readKnown, specOf } from "./play.js";
import { capital, question } from "./panel.js";
import { failWith } from "./files.js";
import { ownFiles, store } from "./store.js";
import { fresh, newClock } from "./clock.js";
/** @import { Rules, Seats } from "./state.js" */

export const LEVEL = 3;
export const EASIEST = 1;
export const LEVELS = 10;

/** Who plays which side: 0 a person, else the level of the engine. Goes on at once where that changes whose turn it is.
   @param {Seats} seats */
export function setSeats(seats) {
  state.seats = seats;
  const persons = ["general", "rebels"].filter(isPerson);
  $("you").value = persons.length === 2 ? "both" : persons[0] || "none";
  $("level").value = seats.general || seats.rebels || $("level").value;
  $("level-label").hidden = persons.length === 2;
  nameSeats($("you"), state.variant);
}

/** Names the sides to choose from as a game does.
   @param {HTMLSelectElement} select
   @param {Rules} game */
export function nameSeats(select, game) {
  for (const option of select.options) option.textContent = t(`you_${option.value}`, { side: game[option.value] || "" });
}

/** @returns {Seats} */
export function seatsOf(you, level) {
  const seat = side => you === "both" || you === side ? 0 : level;
  return { general: seat("general"), rebels: seat("rebels") };
}

/** Families in the order in which the engine lists their first game. */
export async function openNewGame() {
  stopSearch();
  const own = ownFiles(), groups = new Map();
  for (const one of state.listed.filter(one => !one.over)) groups.set(one.family, [...(groups.get(one.family) || []), one]);
  if (Object.keys(own).length) groups.set("own", Object.entries(own).map(([id, text]) => ({ id, title: text.match(/^title\s*=\s*"(.*?)"/m)?.[1] || id })));
  $("catalogue").replaceChildren(...[...groups].map(([family, games]) => {
    const part = document.createElement("fieldset");
    part.append(Object.assign(document.createElement("legend"), { textContent: family === "own" ? t("own_games") : state.text[`family_${family}`] || capital(family) }));
    games.forEach(game => part.append(gameCard(game)));
    return part;
  }));
  $("new-you").value = $("you").value;
  $("new-level").value = $("level").value;
  $("handicap").value = 0;
  $("game").returnValue = "";
  $("preview").parentNode.open = matchMedia("(min-width: 821px)").matches;
  $("game").showModal();
  pick(state.variant.id);
  await drawThumbnails();
}

function gameCard(game) {
  const label = Object.assign(document.createElement("label"), { className: "card" });
  const choice = Object.assign(document.createElement("input"), { type: "radio", name: "game", value: game.id });
  choice.onchange = () => pick(game.id);
  const svg = thumbnails.get(specOf(game.id)) || document.createElementNS(NS, "svg");
  svg.setAttribute("aria-hidden", "true");
  svg.dataset.game = game.id;
  label.append(choice, svg, Object.assign(document.createElement("span"), { textContent: game.title }));
  return label;
}

/** Pictures of the openings, drawn once, by what the engine reads of a game: a game of one's own may have changed. */
const thumbnails = new Map();

async function drawThumbnails() {
  const missing = [...$("catalogue").querySelectorAll("svg:empty")];
  const answers = await askAll(missing.flatMap(svg => [`variant ${specOf(svg.dataset.game)}`, "geometry", "fen"]));
  engine.variant = "";
  missing.forEach((svg, at) => {
    const [chosen, geometry, fen] = answers.slice(3 * at, 3 * at + 3);
    if (!chosen.ok) return;
    const read = readGeometry(geometry.text);
    drawThumbnail(svg, read, readPieces(fen.text, read.points));
    thumbnails.set(specOf(svg.dataset.game), svg);
  });
}

export let picked = null;  // the game that Start begins: none while it is being read
let picks = 0;

async function pick(id) {
  const mine = ++picks;
  picked = null;
  $("start").disabled = true;
  const choice = $("catalogue").querySelector(`input[value="${CSS.escape(id)}"]`);
  if (choice) choice.checked = true;
  choice?.focus({ preventScroll: true });
  choice?.closest(".card").scrollIntoView({ block: "nearest" });
  const game = await readKnown(id);
  if (mine !== picks) return;
  if (game.refusal) { $("preview").textContent = game.refusal; return; }
  picked = game;
  $("start").disabled = false;
  describe($("preview"), game);
  nameSeats($("new-you"), game);
  nameSeats($("clock-side"), game);
  $("own-delete").hidden = !game.own;
  $("own").textContent = t(pickedOwn() ? "edit_own" : "own_file");
  $("handicap-name").textContent = t("handicap", { rebels: game.rebels });
  $("new-level-label").hidden = $("new-you").value === "both";
}

/** The text of the custom game that is picked, if it is one. */
export const pickedOwn = () => picked?.own && !isPath(picked.own) ? picked.own : undefined;

/** Forgets the custom game that is picked. */
export async function deleteOwn() {
  if (!await question(t("delete_text", { title: picked.title }))) return;
  const { [picked.id]: gone, ...others } = ownFiles();
  store("files", others);
  $("game").close();
  openNewGame();
}

export async function startPicked() {
  const game = picked, level = +$("new-level").value, seats = seatsOf($("new-you").value, level);
  let fen = game.fen;
  for (let gone = +$("handicap").value; gone > 0; gone--) fen = withoutRebel(fen, game.board.points);
  const refusal = await begin(game, { fen, seats, clock: newClock(+$("minutes").value, +$("increment").value, $("clock-side").value), limit: +$("limit").value });
  if (refusal) return failWith(refusal);
  setSeats(seats);
}

/** A position with one Rebel less: the one that is farthest from the General. */
function withoutRebel(fen, points) {
  const pieces = readPieces(fen, points), general = [...pieces].find(([, piece]) => piece === "G")?.[0];
  const far = name => general ? Math.hypot(points.get(name).x - points.get(general).x, points.get(name).y - points.get(general).y) : 0;
  const rebels = [...pieces].filter(([, piece]) => piece === "r").map(([name]) => name);
  if (rebels.length < 2) return fen;
  pieces.set(rebels.reduce((a, b) => far(b) > far(a) ? b : a), ".");
  return [writePieces(pieces, fen), ...fen.split(" ").slice(1)].join(" ");
}

/** Who the newcomer is, how both sides win, and what to do first: as the General against the easiest level, a beginner wins. */
export function welcome(game) {
  $("welcome-text").textContent = t("welcome_text", { ...game, count: [...readPieces(game.fen, game.board.points).values()].filter(piece => piece === "r").length });
  describe($("welcome-rules"), { sentences: game.sentences.filter(text => / wins? /.test(text)) });
  $("welcome").showModal();
}

/** The same game again with the sides swapped. */
export async function swapSides() {
  const { general, rebels } = state.seats, seats = { general: rebels, rebels: general };
  await begin(state.variant, { fen: state.first, clock: fresh(state.root.clock), limit: state.root.limit, seats });
  setSeats(seats);
}
