// Records of Privy in SGF, read by the parser of the GUI Sabaki: what people have added is there, and each variation is a branch.
//
//     node records.js game.sgf game.json
'use strict'

const assert = require('assert')
const fs = require('fs')
const {parse} = require('@sabaki/sgf')

const PROPERTIES = {'!': 'TE1', '!!': 'TE2', '?': 'BM1', '??': 'BM2', '!?': 'IT', '?!': 'DO'}

/** What a record in JSON says: comments and glyphs in any order, and the number of its lines. */
function said({comment, moves}) {
  const all = {comments: comment ? [comment] : [], glyphs: [], lines: 1}
  const add = line => {
    for (const {glyph, comment, variations = []} of line) {
      if (comment) all.comments.push(comment)
      if (glyph) all.glyphs.push(PROPERTIES[glyph])
      all.lines += variations.length
      variations.forEach(add)
    }
  }
  add(moves)
  return all
}

/** The same of a game tree. */
function read(root) {
  const all = {comments: [], glyphs: [], lines: 0}
  const nodes = [root]
  while (nodes.length) {
    const {data, children} = nodes.pop()
    all.comments.push(...(data.C || []))
    for (const name of ['TE', 'BM', 'IT', 'DO']) all.glyphs.push(...(data[name] || []).map(value => name + value))
    if (!children.length) all.lines++
    nodes.push(...children)
  }
  return all
}

const sorted = ({comments, glyphs, lines}) => ({comments: comments.sort(), glyphs: glyphs.sort(), lines})

const trees = parse(fs.readFileSync(process.argv[2], 'utf8'))
const records = fs.readFileSync(process.argv[3], 'utf8').trim().split('\n').map(line => JSON.parse(line))
assert.strictEqual(trees.length, records.length)
trees.forEach((tree, at) => {
  assert.deepStrictEqual(sorted(read(tree)), sorted(said(records[at])))
  assert.deepStrictEqual(tree.data.RU, [records[at].variant])
})
console.log(`${records.length} records: ok`)
