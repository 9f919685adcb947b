import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listedFields, type Fields } from '../../lib/json-fields.ts'
import { completionOfEvents } from '../stream/completion-of-events.ts'
import { Delivered } from '../stream/delivered.ts'
import { textFormat } from './completions/text-format.ts'

import { messagesFormat, responsesFormat, streamed, streamOf, whole } from './testing/converted.ts'

const joined = (events: readonly Fields[], pick: (event: Fields) => unknown): string =>
  events
    .map(pick)
    .filter((text) => typeof text === 'string')
    .join('')

/** The thoughts and the text of a streamed and of a whole message. */
function inMessages(deltas: readonly object[]): unknown {
  const events = streamed(messagesFormat, deltas)
  const delta = (name: string) => joined(events, (one) => (one['delta'] as Fields)?.[name])
  return [delta('thinking'), delta('text')]
}

function inResponses(deltas: readonly object[]): unknown {
  const events = streamed(responsesFormat, deltas)
  const of = (type: string) =>
    joined(events, (one) => (one['type'] === `response.${type}.delta` ? one['delta'] : null))
  return [of('reasoning_summary_text'), of('output_text')]
}

const textOf = (events: readonly Fields[]): string =>
  joined(
    events.flatMap(({ choices }) => listedFields(choices)),
    ({ text }) => text,
  )

const FORMS: readonly (readonly [string, readonly object[], readonly [string, string]])[] = [
  ['parts', [{ content: [{ type: 'text', text: '4' }] }, { content: [{ text: '2' }] }], ['', '42']],
  [
    'thinking parts, then parts of text',
    [
      { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'h' }] }] },
      { content: [{ type: 'thinking', thinking: 'm' }] },
      { content: [{ type: 'text', text: '42' }] },
    ],
    ['hm', '42'],
  ],
  [
    'thinking parts, then text',
    [
      { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] },
      { content: '4' },
      { content: '2' },
    ],
    ['hm', '42'],
  ],
  ['texts in a list', [{ content: ['4', '2'] }], ['', '42']],
  ['one part', [{ content: { type: 'text', text: '42' } }], ['', '42']],
  [
    'reasoning as parts',
    [{ reasoning_content: [{ type: 'text', text: 'hm' }] }, { content: '42' }],
    ['hm', '42'],
  ],
  [
    'reasoning details alone',
    [
      {
        reasoning_details: [
          { type: 'reasoning.text', text: 'h' },
          { type: 'reasoning.summary', summary: 'm' },
        ],
      },
      { content: '42' },
    ],
    ['hm', '42'],
  ],
  [
    'one thought in two fields',
    [{ reasoning: 'hm', reasoning_content: 'hm' }, { content: '42' }],
    ['hm', '42'],
  ],
  [
    'empty reasoning next to text',
    [
      { content: '4', reasoning_content: '' },
      { content: '2', reasoning: '' },
    ],
    ['', '42'],
  ],
]

for (const [name, deltas, [thoughts, text]] of FORMS)
  describe(`an answer as ${name}`, () => {
    test('reaches every API, streamed', () => {
      assert.deepEqual(inMessages(deltas), [thoughts, text])
      assert.deepEqual(inResponses(deltas), [thoughts, text])
      assert.equal(textOf(streamed(textFormat, deltas)), text)
    })

    test('reaches every API, whole, without empty blocks', () => {
      const assembled = completionOfEvents(Buffer.from(streamOf(deltas, 'stop')))
      const [{ message = {} } = {}] = listedFields(assembled?.['choices'])
      const blocks = listedFields(whole(messagesFormat, message as object)['content'])
      assert.deepEqual(
        blocks.map((block) => block['thinking'] ?? block['text']),
        [thoughts, text].filter((words) => words !== ''),
      )
      const output = listedFields(whole(responsesFormat, message as object)['output'])
      assert.deepEqual(
        output.map(({ type }) => type),
        thoughts === '' ? ['message'] : ['reasoning', 'message'],
      )
      assert.equal(textOf([whole(textFormat, message as object)]), text)
    })

    test('is counted once', () => {
      const delivered = new Delivered()
      delivered.add(Buffer.from(streamOf(deltas, 'stop')))
      assert.deepEqual(
        new Set(delivered.texts),
        new Set([thoughts, text].filter((words) => words !== '')),
      )
      assert.equal(delivered.thoughtLength, thoughts.length)
    })
  })

test('ends a message with tool_use exactly if it calls a tool', () => {
  const call = { index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }
  for (const [delta, finish, reason] of [
    [{ tool_calls: [call] }, 'stop', 'tool_use'],
    [{ tool_calls: [call] }, 'tool_calls', 'tool_use'],
    [{ tool_calls: [call] }, 'length', 'max_tokens'],
    [{ content: 'No.' }, 'tool_calls', 'end_turn'],
    [{ content: 'No.', tool_calls: [] }, 'stop', 'end_turn'],
    [{ content: 'No.' }, 'content_filter', 'refusal'],
  ] as const) {
    const events = streamed(messagesFormat, [delta], finish)
    const last = events.find(({ type }) => type === 'message_delta')
    assert.equal((last?.['delta'] as Fields)['stop_reason'], reason, JSON.stringify(delta))
    assert.equal(whole(messagesFormat, delta, finish)['stop_reason'], reason)
  }
})

test('an answer begins with a message, not with a bare choice', () => {
  const begun = (choice: object): boolean => {
    const delivered = new Delivered()
    delivered.add(Buffer.from(`data: ${JSON.stringify({ choices: [choice] })}\n\n`))
    return delivered.hasBegun
  }
  assert.equal(begun({ index: 0, text: '42', finish_reason: 'stop' }), false)
  assert.equal(begun({ index: 0, delta: {} }), true)
  assert.equal(begun({ index: 0, message: { content: '42' } }), true)
})
