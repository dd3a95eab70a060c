// @ts-check
/* A new game: which one, who plays, how strong. */

import { $, element, state, t } from "./state.js";
import { askAll, engine, stopSearch } from "./engine.js";
import { readPieces, writePieces } from "./moves.js";
import { capital } from "./words.js";
import { isPath, ownFiles, store } from "./store.js";
import { fresh, newClock } from "./clock.js";
import { NS, drawThumbnail, readGeometry } from "./board.js";
import { readKnown, specOf } from "./game.js";
import { describe, nameSeats, question, seatsOf } from "./panel.js";
import { begin, openGame } from "./play.js";
/** @import { Seats } from "./state.js" */

/** Families in the order in which the engine lists their first game. */
export async function openNewGame() {
  stopSearch();
  const own = ownFiles(), groups = new Map();
  for (const one of state.listed.filter(one => !one.over))
    groups.set(one.family, [...(groups.get(one.family) || []), one]);
  if (Object.keys(own).length)
    groups.set("own", Object.entries(own).map(([id, text]) =>
      ({ id, title: text.match(/^title\s*=\s*"(.*?)"/m)?.[1] || id })));
  $("catalogue").replaceChildren(...[...groups].map(([family, games]) => {
    const heading = family === "own" ? t("own_games") : state.text[`family_${family}`] || capital(family);
    const legend = element("legend", { textContent: heading });
    return element("fieldset", {}, legend, ...games.map(gameCard));
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
  const radio = element("input", { type: "radio", name: "game", value: game.id, onchange: () => pick(game.id) });
  const svg = thumbnails.get(specOf(game.id)) || document.createElementNS(NS, "svg");
  svg.setAttribute("aria-hidden", "true");
  svg.dataset.game = game.id;
  return element("label", { className: "card" }, radio, svg, element("span", { textContent: game.title }));
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

let picked = null, picks = 0;  // the game that Start begins: none while it is being read

async function pick(id) {
  const mine = ++picks;
  picked = null;
  $("start").disabled = true;
  const card = $("catalogue").querySelector(`input[value="${CSS.escape(id)}"]`);
  if (card) card.checked = true;
  card?.focus({ preventScroll: true });
  card?.closest(".card").scrollIntoView({ block: "nearest" });
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
  const game = picked, seats = seatsOf($("new-you").value, +$("new-level").value);
  let fen = game.fen;
  for (let gone = +$("handicap").value; gone > 0; gone--) fen = withoutRebel(fen, game.board.points);
  const clock = newClock(+$("minutes").value, +$("increment").value, $("clock-side").value);
  await openGame(game, { fen, seats, clock, limit: +$("limit").value });
}

/** A position with one Rebel less: the one that is farthest from the General. */
function withoutRebel(fen, points) {
  const pieces = readPieces(fen, points), general = [...pieces].find(([, piece]) => piece === "G")?.[0];
  const far = name => general
    ? Math.hypot(points.get(name).x - points.get(general).x, points.get(name).y - points.get(general).y) : 0;
  const rebels = [...pieces].filter(([, piece]) => piece === "r").map(([name]) => name);
  if (rebels.length < 2) return fen;
  pieces.set(rebels.reduce((a, b) => far(b) > far(a) ? b : a), ".");
  return [writePieces(pieces, fen), ...fen.split(" ").slice(1)].join(" ");
}

/** Who the newcomer is, how both sides win, and what to do first: as the General against the easiest level, a beginner
    wins. */
export function welcome(game) {
  $("welcome-text").textContent = t("welcome_text",
    { ...game, count: [...readPieces(game.fen, game.board.points).values()].filter(piece => piece === "r").length });
  describe($("welcome-rules"), { sentences: game.sentences.filter(text => / wins? /.test(text)) });
  $("welcome").showModal();
}

/** The same game again, with the same clocks and limit.
   @param {Seats} [seats] */
export const playAgain = seats => begin(state.variant,
  { fen: state.first, clock: fresh(state.root.clock), limit: state.root.limit, seats });

/** The same game again with the sides swapped. */
export const swapSides = () => playAgain({ general: state.seats.rebels, rebels: state.seats.general });
