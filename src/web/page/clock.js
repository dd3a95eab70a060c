/* Clocks and sound, for those who want them. */

const clocks = { left: null, seen: 0, over: null };  // ms of each side, null without clocks; when they were looked at; whose time is over

/** Sets the clocks of a new game: minutes for each side, 0 for none. */
function setClocks(minutes) {
  Object.assign(clocks, { left: minutes ? { general: minutes * 60000, rebels: minutes * 60000 } : null, over: null, seen: performance.now() });
  showClocks();
}

/** The time runs for the side to move at the end of the game, and stands while somebody looks at what was before. */
function tick() {
  const now = performance.now(), spent = now - clocks.seen;
  clocks.seen = now;
  if (!clocks.left || clocks.over || !isOn(state.status) || state.at.children.length || state.exercise || state.editing) return;
  const side = sideOf(state.status);
  clocks.left[side] = Math.max(0, clocks.left[side] - spent);
  if (!clocks.left[side]) {
    clocks.over = side;
    if (state.thinking) stopSearch();
    turn += 1;
    drawn = turn;
    state.thinking = false;
    draw();
    note(t("time_over", { side: sideName(side) }));
    say($("note").textContent);
  }
  showClocks();
}

function showClocks() {
  $("clocks").hidden = !clocks.left;
  if (!clocks.left) return;
  const told = side => `${sideName(side)} ${Math.floor(clocks.left[side] / 60000)}:${String(Math.floor(clocks.left[side] / 1000) % 60).padStart(2, "0")}`;
  $("clocks").textContent = `${told("general")}   ${told("rebels")}`;
}

let audio = null;

/** A short knock for a step, two for a take. */
function sound(kind) {
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
