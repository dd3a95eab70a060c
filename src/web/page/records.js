/* Files: records of games as text, SGF and JSON, pictures, and the files of one's own games. */

const clean = text => String(text).replace(/[\u0000-\u001f\u007f]+/g, " ");
const quote = text => clean(text).replace(/\\/g, "\\\\").replace(/"/g, "\\\"");

function resultOf(node) {
  const status = statusOf(node);
  if (!status || isOn(status)) return "*";
  return status.startsWith("draw") ? "draw" : sideOf(status);
}

function tags() {
  const name = side => isPerson(side) ? t("you") : t("engine_of_level", { level: state.seats[side] }), last = lastOf(state.root), result = resultOf(last);
  return [["General", name("general")], ["Rebels", name("rebels")], ["Variant", state.variant.id], ["Opening", state.first],
    ...(isPerson("general") && isPerson("rebels") ? [] : [["Seed", state.root.seed]]), ["Result", result],
    ...(result === "*" ? [] : [["Termination", last.ended ? last.ended.split(": ")[1] : last.status]])];
}

/** The moves of a line from a node on. */
function* lineOf(node) {
  for (; node; [node] = node.children) yield node;
}

/** The other moves in place of one that continues its line. */
const othersOf = node => node.parent.children[0] === node ? node.parent.children.slice(1) : [];

/** The words of a report of a search; a comment that has no others is told from one by a code. */
const REPORT = /^\s*([+=/-]\S*|\d+ms|\d+n)(\s+([+=/-]\S*|\d+ms|\d+n))*\s*$/;
function braces(comment) {
  if (!comment) return [];
  const text = clean(comment).replace(/[\\{}]/g, "\\$&");
  return [`{${REPORT.test(text) ? text.replace(/^[^]/u, letter => `\\u{${letter.codePointAt(0).toString(16)}}`) : text}}`];
}

/** A line of moves as text: comments in braces, other moves in brackets behind the one that they replace. */
function lineText(first) {
  const words = [...lineOf(first)].flatMap(node => [`${node.ply}. ${node.move}${node.glyph || ""}`, ...braces(node.comment), ...othersOf(node).map(other => `(${lineText(other)})`)]);
  return words.join(" ");
}

/** A line of moves as a record holds it in JSON. */
function lineJson(first) {
  return [...lineOf(first)].map(node => {
    const others = othersOf(node);
    return { move: node.move, glyph: node.glyph || undefined, comment: node.comment || undefined, variations: others.length ? others.map(lineJson) : undefined };
  });
}

/** The properties of SGF for what a person thinks of a move. */
const SGF_GLYPHS = { "!": "TE[1]", "!!": "TE[2]", "?": "BM[1]", "??": "BM[2]", "!?": "IT[]", "?!": "DO[]" };

const WRITERS = {
  txt: () => {
    const words = [...braces(state.root.comment), ...state.root.children.slice(0, 1).map(lineText), resultOf(lastOf(state.root))];
    return tags().map(([key, value]) => `[${key} "${quote(value)}"]\n`).join("") + `\n${words.join("\n")}\n`;
  },
  json: () => {
    const record = Object.fromEntries(tags().map(([key, value]) => [key.toLowerCase(), value]));
    return JSON.stringify({ ...record, comment: state.root.comment || undefined, moves: lineJson(state.root.children[0]) }) + "\n";
  },
  sgf: () => {
    const size = squareOf(), vertex = point => point[0] + String.fromCharCode(97 + size - +point.slice(1));
    const escape = text => clean(text).replace(/[\\\]]/g, "\\$&"), first = sideOf(state.root.status);
    const mover = node => node.ply % 2 ? first : other(first);
    const said = node => (SGF_GLYPHS[node.glyph] || "") + (node.comment ? `C[${escape(node.comment)}]` : "");
    // A pass is written as the General's point.
    const generalBefore = node => {
      for (let at = node.parent; at.parent; at = at.parent) if (mover(at) === "general" && at.move !== "pass") return pointsOf(at.move.split(":")[0]).slice(-1);
      return generalIn(state.first);
    };
    const halves = node => {
      const colour = mover(node) === "general" ? "W" : "B";
      const way = node.move === "pass" ? generalBefore(node) : pointsOf(node.move).slice(0, node.move.includes(":") ? 2 : undefined);
      return way.map((point, at) => `;${colour}[${vertex(point)}]${at === way.length - 1 ? said(node) : ""}`).join("");
    };
    const branch = node => node.children.length > 1 ? node.children.map(child => `\n(${halves(child)}${branch(child)})`).join("") : node.children.map(child => halves(child) + branch(child)).join("");
    const setup = { r: "AB", G: "AW" }, stones = Object.entries(setup).map(([piece, name]) => {
      const points = [...readPieces(state.first)].filter(([, one]) => one === piece).map(([point]) => `[${vertex(point)}]`);
      return points.length ? name + points.join("") : "";
    }).join("");
    const isOpening = state.first === state.variant.fen;
    return `(;FF[4]CA[UTF-8]AP[Privy]SZ[${size}]RU[${state.variant.id}]${tags().filter(([key]) => key === "Seed").map(([key, value]) => `TAG[${key} "${value}"]`).join("")}${said(state.root)}${isOpening ? "" : `${stones}PL[${first === "general" ? "W" : "B"}]FEN[${state.first}]`}${branch(state.root)})\n`;
  },
};

/** The side of the square that holds the board. */
const squareOf = () => Math.max(...[...board.points.keys()].flatMap(name => [name.charCodeAt(0) - 96, +name.slice(1)]));

function download(name, content, type = "text/plain") {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

async function save(kind) {
  if (kind === "svg") return download(`${state.variant.id}.svg`, picture(), "image/svg+xml");
  const refusal = await fill(lastOf(state.root));
  if (refusal) return note(refusal);
  download(`${state.variant.id}.${kind}`, WRITERS[kind](), kind === "json" ? "application/json" : "text/plain");
}

/** The board as a picture of its own: what the style sheet says is written into it. */
function picture() {
  const copy = $("board").cloneNode(true), from = $("board").querySelectorAll("*");
  copy.querySelectorAll("*").forEach((element, at) => {
    const style = getComputedStyle(from[at]);
    for (const key of ["fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "opacity", "font-size", "text-anchor"]) element.style[key] = style[key];
  });
  copy.style.background = getComputedStyle($("board")).backgroundColor;
  copy.setAttribute("xmlns", NS);
  copy.querySelectorAll(".hit, .focus").forEach(one => one.remove());
  return copy.outerHTML;
}

/* ---- Reading ---- */

/** The records of a file: { tags, variant, first, comment, moves, halves } each. Throws a text where it is none. */
function readRecords(text) {
  const source = text.replace(/^\ufeff/, "").trim();
  if (source.startsWith("(")) return readSgf(source);
  if (source.startsWith("{")) return source.split("\n").filter(Boolean).map(readJson);
  return readText(source);
}

function readJson(line) {
  let record;
  try { record = JSON.parse(line); } catch { throw t("no_record"); }
  if (!record || !Array.isArray(record.moves)) throw t("no_record");
  const read = (moves, depth) => {
    if (!Array.isArray(moves) || depth > MOST_NESTED) throw t("no_record");
    return moves.map(one => ({ move: String(one?.move ?? one).toLowerCase(), glyph: one?.glyph, comment: one?.comment && String(one.comment), variations: (one?.variations || []).map(other => read(other, depth + 1)) }));
  };
  return { variant: record.variant, first: record.opening, general: record.general, rebels: record.rebels, comment: record.comment && String(record.comment), moves: read(record.moves, 0) };
}

/** How deep variations may stand within each other. */
const MOST_NESTED = 32;

function readText(source) {
  const games = [];
  let record = null, inMoves = true;
  for (const line of source.split("\n").map(one => one.trim())) {
    const tag = line.match(/^\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]$/);
    // Not one within a comment.
    if (tag && !/\{[^{}]*$/.test(record?.body || "")) {
      if (inMoves) games.push(record = { tags: {}, body: "" });
      inMoves = false;
      record.tags[tag[1]] = tag[2].replace(/\\(.)/g, (_, letter) => letter === "n" ? " " : letter);
    } else if (line) {
      inMoves = true;
      if (!record) games.push(record = { tags: {}, body: "" });
      record.body += `${line}\n`;
    }
  }
  if (!games.length) throw t("no_record");
  return games.map(({ tags, body }) => {
    const { comment, moves } = readMoves(body);
    return { variant: tags.Variant, first: tags.Opening, general: tags.General, rebels: tags.Rebels, comment, moves };
  });
}

/** The moves of a text with their comments, glyphs and variations. Reports of searches are left out. */
function readMoves(body) {
  const game = { comment: undefined }, main = [], lines = [main];
  const add = (place, text) => { place.comment = [place.comment, text].filter(Boolean).join(" "); };
  for (const [word, inside] of body.matchAll(/\{((?:[^{}\\]|\\u\{[0-9a-f]{1,6}\}|\\[^])*)\}|[()]|\d+\.+|[^\s(){}]+|[{}]/gi)) {
    const line = lines.at(-1), last = line.at(-1), wrong = t("no_move", { text: word.slice(0, 40) });
    if (inside !== undefined) {
      if (!REPORT.test(inside) && inside.trim()) add(last || game, unescaped(inside.replace(/\s+/g, " ").trim()));
    } else if (word === "(") {
      if (!last || lines.length > MOST_NESTED) throw wrong;
      const variation = [];
      last.variations.push(variation);
      lines.push(variation);
    } else if (word === ")") {
      if (lines.length === 1 || !line.length) throw wrong;
      lines.pop();
    } else if (!/^(\d+\.+|general|rebels|draw|\*)$/.test(word)) {
      const [, move, glyph] = word.match(/^([^!?$]*)([!?]{1,2}|\$[1-6])?$/) || [], known = glyph?.startsWith("$") ? ["!", "?", "!!", "??", "!?", "?!"][glyph[1] - 1] : glyph;
      if (move === undefined || (move ? !/^(pass|@[a-z]\d+|[a-z]\d+([-x~:]?[a-z]\d+)+)$/i.test(move) : !last)) throw wrong;
      if (move) line.push({ move: move.toLowerCase(), glyph: known, comment: undefined, variations: [] });
      else last.glyph = known;
    }
  }
  if (lines.length > 1) throw t("no_record");
  return { comment: game.comment, moves: main };
}

/** What is written behind a backslash as it is meant. */
function unescaped(text) {
  return text.replace(/\\(?:u\{([0-9a-f]{1,6})\}|([^]))/gi, (_, code, letter) => {
    if (!code) return letter === "n" ? "\n" : letter;
    return parseInt(code, 16) < 0x110000 ? String.fromCodePoint(parseInt(code, 16)) : "";
  });
}

/** The first variation of each game of an SGF file, as half moves: a list of [side, point]; set-up stones as a list of [piece, point]. */
function readSgf(source) {
  const games = [];
  let game = null, depth = 0, at = 0, isFirst = true;
  while (at < source.length) {
    const letter = source[at];
    if (letter === "(") { if (!depth++) { games.push(game = { halves: [], stones: [], size: 7 }); isFirst = true; } at++; }
    else if (letter === ")") { depth--; isFirst = false; at++; }
    else if (/[A-Z]/.test(letter)) {
      const [whole, name, values] = source.slice(at).match(/^([A-Z]+)((?:\s*\[(?:[^\]\\]|\\[^])*\])+)/) || [];
      if (!whole) throw t("no_record");
      at += whole.length;
      const list = [...values.matchAll(/\[((?:[^\]\\]|\\[^])*)\]/g)].map(found => found[1].replace(/\\([^])/g, "$1"));
      if (isFirst) readProperty(game, name, list);
    } else at++;
  }
  if (!games.length) throw t("no_record");
  return games;
}

const STONES = { AB: "r", AW: "G", AE: "." };

function readProperty(game, name, values) {
  const point = value => value[0] + (game.size - (value.charCodeAt(1) - 97));
  // Between two corners, too: aa:cc.
  const area = ([a, b, , c = a, d = b]) => [...letters(a, c)].flatMap(file => [...letters(b, d)].map(row => point(file + row)));
  const letters = (a, b) => "abcdefghijklmnopqrstuvwxyz".slice(Math.min(a.charCodeAt(0), b.charCodeAt(0)) - 97, Math.max(a.charCodeAt(0), b.charCodeAt(0)) - 96);
  if (name === "SZ") game.size = parseInt(values[0]) || 7;
  if (name === "RU") game.variant = values[0];
  if (name === "FEN") game.first = values[0];
  if (name === "PL" && !game.halves.length) game.side = /^w/i.test(values[0]) ? "general" : "rebels";
  if (name in STONES) game.stones.push(...values.filter(value => /^[a-z]{2}(:[a-z]{2})?$/.test(value)).flatMap(value => area(value).map(at => [STONES[name], at])));
  if (name === "PW") game.general = values[0];
  if (name === "PB") game.rebels = values[0];
  if ((name === "W" || name === "B") && /^[a-z]{2}$/.test(values[0]) && values[0] !== "tt") game.halves.push([name === "W" ? "general" : "rebels", point(values[0])]);
}

/** The first position of an SGF file; undefined if that is the opening. With the General all pieces are set up, else the opening is changed. */
function setUpOf({ first, stones, side, halves }, game) {
  if (first || !stones.length) return first;
  const { points } = game.board, pieces = readPieces(game.fen, points), [, toMove, flags] = game.fen.split(" ");
  if (stones.some(([piece]) => piece === "G")) for (const name of pieces.keys()) pieces.set(name, ".");
  for (const [piece, at] of stones) if (pieces.has(at)) pieces.set(at, piece);
  return `${writePieces(pieces, game.fen)} ${(side || halves[0]?.[0] || toMove)[0]} ${flags} 0 0 ${game.id}`;
}

/** Moves of half moves: of each legal move that the points begin with, the longest. */
async function joinHalves(fen, halves, points) {
  const moves = [];
  let at = 0;
  while (at < halves.length) {
    const [side] = halves[at], run = [];
    for (let i = at; i < halves.length && halves[i][0] === side; i++) run.push(halves[i][1]);
    const answers = await ask(`position fen ${fen}` + (moves.length ? ` moves ${moves.join(" ")}` : ""), "legal_moves verbose", "fen");
    if (failed(answers)) return failed(answers).text;
    const fits = answers[1].text.split("\n").filter(Boolean).map(line => readMove(line, answers[2].text, points)).flatMap(move => move.ways.map(way => ({ move, way }))).filter(({ way }) => begins(run, way));
    if (!fits.length) return t("no_move", { text: run.slice(0, 4).join(" ") });
    const { move, way } = fits.reduce((a, b) => b.way.length > a.way.length ? b : a);
    moves.push(move.text);
    at += way.length;
  }
  return moves;
}

/** Loads a file: a record, several, or a game of one's own. */
async function load(name, text) {
  if (/\.toml$/i.test(name) || /^\s*(id|extends|title|board)\s*=/m.test(text)) return loadOwn(text);
  try {
    const games = readRecords(text);
    if (games.length === 1) return await openRecord(games[0]);
    offerGames(t("which_game"), games.map((game, at) => ({
      text: `${at + 1}. ${game.general || "?"} – ${game.rebels || "?"}, ${game.variant || "?"}, ${(game.moves || game.halves).length}`, open: () => openRecord(game),
    })));
  } catch (reason) {
    if (typeof reason !== "string") throw reason;
    note(reason);
  }
}

/** Lists games, each { text, open }, to open one. */
function offerGames(title, games) {
  $("which-title").textContent = title;
  $("which").setAttribute("aria-label", title);
  $("no-games").hidden = games.length > 0;
  $("games").replaceChildren(...games.map(({ text, open }) => {
    const button = Object.assign(document.createElement("button"), { textContent: text });
    button.onclick = () => { $("which").close(); open(); };
    return button;
  }));
  $("which").showModal();
}

async function openRecord(record) {
  const id = record.variant || record.first?.split(" ").at(-1) || "sixteen-rebels", game = await readKnown(id);
  if (game.refusal) return failWith(game.refusal);
  const first = record.halves ? setUpOf(record, game) : record.first;
  const moves = record.halves ? await joinHalves(first || game.fen, record.halves, game.board.points) : record.moves;
  if (typeof moves === "string") return failWith(moves);
  const refusal = await begin(game, { fen: first, moves, comment: record.comment, seats: { general: 0, rebels: 0 } });
  if (refusal) return failWith(refusal);
  setSeats({ general: 0, rebels: 0 });
}

/** Shows a refusal; the game in progress stays. */
async function failWith(reason) {
  await show(state.at);
  note(reason);
}

const inline = text => JSON.stringify(text.replace(/\r/g, "")).replace(/#/g, "\\u0023");

async function loadOwn(text) {
  const game = await readGame(inline(text), text);
  if (game.refusal) return failWith(game.refusal);
  keepOwn(game);
  const refusal = await begin(game);
  if (refusal) return failWith(refusal);
  note(t("own_loaded", { title: game.title }));
}
