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
  { ...base, name: 'things end', flags: {}, operand: { value: '<thing>', about: 'its ID' } },
  { ...base, name: 'look', flags: {} },
]
const read = (line: string) => readLine(line.split(' '), COMMANDS)
const usage = (pattern: RegExp) => (error: unknown) =>
  error instanceof UsageError && pattern.test(error.message)

test('reads flags with a space or an equals sign, and the common flags of every command', () => {
  const { command, input, wantsJson, wantsHelp } = read(
    'things create --email=a@b.c --ceiling-cents 5 --json',
  )
  assert.deepEqual(
    [command.name, { ...input.flags }, wantsJson, wantsHelp],
    ['things create', { email: 'a@b.c', 'ceiling-cents': '5', json: '' }, true, false],
  )
})

test('passes the operand to the command', () => {
  assert.equal(read('things end agk_1').input.operand, 'agk_1')
})

test('rejects an unknown flag with a suggestion', () => {
  assert.throws(
    () => read('things create --emial a@b.c'),
    usage(/^Unknown flag --emial for "things create"\. Did you mean --email\?/),
  )
  assert.throws(() => read('look -x'), usage(/^Unknown flag -x /))
  assert.throws(
    () => read('things create --email a --constructor x'),
    usage(/^Unknown flag --constructor /),
  )
})

test('rejects an unknown command with suggestions', () => {
  assert.throws(() => read('thing create'), usage(/Did you mean "things"\?/))
  assert.throws(() => read('things'), usage(/"things create", "things end"/))
  assert.throws(() => read('things make'), usage(/^Unknown command "things make".*"things create"/))
  assert.throws(() => read('strat'), usage(/Did you mean "start"\?/))
  assert.throws(() => read('core/onescrape'), usage(/Did you mean "run core\/onescrape"\?/))
  assert.throws(() => read('zzzzzzzz'), usage(/^Unknown command "zzzzzzzz"\.$/))
})

test('names missing values and unexpected arguments', () => {
  assert.throws(() => read('things create'), usage(/needs --email <address>/))
  assert.throws(() => read('things create --email'), usage(/--email needs a value/))
  assert.throws(() => read('things create --email='), usage(/--email needs a value/))
  assert.throws(() => read('things create --email --json'), usage(/looks like another flag/))
  assert.throws(() => read('things end'), usage(/needs <thing>/))
  assert.throws(() => read('things end a b'), usage(/^Unexpected argument "b" for "things end"/))
  assert.throws(() => read('look here'), usage(/"here"/))
  assert.throws(() => read('look --json=yes'), usage(/--json takes no value/))
})

test('shows help for an incomplete command', () => {
  assert.equal(read('things create --help').wantsHelp, true)
  assert.equal(read('things end -h').wantsHelp, true)
})
