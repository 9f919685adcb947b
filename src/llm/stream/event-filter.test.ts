import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMsOf } from '../../../test/harness/cpu-time.ts'
import { fc } from '../../../test/harness/property.ts'
import { Delivered } from './delivered.ts'
import { EventFilter } from './event-filter.ts'

const chunk = (fields: object): string =>
  `data: ${JSON.stringify({ id: 'gen-1', model: 'm', choices: [{ index: 0, delta: {}, finish_reason: null }], ...fields })}\n\n`
const say = (content: string): string =>
  chunk({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })
const USAGE = chunk({
  choices: [],
  usage: { prompt_tokens: 7, completion_tokens: 3, cost: 0.0000052 },
})
const DONE = 'data: [DONE]\n\n'

/** The passed bytes when the stream arrives in pieces of these sizes, repeated. */
function run(
  text: string,
  sizes: readonly number[],
): { passed: string; filter: EventFilter; delivered: Delivered } {
  const filter = new EventFilter()
  const delivered = new Delivered()
  const bytes = Buffer.from(text)
  let passed = ''
  for (let start = 0, round = 0; start < bytes.length; round += 1) {
    const end = start + (sizes[round % sizes.length] ?? 1)
    const events = filter.push(bytes.subarray(start, end))
    if (events !== null) {
      passed += events.toString()
      delivered.add(events)
    }
    start = end
  }
  return { passed, filter, delivered }
}

const words = fc.array(
  fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      '"usage"',
      '[DONE]',
      '"error"',
      'data: [DONE]\n\n',
      '\n\n',
      '{"usage":{"prompt_tokens":1}}',
    ),
  ),
  { maxLength: 12 },
)
const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 6 })
const separator = fc.constantFrom('\n\n', '\r\n\r\n', '\n\r\n')

test('passes all events unchanged in any split, without usage and end mark', () => {
  fc.assert(
    fc.property(words, sizes, separator, (said, cuts, between) => {
      const spoken = said.map(say).join('').replaceAll('\n\n', between)
      const { passed, filter, delivered } = run(
        `: hello${between}${chunk({})}${spoken}${USAGE}${DONE}`,
        cuts,
      )
      assert.equal(passed, `${chunk({})}${spoken}`)
      assert.deepEqual(delivered.texts, said.join('') === '' ? [] : [said.join('')])
      assert.deepEqual(
        [filter.usage?.usage.prompt, filter.usage?.usage.completion, filter.usage?.cost],
        [7, 3, 6n],
      )
      assert.ok(filter.isDone && filter.error === null)
    }),
    { numRuns: 300 },
  )
})

test('passes comments only after the first event', () => {
  const { passed, filter } = run(
    `: PROCESSING\n\n: PROCESSING\n\n${say('a')}: PROCESSING\n\n${say('b')}`,
    [1000],
  )
  assert.equal(passed, `${say('a')}: PROCESSING\n\n${say('b')}`)
  assert.equal(new EventFilter().push(Buffer.from(': PROCESSING\n\n')), null)
  assert.equal(filter.first?.['id'], 'gen-1')
})

test('ignores an empty usage in every event, and removes usage from events with choices', () => {
  const { passed, filter } = run(chunk({ usage: null }) + chunk({ usage: null }), [1000])
  assert.deepEqual([passed, filter.usage], [chunk({ usage: null }) + chunk({ usage: null }), null])
  const both = run(chunk({ usage: { prompt_tokens: 1, completion_tokens: 2 } }), [20])
  assert.deepEqual(
    [both.passed, both.filter.usage?.usage.completion, both.filter.isReported],
    [chunk({}), 2, false],
  )
})

test('drops the usage when more words follow', () => {
  const finish = chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
  for (const [text, completion] of [
    [USAGE + say('a'), undefined],
    [say('a') + USAGE + finish, 3],
    [USAGE + say('a') + USAGE, 3],
    [say('a') + USAGE + say('') + DONE, 3],
  ] as const) {
    for (const cut of [7, 1000]) {
      const { filter } = run(chunk({}) + text, [cut])
      assert.deepEqual(
        [filter.usage?.usage.completion, filter.isReported, filter.usageEvent !== null],
        [completion, completion !== undefined, completion !== undefined],
        text,
      )
    }
  }
})

test('ends the stream at an error in any format of upstreams', () => {
  const forms = [
    [chunk({ error: { code: 502, message: 'gone' } }), 'gone', 502],
    ['data: {"error": {"message": "no more", "type": "x"}}\n\n', 'no more', null],
    ['data: {"error":"plain"}\n\n', 'plain', null],
    [
      chunk({ choices: [{ index: 0, error: { code: 'overloaded', message: 'busy' } }] }),
      'busy',
      'overloaded',
    ],
    [
      chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'error' }] }),
      'The upstream ended early.',
      null,
    ],
    [
      'data: {"object":"error","message":"too long","type":"BadRequestError","code":400}\n\n',
      'too long',
      400,
    ],
  ] as const
  for (const [text, message, code] of forms) {
    const { passed, filter } = run(`${say('a')}${text}${say('b')}`, [7])
    assert.equal(passed, say('a'))
    assert.deepEqual([filter.error?.message, filter.error?.code], [message, code])
  }
})

test('stops at an event without an end before it fills the memory', () => {
  const filter = new EventFilter()
  const piece = Buffer.alloc(1024 * 1024, 'x')
  for (let count = 0; count < 17 && filter.error === null; count += 1) filter.push(piece)
  assert.ok(filter.error !== null)
})

test('passes an event of 15 MiB whole', () => {
  const text = 'x'.repeat(15 * 1024 * 1024)
  const { passed, filter, delivered } = run(`${say(text)}${USAGE}${DONE}`, [65_536])
  assert.equal(passed.length, say(text).length)
  assert.equal(delivered.texts[0]?.length, text.length)
  assert.deepEqual([filter.error, filter.usage?.usage.completion], [null, 3])
})

test('reads a long event in linear time, in pieces of any size', () => {
  const event = Buffer.from(say('x'.repeat(1_000_000)))
  const cpuMs = cpuMsOf(() => {
    const filter = new EventFilter()
    for (let start = 0; start < event.length; start += 16)
      filter.push(event.subarray(start, start + 16))
    assert.equal(filter.error, null)
  })
  assert.ok(cpuMs < 3_000, `${cpuMs} ms`)
})

test('removes an invalid usage and ignores it', () => {
  for (const usage of [
    { prompt_tokens: -1, completion_tokens: 2 },
    { prompt_tokens: '5', completion_tokens: 2 },
    { prompt_tokens: 1.5, completion_tokens: 1 },
    { prompt_tokens: 1, total_tokens: 2 },
    {},
    [],
  ]) {
    const alone = run(say('a') + chunk({ choices: [], usage }), [1000])
    assert.deepEqual([alone.passed, alone.filter.usage], [say('a'), null])
    assert.equal(run(chunk({ usage }), [1000]).passed, chunk({}))
  }
})

test('accepts a byte order mark, empty errors and a spaced end mark', () => {
  const { passed, filter, delivered } = run(
    `\uFEFF${say('a')}${chunk({ error: '' })}${chunk({ error: null })}data: [DONE] \n\n`,
    [9],
  )
  assert.equal(passed, `\uFEFF${say('a')}${chunk({ error: '' })}${chunk({ error: null })}`)
  assert.deepEqual([delivered.texts, filter.isDone, filter.error], [['a'], true, null])
})

test('stores words by choice and kind, at any length', () => {
  const delivered = new Delivered()
  const tool = (index: number, part: string): string =>
    chunk({
      choices: [
        {
          index: 0,
          delta: { tool_calls: [{ index, function: { arguments: part } }] },
          finish_reason: null,
        },
      ],
    })
  for (let round = 0; round < 2_000; round += 1) {
    const other = chunk({
      choices: [{ index: 1, delta: { content: 'b', reasoning: 'r' }, finish_reason: null }],
    })
    delivered.add(Buffer.from(say('a') + other + tool(0, 'x') + tool(1, 'y')))
  }
  assert.equal(delivered.isFinished, false)
  assert.deepEqual(
    delivered.texts.map((text) => [text.charAt(0), text.length]),
    [
      ['a', 2_000],
      ['b', 2_000],
      ['r', 2_000],
      ['x', 2_000],
      ['y', 2_000],
    ],
  )
  const finish = (index: number): void =>
    delivered.add(Buffer.from(chunk({ choices: [{ index, delta: {}, finish_reason: 'stop' }] })))
  finish(0)
  assert.equal(delivered.isFinished, false)
  finish(1)
  assert.equal(delivered.isFinished, true)
})

test('stores the words of a response in any format, each once', () => {
  const answer = (delta: object): string =>
    chunk({ choices: [{ index: 0, delta, finish_reason: null }] })
  const forms = [
    [
      [
        { tool_calls: [{ index: 0, type: 'custom', custom: { name: 'run', input: '' } }] },
        { tool_calls: [{ index: 0, custom: { input: 'print 1' } }] },
      ],
      'runprint 1',
    ],
    [
      [
        { function_call: { name: 'run', arguments: '' } },
        { function_call: { arguments: '{"a":1}' } },
      ],
      'run{"a":1}',
    ],
    [
      [
        { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'one' }] }] },
        { content: [{ type: 'thinking', thinking: [{ type: 'text', text: ' two' }] }] },
      ],
      'one two',
    ],
    [[{ refusal: 'I will' }, { refusal: ' not' }], 'I will not'],
    [
      [
        { reasoning: 'one', reasoning_content: 'one' },
        { reasoning: ' two', reasoning_content: ' two' },
      ],
      'one two',
    ],
    [
      [
        { reasoning: null, reasoning_content: 'one' },
        { reasoning: '', reasoning_content: ' two' },
      ],
      'one two',
    ],
  ] as const
  for (const [deltas, text] of forms) {
    const delivered = new Delivered()
    for (const delta of deltas) delivered.add(Buffer.from(answer(delta)))
    assert.deepEqual(delivered.texts, [text])
  }
})

test('scans a delivery with short events in linear time', () => {
  const comments = Buffer.from(`${say('a')}${': wait\n\n'.repeat(100_000)}`.repeat(2))
  const delivered = new Delivered()
  assert.ok(cpuMsOf(() => delivered.add(comments)) < 3_000)
  assert.deepEqual(delivered.texts, ['aa'])
})

test('reads a usage inside the choices, and adds the completions of several', () => {
  const ended = (index: number, completion: number): string =>
    chunk({
      choices: [
        {
          index,
          delta: {},
          finish_reason: 'stop',
          usage: { prompt_tokens: 1_000, completion_tokens: completion },
        },
      ],
    })
  const counts = (text: string): unknown => {
    const { filter } = run(text, [7])
    return [filter.usage?.usage.prompt, filter.usage?.usage.completion]
  }
  assert.deepEqual(counts(say('42') + ended(0, 100) + DONE), [1_000, 100])
  assert.deepEqual(counts(ended(0, 30) + ended(0, 100) + DONE), [1_000, 100])
  assert.deepEqual(counts(ended(0, 100) + say('more') + ended(1, 50) + DONE), [1_000, 150])
  const { passed, filter } = run(ended(0, 100) + USAGE + DONE, [9])
  assert.equal(filter.usage?.usage.completion, 3)
  assert.equal(passed, ended(0, 100))
})
