// The half-move loop, driven by the engine library of the GUI Sabaki: Controller (commands, answers, the end of the process) and
// ControllerStateTracker (brings an engine to a position with as few commands as possible).
//
//     node session.js /path/to/privy
'use strict'

const assert = require('assert')
const {Controller, ControllerStateTracker} = require('@sabaki/gtp')

const privy = process.argv[2]
const OPENING = '1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 0 0 sixteen-rebels'

const play = text => {
  const words = text.split(' ')
  return words.filter((_, i) => i % 2 === 0).map((color, i) => ({name: 'play', args: [color, words[2 * i + 1]]}))
}

/** An engine with its tracker and the names of the commands sent. */
function engine(variant) {
  const tracker = ControllerStateTracker.fromController(privy, ['gogui', '--variant', variant, '--tables', 'off'])
  const {controller} = tracker
  const sent = []
  controller.on('command-sent', ({command}) => sent.push(command.name))
  const ask = async (name, ...args) => {
    const response = await controller.sendCommand({name, args})
    assert(!response.error, `${name}: ${response.content}`)
    return response.content
  }
  const since = async action => {
    const before = sent.length
    await action()
    return sent.slice(before)
  }
  return {tracker, controller, ask, since}
}

async function commands() {
  const {controller, ask} = engine('sixteen-rebels')
  assert.strictEqual(await ask('name'), 'Privy')
  assert.strictEqual(await ask('protocol_version'), '2')
  const listed = (await ask('list_commands')).split('\n')
  assert(listed.includes('genmove') && listed.every(name => name === name.trim() && name !== ''))
  assert.strictEqual(await ask('known_command', 'gogui-rules_board'), 'true')
  const refused = await controller.sendCommand({name: 'play', args: ['B', 'A1']})
  assert.deepStrictEqual(refused, {id: null, content: 'illegal move: general to move', error: true})
  // Many commands at once, with ids: answers keep the order.
  const numbered = await Promise.all(
    Array.from({length: 300}, (_, id) => {
      return controller.sendCommand({id, name: 'known_command', args: [id % 2 ? 'play' : 'nothing']})
    })
  )
  assert(numbered.every(({id, content}, i) => id === i && content === `${i % 2 === 1}`))
  assert.strictEqual((await ask('gogui-rules_board')).split('\n').length, 7)
  let stopped = null
  controller.once('stopped', ({signal}) => (stopped = signal))
  await controller.stop()
  assert.strictEqual(stopped, 0, 'quit ends the program with status 0')
}

async function syncing() {
  const {tracker, controller, ask, since} = engine('sixteen-rebels')
  const settings = {komi: 6.5, boardsize: [7, 7], timeSettings: {mainTime: 0, byoyomiTime: 1, byoyomiStones: 100}}
  const history = play('W C3 W B2 B E3 B D4 W B2 W B3')
  const first = await since(() => tracker.sync({...settings, history}))
  assert.deepStrictEqual(first, ['komi', 'boardsize', 'time_settings', 'clear_board', ...Array(6).fill('play')])
  const fen = await ask('fen')
  assert.strictEqual(fen, '1/3/rrrrr/r2rr/1G3/r3r/rr1rr r - 2 3 sixteen-rebels')
  assert(await tracker.knowsCommand('undo'))
  // The same position needs no command; a step back is an undo, also within a move; a step forward is a play.
  const steps = [
    [history, []],
    [history.slice(0, 5), ['undo']],
    [history.slice(0, 4), ['undo']],
    [[...history.slice(0, 4), ...play('W B2 W C2')], ['play', 'play']],
    [[...history.slice(0, 5), ...play('W B3')], ['undo', 'play']],
    [[], ['clear_board']]
  ]
  for (const [target, expected] of steps) {
    assert.deepStrictEqual(await since(() => tracker.sync({...settings, history: target})), expected)
  }
  assert.strictEqual(await ask('fen'), OPENING)
  await tracker.sync({...settings, history})
  assert.strictEqual(await ask('fen'), fen)
  // An illegal history is reported and changes nothing.
  await assert.rejects(tracker.sync({...settings, history: play('W C3 W E5')}), /cannot be replayed/)
  await tracker.sync({...settings, history})
  assert.strictEqual(await ask('fen'), fen)
  await assert.rejects(tracker.sync({boardsize: [19, 19]}), /size is not supported/)
  assert.strictEqual(await ask('fen'), fen)
  await controller.stop()
}

async function generating() {
  const {tracker, controller, ask, since} = engine('sixteen-rebels')
  const timeSettings = {mainTime: 0, byoyomiTime: 1, byoyomiStones: 100}
  await tracker.sync({boardsize: [7, 7], timeSettings, history: []})
  const points = []
  for (const color of ['W', 'W', 'B', 'B', 'W', 'W']) {
    const {content, error} = await tracker.queueCommand({name: 'genmove', args: [color]})
    assert(!error && /^[A-E][1-7]$/.test(content), content)
    points.push({name: 'play', args: [color, content]})
  }
  // The tracker has the engine's game: another engine reaches the same position with it.
  assert.deepStrictEqual(tracker.state.history, points)
  assert.deepStrictEqual(await since(() => tracker.sync({history: points})), [])
  const other = engine('sixteen-rebels')
  await other.tracker.sync({history: points})
  assert.strictEqual(await other.ask('fen'), await ask('fen'))
  await other.controller.stop()
  await tracker.sync({history: points.slice(0, 5)})
  assert.strictEqual((await ask('gogui-rules_legal_moves')).includes(points[5].args[1]), true)
  await controller.stop()
}

async function chains() {
  const {tracker, controller, ask} = engine('juroku-musashi')
  await ask('position', 'fen', '3/1G1/2r2/1r1r1/2r2/5/5', 'g')
  assert.strictEqual(await ask('gogui-rules_legal_moves'), 'C6')
  for (const {args} of play('W C6 W C4 W A4')) await tracker.queueCommand({name: 'play', args})
  assert.strictEqual(await ask('fen'), '3/3/5/G2r1/2r2/5/5 r - 0 1 juroku-musashi')
  for (let i = 0; i < 3; i++) await ask('undo')
  assert.strictEqual(await ask('gogui-rules_side_to_move'), 'white')
  await controller.stop()
}

/** A running analysis ends with any next command. */
async function analysis() {
  const {tracker, controller} = engine('sixteen-rebels')
  for (const name of ['analyze', 'lz-analyze', 'kata-analyze']) {
    assert(await tracker.knowsCommand(name))
    let reported = () => {}
    const report = new Promise(resolve => (reported = resolve))
    const running = controller.sendCommand({name, args: ['10']}, ({line}) => {
      if (line.startsWith('info move ')) reported()
    })
    await report
    const next = controller.sendCommand({name: 'name'})
    const [analysed, named] = await Promise.all([running, next])
    assert(!analysed.error && !named.error && named.content === 'Privy')
  }
  await controller.stop()
}

async function main() {
  for (const session of [commands, syncing, generating, chains, analysis]) {
    await session()
    console.log(`${session.name}: ok`)
  }
}

main().catch(error => {
  console.error(error)
  process.exit(1)
})
