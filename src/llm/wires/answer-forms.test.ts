/** The answers of upstreams in their many forms, converted for callers of Messages and Responses. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldsOf, listedFields, type Fields } from '../../lib/json-fields.ts'
import { completionOfEvents } from '../stream/completion-of-events.ts'
import { Delivered } from '../stream/delivered.ts'

import {
  blocksOfStream,
  itemsOfStream,
  passed,
  messagesFormat,
  responsesFormat,
  seenMessage,
  seenResponse,
  streamed,
  streamedWhole,
  streamOf,
  whole,
  type Seen,
} from './testing/converted.ts'

const call = (index?: unknown, id?: unknown, name?: unknown, text?: unknown): Fields => ({
  index,
  id,
  function: { name, arguments: text },
})
const piece = (...parts: Parameters<typeof call>) => ({ tool_calls: [call(...parts)] })
/** Stands for any id that the gateway made. */
const MADE = 'made'
const READ: Seen = ['call', 'a', 'read', { p: 1 }]
const GREP: Seen = ['call', 'b', 'grep', { q: 2 }]
const FORMS: readonly (readonly [name: string, deltas: readonly object[], answer: Seen[]])[] = [
  [
    'alternating pieces',
    [
      { tool_calls: [call(0, 'a', 'read', ''), call(1, 'b', 'grep', '')] },
      piece(0, undefined, undefined, '{"p":'),
      piece(1, undefined, undefined, '{"q":'),
      piece(0, undefined, undefined, '1}'),
      piece(1, undefined, undefined, '2}'),
    ],
    [READ, GREP],
  ],
  [
    'the second call complete before the first',
    [
      piece(0, 'a', 'read', ''),
      piece(1, 'b', 'grep', '{"q":2}'),
      piece(0, undefined, undefined, '{"p":1}'),
    ],
    [READ, GREP],
  ],
  ['one index', [piece(0, 'a', 'read', '{"p":1}'), piece(0, 'b', 'grep', '{"q":2}')], [READ, GREP]],
  [
    'one index and ids in every piece',
    [
      piece(0, 'a', 'read', '{"p"'),
      piece(0, 'b', 'grep', '{"q"'),
      piece(0, 'a', undefined, ':1}'),
      piece(0, 'b', undefined, ':2}'),
    ],
    [READ, GREP],
  ],
  [
    'no index',
    [
      piece(undefined, 'a', 'read', '{"p":'),
      piece(undefined, undefined, undefined, '1}'),
      piece(null, 'b', 'grep', '{"q":2}'),
    ],
    [READ, GREP],
  ],
  ['an index as text', [piece('0', 'a', 'read', '{"p":'), piece('0', '', '', '1}')], [READ]],
  [
    'a late name',
    [
      piece(0, 'a', undefined, ''),
      piece(0, undefined, 'read'),
      piece(0, undefined, undefined, '{"p":1}'),
    ],
    [READ],
  ],
  [
    'a name after the arguments',
    [piece(0, 'a', undefined, '{"p":1}'), piece(0, undefined, 'read')],
    [READ],
  ],
  [
    'a name in pieces',
    [piece(0, 'a', 're', ''), piece(0, undefined, 'ad', ''), piece(0, '', '', '{"p":1}')],
    [READ],
  ],
  [
    'a name and an id in every piece',
    [piece(0, 'a', 'read', ''), piece(0, 'a', 'read', '{"p":'), piece(0, 'a', 'read', '1}')],
    [READ],
  ],
  [
    'another id in every piece',
    [piece(0, 'a', 'read', ''), piece(0, 'x', null, '{"p":'), piece(0, 'y', null, '1}')],
    [READ],
  ],
  ['arguments as an object', [piece(0, 'a', 'read', { p: 1 })], [READ]],
  [
    'empty arguments before the real ones',
    [piece(0, 'a', 'read', '{}'), piece(0, '', '', '{"p":'), piece(0, '', '', '1}')],
    [READ],
  ],
  [
    'a call repeated at its end',
    [piece(0, 'a', 'read', '{"p":'), piece(0, '', '', '1}'), piece(0, 'a', 'read', '{"p":1}')],
    [READ],
  ],
  [
    'words after the arguments',
    [piece(0, 'a', 'read', '{"p":1}</tool>'), piece(0, '', '', '\n')],
    [READ],
  ],
  ['a call without arguments', [piece(0, 'a', 'now', '')], [['call', 'a', 'now', {}]]],
  ['an empty call', [{ content: 'hi' }, piece(0, '', '', '')], [['text', 'hi']]],
  [
    'text between calls',
    [
      piece(0, 'a', 'read', '{"p":1}'),
      { content: 'and ' },
      { content: 'now' },
      piece(1, 'b', 'grep', '{"q":2}'),
    ],
    [READ, ['text', 'and now'], GREP],
  ],
  [
    'text inside a call',
    [piece(0, 'a', 'read', '{"p":'), { content: 'so' }, piece(0, '', '', '1}')],
    [READ, ['text', 'so']],
  ],
  [
    'thoughts between words',
    [{ content: 'one' }, { reasoning_content: 'hm' }, { content: 'two' }],
    [
      ['text', 'one'],
      ['thinking', 'hm'],
      ['text', 'two'],
    ],
  ],
  [
    'the older form of calls',
    [
      { function_call: { name: 'read', arguments: '{"p":' } },
      { function_call: { arguments: '1}' } },
    ],
    [['call', MADE, 'read', { p: 1 }]],
  ],
  ['one call without a list', [{ tool_calls: call(0, 'a', 'read', '{"p":1}') }], [READ]],
  [
    'free text',
    [
      { tool_calls: [{ index: 0, id: 'a', custom: { name: 'patch', input: '*** ' } }] },
      { tool_calls: [{ index: 0, custom: { input: 'Begin' } }] },
    ],
    [['call', 'a', 'patch', '*** Begin']],
  ],
]

/** Ids that the gateway made, as "made". */
const named = (seen: readonly Seen[]): Seen[] =>
  seen.map(([kind, id, ...rest]) => [
    kind,
    typeof id === 'string' && /^call_[0-9a-f]{32}$/.test(id) ? MADE : id,
    ...rest,
  ])
/** Calls come after words in a whole answer, and all words of a kind are together. */
const grouped = (seen: readonly Seen[]): unknown[] => [
  ...['thinking', 'text'].map((kind) =>
    seen.flatMap(([one, words]) => (one === kind ? [words] : [])).join(''),
  ),
  ...seen.filter(([kind]) => kind === 'call'),
]
const messageIn = (deltas: readonly object[]): Fields => {
  const completion = completionOfEvents(Buffer.from(streamOf(deltas, 'stop')))
  return fieldsOf(listedFields(completion?.['choices'])[0]?.['message'])
}

for (const [name, deltas, answer] of FORMS) {
  const isFree = name === 'free text'
  describe(`an answer with ${name}`, () => {
    if (!isFree)
      test('is a valid stream of Messages', () => {
        assert.deepEqual(named(blocksOfStream(streamed(messagesFormat, deltas))), answer)
      })

    test('is a valid stream of Responses', () => {
      assert.deepEqual(named(itemsOfStream(streamed(responsesFormat, deltas))), answer)
    })

    test('is the same answer, whole', () => {
      const message = messageIn(deltas)
      const expected = grouped(answer)
      if (!isFree) {
        const json = whole(messagesFormat, message)
        assert.deepEqual(grouped(named(seenMessage(json))), expected)
        const events = blocksOfStream(streamedWhole(messagesFormat, message))
        assert.deepEqual(grouped(named(events)), expected)
      }
      assert.deepEqual(grouped(named(seenResponse(whole(responsesFormat, message)))), expected)
      const items = itemsOfStream(streamedWhole(responsesFormat, message))
      assert.deepEqual(grouped(named(items)), expected)
    })
  })
}

test('keeps each call of a whole answer apart, also without ids', () => {
  for (const calls of [
    [call(0, 'a', 'read', '{}'), call(0, 'b', 'read', '{}')],
    [call(0, 'a', 'read', ''), call(0, 'a', 'read', '')],
    [call(undefined, undefined, 'read', ''), call(undefined, undefined, 'read', '')],
    [call(0, '', 'read', {}), call(0, '', 'grep', null)],
  ]) {
    const message = { content: null, tool_calls: calls }
    const seen = seenMessage(whole(messagesFormat, message))
    assert.equal(seen.length, 2, JSON.stringify(calls))
    assert.equal(new Set(seen.map(([, id]) => id)).size, 2, JSON.stringify(seen))
    assert.equal(seenResponse(whole(responsesFormat, message)).length, 2)
  }
})

test('gives each call of a stream an id of its own', () => {
  for (const ids of [
    [undefined, undefined],
    ['a', 'a'],
    ['', 'a'],
  ]) {
    const deltas = ids.map((id, index) => piece(index, id, 'read', '{"p":1}'))
    const made = blocksOfStream(streamed(messagesFormat, deltas)).map(([, id]) => id)
    assert.ok(
      made.every((id) => typeof id === 'string' && id !== ''),
      JSON.stringify(made),
    )
    assert.equal(new Set(made).size, 2)
  }
})

test('sends the pieces of the open call as they arrive', () => {
  const deltas = [
    piece(0, 'a', 'read', '{"p":'),
    piece(0, '', '', '1}'),
    piece(1, 'b', 'grep', '{"q":'),
  ]
  for (const format of [messagesFormat, responsesFormat]) {
    const sent = passed(format, deltas).flatMap(({ delta }) => [
      fieldsOf(delta)['partial_json'] ?? delta,
    ])
    assert.deepEqual(
      sent.filter((words) => typeof words === 'string'),
      ['{"p":', '1}', '{"q":'],
    )
  }
})

test('calls a tool exactly if the answer has a call', () => {
  const stopOf = (deltas: readonly object[]) =>
    fieldsOf(streamed(messagesFormat, deltas).at(-2)?.['delta'])['stop_reason']
  assert.equal(stopOf([piece(0, 'a', 'read', '')]), 'tool_use')
  assert.equal(stopOf([piece(0, '', '', '')]), 'end_turn')
  assert.equal(stopOf([{ function_call: { name: 'read', arguments: '{}' } }]), 'tool_use')
  for (const message of [{ tool_calls: [call(0, '', '', '')] }, { tool_calls: [] }])
    assert.equal(whole(messagesFormat, message)['stop_reason'], 'end_turn')
})

test('ends a stream of Responses once, with a call that has arguments', () => {
  const events = streamed(responsesFormat, [piece(0, 'a', 'now', '')])
  const [item] = listedFields(fieldsOf(events.at(-1)?.['response'])['output'])
  assert.equal(item?.['arguments'], '{}')
})

test('counts arguments that arrive as an object', () => {
  const delivered = new Delivered()
  delivered.add(Buffer.from(streamOf([piece(0, 'a', 'read', { p: 1 })], 'stop')))
  assert.deepEqual(delivered.texts, ['read{"p":1}'])
})
