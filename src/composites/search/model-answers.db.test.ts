import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSearchBed } from '../../../test/harness/beds/search.ts'
import { refusal } from '../../../test/harness/refusal.ts'
import { cents } from '../../lib/money.ts'
import type { SearchHandlerDeps } from './search-handlers.ts'

type Request = Parameters<NonNullable<SearchHandlerDeps['complete']>>[0]
const requests: Request[] = []
let written: string | null = null
let extracted: Awaited<ReturnType<NonNullable<SearchHandlerDeps['extractData']>>> = {
  kind: 'failed',
  reason: 'nothing',
}
const bed = await openSearchBed(
  {},
  {
    complete: async (request) => {
      requests.push(request)
      return written === null ? null : { answer: written, isCut: false }
    },
    extractData: async () => extracted,
  },
)
const { searxng, run } = bed
searxng.behave(() => ({
  rows: [
    {
      url: 'https://a.example/1',
      title: 'Release',
      content: 'PostgreSQL 18 was released in 2025.',
    },
    { url: 'https://b.example/2', title: 'Acme', content: 'Acme employs 1,200 people in Lisbon.' },
  ],
}))
const ask = (q: string, body = {}) =>
  run('cited/search', { q, includeInlineCitations: true, ...body })

test('returns the supported statements of the model, and renumbers their sources', async () => {
  written =
    'Acme employs 1,200 people in Lisbon [2]. It has 9 offices in Porto [2]. PostgreSQL 18 is of 2025 [1].'
  const { data, charged } = await ask('What do we know about release and employer?')
  assert.equal(
    data['answer'],
    'Acme employs 1,200 people in Lisbon [1]. PostgreSQL 18 is of 2025 [2].',
  )
  assert.deepEqual(
    (data['sources'] as { url: string }[]).map(({ url }) => url),
    ['https://b.example/2', 'https://a.example/1'],
  )
  assert.deepEqual([data['answered_by'], charged], ['model', cents('1')])
})

test('lets the model cost at most four fifths of the price', async () => {
  for (const [action, most] of [
    ['cited/search', '0.8'],
    ['cited/deep-search', '4'],
  ] as const) {
    await run(action, { q: `Who employs people in Lisbon? ${action}` })
    assert.equal(requests.at(-1)?.mostMicros, cents(most))
  }
})

test('quotes the pages if the sources do not support half of the answer', async () => {
  written = 'Acme employs 77 people [2]. Its seat is Oslo or Bergen, in Norway [1].'
  const { data, charged } = await ask('How many people employs Acme?')
  assert.equal(data['answer'], 'Acme employs 1,200 people in Lisbon. [1]')
  assert.deepEqual([data['answered_by'], charged], ['extract', cents('1')])
})

test('quotes the pages if no model answers, and adds the answer of rag without numbers', async () => {
  written = null
  const { data } = await run('rag/search', {
    query: 'How many people employs Acme in Lisbon?',
    include_answer: true,
  })
  assert.deepEqual(
    [data['answer'], data['answered_by']],
    ['Acme employs 1,200 people in Lisbon.', 'extract'],
  )
})

test('does without the model once its unpaid answers of an account used up their ration', async () => {
  written = 'NONE'
  const before = requests.length
  for (let at = 0; at < 70; at += 1) await refusal(ask(`Zebra quagga okapi ${at}`), 'no_results')
  assert.equal(requests.length - before, 62)
})

test('fills a schema from the pages, and is free without data', async () => {
  const body = { outputType: 'structured', structuredOutputSchema: { type: 'object' } }
  const call = ask('people', { ...body, includeInlineCitations: undefined })
  await refusal(call, 'no_results')
  extracted = { kind: 'data', data: { people: 1200 }, isCut: false }
  bed.pages.set(
    '/acme',
    `<title>Acme</title><main><p>${'Acme employs people. '.repeat(60)}</p></main>`,
  )
  searxng.behave(() => ({ rows: [{ url: `${bed.site}/acme`, title: 'Acme' }] }))
  const { data, charged } = await ask('Lisbon', { ...body, includeInlineCitations: undefined })
  assert.deepEqual([data['data'], charged], [{ people: 1200 }, cents('1')])
})
