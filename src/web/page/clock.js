// @ts-check
/* Clocks and sound, for those who want them. */

import { $, state } from "./state.js";
import { isOn, sideOf } from "./moves.js";
import { sideName } from "./words.js";
/** @import { Side, Clock } from "./state.js" */

let lastTick = 0;

/** The clock of a game, which belongs to its root: the minutes, the seconds added for each move, the side or `both`,
    and what each of them has left in ms. Null without.
   @param {number} minutes
   @param {number} increment
   @param {Side | "both"} side
   @returns {Clock | null} */
export function newClock(minutes, increment = 0, side = "both") {
  const left = one => side === "both" || side === one ? minutes * 60000 : null;
  return minutes ? { minutes, increment, side, general: left("general"), rebels: left("rebels") } : null;
}

/** The same clock at the beginning of a game.
   @param {Clock | null} clock */
export const fresh = clock => clock && newClock(clock.minutes, clock.increment, clock.side);

/** Adds the seconds for a move that a side has made. */
export function addIncrement(clock, side) {
  if (clock?.[side]) clock[side] += 1000 * clock.increment;
}

/** The time runs for the side to move at the end of the game, and stands while somebody looks at what was before.
    Returns the side whose time is over. */
export function tick() {
  const now = performance.now(), spent = now - lastTick, clock = state.root?.clock;
  lastTick = now;
  const side = sideOf(state.status);
  if (!clock?.[side] || !isOn(state.status) || state.at.children.length || state.editing) return null;
  clock[side] = Math.max(0, clock[side] - spent);
  showClocks();
  return clock[side] ? null : side;
}

/** The engine's time for a move in ms: what is chosen, on the clock at most a part of what is left.
   @param {Side} side */
export function timeOf(side) {
  const left = state.root.clock?.[side];
  if (!left) return $("time").value;
  const share = Math.min(left / 30 + 800 * (state.root.clock.increment || 0), left / 2);
  return Math.max(10, Math.floor(Math.min(+$("time").value, share)));
}

export function showClocks() {
  const clock = state.root?.clock;
  $("clocks").hidden = !clock;
  if (!clock) return;
  const two = seconds => String(Math.floor(seconds) % 60).padStart(2, "0");
  const told = side => `${sideName(side)} ${Math.floor(clock[side] / 60000)}:${two(clock[side] / 1000)}`;
  $("clocks").textContent = ["general", "rebels"].filter(side => clock[side] !== null).map(told).join("   ");
}

let audio = null;

/** A short knock for a step, two for a take. */
export function sound(kind) {
  if (!$("sound").checked) return;
  audio ??= new AudioContext();
  for (const at of kind === "take" ? [0, .09] : [0]) {
    const tone = audio.createOscillator(), loud = audio.createGain(), when = audio.currentTime + at;
    tone.frequency.setValueAtTime(kind === "take" ? 220 : 330, when);
    loud.gain.setValueAtTime(.2, when);
    loud.gain.exponentialRampToValueAtTime(.001, when + .08);
    tone.connect(loud).connect(audio.destination);
    tone.start(when);
    tone.stop(when + .09);
  }
}
