import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageError, type Command } from './command.ts'
import { readLine } from './read-line.ts'

const base = { summary: '', example: '', run: async () => ({ data: null, text: '' }) }
const COMMANDS: readonly Command[] = [
  {
    ...base,
    name: 'things create',
    flags: {
      email: { value: '<address>', about: '', required: true },
      'ceiling-cents': { value: '<cents>', about: '' },
    },
  },
  { ...base, name: 'things end', flags: {}, operand: { value: '<thing>', about: 'its id' } },
  { ...base, name: 'look', flags: {} },
]
const read = (line: string) => readLine(line.split(' '), COMMANDS)
const usage = (pattern: RegExp) => (error: unknown) =>
  error instanceof UsageError && pattern.test(error.message)

test('flags are read with a space or an equals sign, the common ones for every command', () => {
  const { command, input, wantsJson, wantsHelp } = read(
    'things create --email=a@b.c --ceiling-cents 5 --json',
  )
  assert.deepEqual(
    [command.name, { ...input.flags }, wantsJson, wantsHelp],
    ['things create', { email: 'a@b.c', 'ceiling-cents': '5', json: '' }, true, false],
  )
})

test('an operand is handed over', () => {
  assert.equal(read('things end agk_1').input.operand, 'agk_1')
})

test('an unknown flag is refused with the one that was meant', () => {
  assert.throws(
    () => read('things create --emial a@b.c'),
    usage(/no flag --emial\. Did you mean --email\?/),
  )
  assert.throws(() => read('look -x'), usage(/no flag -x/))
  assert.throws(
    () => read('things create --email a --constructor x'),
    usage(/no flag --constructor/),
  )
})

test('an unknown command is refused with those that were meant', () => {
  assert.throws(() => read('thing create'), usage(/Did you mean "things"\?/))
  assert.throws(() => read('things'), usage(/"things create", "things end"/))
  assert.throws(() => read('things make'), usage(/no command "things make".*"things create"/))
  assert.throws(() => read('strat'), usage(/Did you mean "start"\?/))
  assert.throws(() => read('zzzzzzzz'), usage(/no command "zzzzzzzz"\.$/))
})

test('what is missing or too much is named', () => {
  assert.throws(() => read('things create'), usage(/needs --email <address>/))
  assert.throws(() => read('things create --email'), usage(/--email needs a value/))
  assert.throws(() => read('things create --email='), usage(/--email needs a value/))
  assert.throws(() => read('things create --email --json'), usage(/looks like another flag/))
  assert.throws(() => read('things end'), usage(/needs <thing>/))
  assert.throws(() => read('things end a b'), usage(/does not know what to do with "b"/))
  assert.throws(() => read('look here'), usage(/"here"/))
  assert.throws(() => read('look --json=yes'), usage(/--json takes no value/))
})

test('help is given for an incomplete command', () => {
  assert.equal(read('things create --help').wantsHelp, true)
  assert.equal(read('things end -h').wantsHelp, true)
})
