import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../test/harness/property.ts'
import { fieldsOf, listedFields, type Fields } from '../../lib/json-fields.ts'
import { completionOfEvents } from '../stream/completion-of-events.ts'

import {
  blocksOfStream,
  itemsOfStream,
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

/** How an upstream marks the pieces of a call, and whether pieces of several calls may alternate. */
const MARKS = [
  { marks: ({ place }: Mark) => ({ index: place }), alternate: true },
  {
    marks: ({ place, id, isFirst }: Mark) => ({ index: place, id: isFirst ? id : '' }),
    alternate: true,
  },
  { marks: ({ place, id, at }: Mark) => ({ index: place, id: `${id}-${at}` }), alternate: true },
  { marks: ({ id }: Mark) => ({ id }), alternate: true },
  { marks: ({ id }: Mark) => ({ index: 0, id }), alternate: true },
  { marks: ({ place, id }: Mark) => ({ index: String(place), id }), alternate: true },
  { marks: ({ id, isFirst }: Mark) => ({ index: 0, id: isFirst ? id : null }), alternate: false },
  { marks: ({ id, isFirst }: Mark) => (isFirst ? { id } : {}), alternate: false },
  { marks: () => ({}), alternate: false },
] as const

type Mark = { place: number; id: string; isFirst: boolean; at: number }

const json = fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 3,
  noNullPrototype: true,
})
const toolCall = fc.record({
  name: fc.constantFrom('read', 'grep', 'now'),
  input: json,
  cuts: fc.array(fc.nat(60), { maxLength: 5 }),
  form: fc.constantFrom('pieces', 'object', 'empty first'),
})
const words = fc.record({
  kind: fc.constantFrom('content', 'reasoning_content', 'parts', 'refusal'),
  text: fc.string({ maxLength: 4 }),
})
const upstream = fc.record({
  mark: fc.constantFrom(...MARKS),
  calls: fc.array(toolCall, { maxLength: 4 }),
  words: fc.array(words, { maxLength: 6 }),
  order: fc.infiniteStream(fc.nat(100)),
})
type ToolCall = typeof toolCall extends fc.Arbitrary<infer T> ? T : never
type Upstream = typeof upstream extends fc.Arbitrary<infer T> ? T : never

/** The pieces of a call, the first with its name. */
function piecesOf({ name, input, cuts, form }: ToolCall): Fields[] {
  if (form === 'object') return [{ name, arguments: input }]
  const text = JSON.stringify(input)
  const ends = [...cuts.map((cut) => cut % (text.length + 1)), text.length].toSorted(
    (a, b) => a - b,
  )
  const pieces = ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end))
  return [
    { name, arguments: form === 'empty first' ? '{}' : '' },
    ...pieces.map((one) => ({ arguments: one })),
  ]
}

function deltaOfWords({ kind, text }: { kind: string; text: string }): Fields {
  return kind === 'parts' ? { content: [{ type: 'text', text }] } : { [kind]: text }
}

/** The deltas of an upstream; each call and the words have their own order. */
function deltasOf({ mark, calls, words: all, order }: Upstream): Fields[] {
  const marked = calls.map((call, place) =>
    piecesOf(call).map((named, at) => ({
      tool_calls: [
        { ...mark.marks({ place, id: `id-${place}`, isFirst: at === 0, at }), function: named },
      ],
    })),
  )
  const queues: Fields[][] = [all.map(deltaOfWords), ...(mark.alternate ? marked : [marked.flat()])]
  const deltas: Fields[] = []
  for (const number of order) {
    const left = queues.filter(({ length }) => length > 0)
    const next = left[number % Math.max(1, left.length)]?.shift()
    if (next === undefined) return deltas
    deltas.push(next)
  }
  return deltas
}

/** The words of each kind, and the calls by their content. */
function contentOf(seen: readonly Seen[]): unknown {
  const joined = (kind: string) =>
    seen.flatMap(([one, text]) => (one === kind ? [text] : [])).join('')
  const calls = seen.filter(([kind]) => kind === 'call').map(([, , ...call]) => call)
  return { thoughts: joined('thinking'), text: joined('text').length, calls }
}

function expectedOf({ calls, words: all }: Upstream, deltas: readonly Fields[]): unknown {
  const of = (kinds: string[]) =>
    all.flatMap(({ kind, text }) => (kinds.includes(kind) ? [text] : [])).join('')
  const begun = deltas
    .flatMap(({ tool_calls: list }) => listedFields(list))
    .filter(({ function: named }) => 'name' in fieldsOf(named))
  const names = begun.map(({ function: named }) => fieldsOf(named)['name'])
  return {
    thoughts: of(['reasoning_content']),
    text: of(['content', 'parts', 'refusal']).length,
    names,
    count: calls.length,
  }
}

test('converts every order of pieces to valid streams that equal the whole answer', () => {
  fc.assert(
    fc.property(upstream, (sent) => {
      const deltas = deltasOf(sent)
      const message = fieldsOf(
        listedFields(completionOfEvents(Buffer.from(streamOf(deltas, 'stop')))?.['choices'])[0]?.[
          'message'
        ],
      )
      const content = contentOf(seenMessage(whole(messagesFormat, message)))
      for (const seen of [
        blocksOfStream(streamed(messagesFormat, deltas)),
        blocksOfStream(streamedWhole(messagesFormat, message)),
        itemsOfStream(streamed(responsesFormat, deltas)),
        itemsOfStream(streamedWhole(responsesFormat, message)),
        seenResponse(whole(responsesFormat, message)),
      ]) {
        assert.deepEqual(contentOf(seen), content)
        const ids = seen.flatMap(([kind, id]) => (kind === 'call' ? [id] : []))
        assert.equal(new Set(ids).size, ids.length)
      }
      const { calls, ...heard } = content as { calls: [string, unknown][] }
      const { names, count, ...said } = expectedOf(sent, deltas) as {
        names: unknown[]
        count: number
      }
      assert.deepEqual(heard, said)
      assert.deepEqual(
        calls.map(([name]) => name),
        names,
      )
      const sorted = (inputs: readonly unknown[]) =>
        inputs.map((one) => JSON.stringify(one)).toSorted()
      assert.deepEqual(
        sorted(calls.map(([, input]) => input)),
        sorted(sent.calls.map(({ input }) => input)),
      )
      assert.equal(calls.length, count)
    }),
    { numRuns: 300 },
  )
})
