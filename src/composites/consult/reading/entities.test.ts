import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../test/harness/property.ts'
import { cpuMsOf } from '../../../../test/harness/cpu-time.ts'
import { readEntities, type Entities } from './entities.ts'
import { taskOf, topicOf } from '../../discover/topic.ts'

const NOW_MS = Date.UTC(2026, 10, 20, 12)

const cases: readonly (readonly [
  intent: string,
  expected: Partial<Entities['values']> | Partial<Omit<Entities, 'values' | 'span'>>,
])[] = [
  ['the work email of Jane Doe at Stripe', { person: ['Jane Doe'], company: ['Stripe'] }],
  [
    'read https://example.com/a (and example.org).',
    { url: ['https://example.com/a'], domain: ['example.org'] },
  ],
  ['is bob.smith+x@acme.co.uk deliverable?', { email: ['bob.smith+x@acme.co.uk'] }],
  ['contacts of linkedin.com/in/jane-doe', { linkedin: ['https://linkedin.com/in/jane-doe'] }],
  [
    'what is 123 Main Street, Austin, TX 78701 worth',
    { address: ['123 Main Street, Austin, TX 78701'] },
  ],
  [
    'SEC filings of CIK 320193 and 0000320193-24-000123',
    { cik: ['320193'], accession: ['0000320193-24-000123'] },
  ],
  ['nonprofit 13-1837418', { ein: ['13-1837418'] }],
  ['tiktok profile of @nasa and #space', { handle: ['nasa'], hashtag: ['space'] }],
  [
    'price of $BTC and wallet 0x52908400098527886E0F7030069857D2E4169EE7',
    { ticker: ['BTC'], wallet: ['0x52908400098527886E0F7030069857D2E4169EE7'] },
  ],
  ['status of flight LH 400', { flight: ['LH400'] }],
  ['trial NCT04280705', { trial: ['NCT04280705'] }],
  ['the paper 10.1038/nature12373.', { doi: ['10.1038/nature12373'] }],
  ['find "group commit" papers', { quoted: ['group commit'] }],
  ['call +1 415-555-0100', { phone: ['+1 415-555-0100'] }],
  ['screen Ivan Petrov against sanctions', { person: ['Ivan Petrov'] }],
  ['lawsuits against Acme Corp', { company: ['Acme Corp'] }],
]

for (const [intent, expected] of cases) {
  test(`names in: ${intent}`, () => {
    const { values } = readEntities(intent, NOW_MS)
    for (const [kind, found] of Object.entries(expected))
      assert.deepEqual(values[kind as keyof typeof values], found)
  })
}

const spans: readonly (readonly [
  intent: string,
  from: string | null,
  to: string | null,
  window: string | null,
])[] = [
  ['news from the last week', '2026-11-13', null, 'week'],
  ['news from the past 30 days', '2026-10-21', null, 'month'],
  ['what happened today', '2026-11-19', null, 'day'],
  ['papers since 2020', '2020-01-01', null, null],
  ['papers published between 2020 and 2022', '2020-01-01', '2022-12-31', null],
  ['patents after March 2021', '2021-03-01', null, null],
  ['filings before 2024-06-30', null, '2024-06-30', null],
  ['filings of 5 March 2024', '2024-03-05', '2024-03-05', null],
  ['rules in February 2024', '2024-02-01', '2024-02-29', null],
  ['is the office open tomorrow', '2026-11-21', '2026-11-21', null],
  ['is 1 May a holiday', '2027-05-01', '2027-05-01', null],
  ['what happened on October 3rd', '2026-10-03', '2026-10-03', null],
  ['the 29th of February', null, null, null],
  ['which 3 may be meant', null, null, null],
]

for (const [intent, from, to, window] of spans) {
  test(`time in: ${intent}`, () => {
    const { span } = readEntities(intent, NOW_MS)
    assert.deepEqual(
      [span?.from ?? null, span?.to ?? null, span?.window ?? null],
      [from, to, window],
    )
  })
}

test('reads counts, but not years or ids', () => {
  assert.deepEqual(
    [
      'top 5 papers',
      '20 marketing managers in Berlin',
      'five recent papers',
      'papers of 2020',
      'CIK 320193',
      'top ten results',
    ].map((intent) => readEntities(intent, NOW_MS).count),
    [5, 20, 5, null, null, 10],
  )
})

test('recognises countries by name, adjective and abbreviation, and states by name and code', () => {
  assert.deepEqual(
    [
      'in Germany',
      'German news',
      'the UK market',
      'in the United States',
      'south korea',
      'Turkey',
      'no country',
    ].map((intent) => readEntities(intent, NOW_MS).country?.alpha2 ?? null),
    ['DE', 'DE', 'GB', 'US', 'KR', 'TR', null],
  )
  assert.deepEqual(
    ['homes in Texas', 'Austin, TX', 'me or you'].map(
      (intent) => readEntities(intent, NOW_MS).state,
    ),
    ['TX', 'TX', null],
  )
})

test('extracts the topic of a search', () => {
  assert.deepEqual(
    [
      'search the web for how heat pumps work',
      'Could you find academic papers about CRISPR?',
      'generate an image of a red fox in the snow',
      'wikipedia article on heat pumps',
      'marketing managers in Berlin',
    ].map(topicOf),
    [
      'how heat pumps work',
      'CRISPR',
      'a red fox in the snow',
      'heat pumps',
      'marketing managers in Berlin',
    ],
  )
  assert.equal(taskOf('search the web for the price of tea')?.text, 'search the web for ')
})

test('reads any text within its bounds', () => {
  assert.deepEqual(readEntities('', NOW_MS).values, {})
  const pieces = fc.constantFrom(
    'Jane Doe',
    'at',
    'https://',
    '@',
    '#',
    '$',
    '1.',
    'of',
    'A',
    '10.1000/',
    '"',
    "'",
    '12-',
    'TX',
    'last',
    'since',
    '2020',
    '日本',
    '\u0000',
    '(',
    'linkedin.com/',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ maxLength: 200 }),
        fc.array(pieces, { maxLength: 40 }).map((deps) => deps.join(' ')),
      ),
      (intent) => {
        const { values, count } = readEntities(intent, NOW_MS)
        assert.ok(Object.values(values).every((found) => found.every((value) => value.length > 0)))
        assert.ok(count === null || count >= 0)
        topicOf(intent)
      },
    ),
    { numRuns: 300 },
  )
})

test('reads a long hostile text in bounded time', () => {
  const pieces = [
    'a',
    'A ',
    'Aa ',
    '1 Aa ',
    '@a.',
    'a.',
    '1-',
    '"a',
    '10.',
    'of the ',
    'search ',
    '2020 to ',
  ]
  const cpuMs = cpuMsOf(() =>
    pieces.forEach(
      (piece) => void readEntities(piece.repeat(Math.ceil(2_000 / piece.length)), NOW_MS),
    ),
  )
  assert.ok(cpuMs < 2_000, `${cpuMs} ms`)
})
