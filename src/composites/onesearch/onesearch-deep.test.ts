import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../test/harness/property.ts'
import { failed, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { createValidator } from '../../catalog/validate/validate.ts'
import { cents } from '../../lib/money.ts'
import type { Complete } from '../shared/complete.ts'
import { fakeJob, type Answers, type FakeJob } from '../testing/fake-job.ts'
import { checkCitations, type Citation } from './answer.ts'
import { onesearchDeepInput } from './deep-input.ts'
import { createOnesearchDeep } from './onesearch-deep.ts'
import type { DeepRow } from './read-pages.ts'
import { assertFits } from '../../catalog/testing/assert-fits.ts'

type Result = {
  answer: string | null
  citations: Citation[]
  answer_note?: string
  row_count: number
  read_count: number
  skipped_count: number
  rows: DeepRow[]
  calls: Data[]
  next: string
  spent_cents: number
  spent_micros: number
  budget_cents: number
}

const validator = createValidator()
const PAGE =
  'Heat pumps move heat instead of making it. They work below minus twenty degrees. The rest of this page is filler.'

/** core/onesearch returns these URLs for every query. */
function finds(...urls: readonly string[]): Answers['core/onesearch'] {
  return () => ({
    kind: 'done',
    data: {
      rows: urls.map((url) => ({
        id: url.replace(/^https:\/\/|\/$/g, ''),
        url,
        title: `About ${url}`,
        snippet: 'A snippet.',
        published_at: null,
        sources: ['semantic', 'rag'],
        score: 1,
      })),
      calls: [{ service: 'semantic', action: 'search', ok: true, latency_ms: 5 }],
    },
  })
}

const renderCall = (ok: boolean) => ({ service: 'render', action: 'scrape', ok, latency_ms: 5 })

function reads(content: (url: string) => string | null = () => PAGE): Answers['core/onescrape'] {
  return ({ urls }) => {
    const [url = ''] = urls as string[]
    const text = content(url)
    const row = { url, content: text, ...(text === null ? { error: 'blocked' } : {}) }
    return text === null
      ? failed('all_blocked', 'Walls.', { rows: [row], calls: [renderCall(false)] })
      : { kind: 'done', data: { rows: [row], calls: [renderCall(true)] }, units: 1 }
  }
}

const pages = (count: number) =>
  Array.from({ length: count }, (_, at) => `https://site-${at}.example/`)

async function run(
  input: Data,
  answers: Answers,
  { complete, job }: { complete?: Complete; job?: FakeJob } = {},
) {
  const valid = validator.validate(onesearchDeepInput, {
    query: 'do heat pumps work in winter',
    ...input,
  })
  const tools = job ?? fakeJob(answers, { budgetCents: Number(valid['budgetCents']) })
  const outcome: Outcome = await createOnesearchDeep({ complete: complete ?? null })(valid, tools)
  if (outcome.kind !== 'failed') assertFits('core/onesearch-deep', outcome.data)
  return {
    job: tools,
    outcome,
    result: (outcome.kind === 'failed' ? {} : outcome.data) as Result,
    charged: outcome.kind === 'done' ? outcome.actual : 0n,
  }
}

test('searches once, reads the requested number of pages and charges both', async () => {
  const { result, charged, job } = await run(
    { read_pages: 3 },
    { 'core/onesearch': finds(...pages(8)), 'core/onescrape': reads() },
  )
  assert.deepEqual(
    [
      result.row_count,
      result.read_count,
      result.skipped_count,
      result.spent_cents,
      result.budget_cents,
      charged,
    ],
    [8, 3, 0, 11, 50, cents('11')],
  )
  assert.deepEqual(
    result.rows.map(({ read }) => read),
    [true, true, true, false, false, false, false, false],
  )
  assert.deepEqual(
    [result.rows[0]?.content, result.rows[0]?.chars, result.rows[3]?.content],
    [PAGE, PAGE.length, null],
  )
  assert.match(result.rows[0]?.passages[0] ?? '', /Heat pumps move heat|work below/)
  assert.deepEqual(job.reports.at(-1), { rows_done: 3, rows_total: 3 })
  assert.deepEqual(
    [result.spent_micros, ...result.rows.map(({ charged_micros }) => charged_micros)],
    [110_000, 20_000, 20_000, 20_000, 0, 0, 0, 0, 0],
  )
})

test('searches for each question, and ranks pages of several searches higher', async () => {
  const search: Answers['core/onesearch'] = (input) =>
    (
      finds(
        ...(input['query'] === 'costs'
          ? ['https://both.example/', 'https://costs.example/']
          : ['https://first.example/', 'https://both.example/']),
      ) as (given: Data) => Outcome
    )(input)
  const { result, job } = await run(
    { questions: ['costs'], read_pages: 1 },
    { 'core/onesearch': search, 'core/onescrape': reads() },
  )
  assert.deepEqual(
    result.rows.map(({ url }) => url),
    ['https://both.example/', 'https://first.example/', 'https://costs.example/'],
  )
  assert.deepEqual(result.rows[0]?.sources, ['semantic', 'rag'])
  assert.deepEqual(
    job.steps.filter(({ name }) => name === 'core/onesearch').map(({ input }) => input['query']),
    ['do heat pumps work in winter', 'costs'],
  )
})

test('replaces an unreadable page, free of charge, by the next one', async () => {
  const { result, charged } = await run(
    { read_pages: 2 },
    {
      'core/onesearch': finds(...pages(4)),
      'core/onescrape': reads((url) => (url.includes('site-0') ? null : PAGE)),
    },
  )
  assert.deepEqual(
    result.rows.map(({ read, error }) => error ?? read),
    ['blocked', true, true, false],
  )
  assert.equal(charged, cents('9'))
})

test('explains why pages were not read', async () => {
  const nextAfter = async (onescrape: Answers['core/onescrape']) =>
    (
      await run(
        { read_pages: 2 },
        {
          'core/onesearch': finds(...pages(2)),
          ...(onescrape === undefined ? {} : { 'core/onescrape': onescrape }),
        },
      )
    ).result.next
  assert.match(await nextAfter(reads()), /^Cite the rows/)
  assert.match(
    await nextAfter(reads(() => null)),
    /bot check, and this gateway has no reader for walls/,
  )
  const walled = await run(
    { read_pages: 2 },
    {
      'core/onesearch': finds(...pages(2)),
      'core/onescrape': reads(() => null),
      'proxy/scrape_residential': () => failed('no_results', 'Blocked.'),
    },
  )
  assert.match(walled.result.next, /core\/onescrape-deep/)
  assert.match(
    await nextAfter(() => failed('all_blocked', 'The host is not there.')),
    /could not be read/,
  )
})

test('marks pages beyond the budget, in the order of the rows', async () => {
  const { result, charged } = await run(
    { read_pages: 5, budgetCents: 10 },
    { 'core/onesearch': finds(...pages(5)), 'core/onescrape': reads() },
  )
  assert.deepEqual(
    result.rows.map(({ read, error }) => error ?? read),
    [true, true, 'over budget', 'over budget', 'over budget'],
  )
  assert.deepEqual([result.skipped_count, charged], [3, cents('9')])
  assert.match(result.next, /budget/)
})

test('leaves half of the budget for reading', async () => {
  const questions = ['one', 'two', 'three', 'four', 'five']
  const { job, result } = await run(
    { questions, read_pages: 20, budgetCents: 30 },
    { 'core/onesearch': finds(...pages(20)), 'core/onescrape': reads() },
  )
  assert.equal(job.steps.filter(({ name }) => name === 'core/onesearch').length, 3)
  assert.equal(result.read_count, 7)
  assert.match(result.next, /^3 of 6 searches were skipped/)
})

test('lists social pages and documents without reading them', async () => {
  const { result, job } = await run(
    {},
    {
      'core/onesearch': finds(
        'https://www.youtube.com/watch?v=1',
        'https://a.example/x.pdf',
        'https://a.example/',
      ),
      'core/onescrape': reads(),
    },
  )
  assert.deepEqual(
    result.rows.map(({ read }) => read),
    [false, false, true],
  )
  assert.equal(job.steps.filter(({ name }) => name === 'core/onescrape').length, 1)
})

test('fails with the reason of the searches, not charged, if nothing is found', async () => {
  const nothing = await run({}, { 'core/onesearch': () => failed('no_results', 'Nothing.') })
  assert.ok(nothing.outcome.kind === 'failed' && nothing.outcome.code === 'no_results')
  const absent = await run(
    {},
    { 'core/onesearch': () => failed('upstream_not_configured', 'None.') },
  )
  assert.ok(absent.outcome.kind === 'failed' && absent.outcome.code === 'upstream_not_configured')
})

test('returns the rows of a cancelled job', async () => {
  const answers: Answers = { 'core/onesearch': finds(...pages(3)), 'core/onescrape': reads() }
  const job = fakeJob({
    ...answers,
    'core/onesearch': (input) => {
      job.end('cancelled')
      return (answers['core/onesearch'] as (given: Data) => Outcome)(input)
    },
  })
  const { result, charged } = await run({}, {}, { job })
  assert.deepEqual(
    [result.row_count, result.read_count, charged, result.rows[0]?.error],
    [3, 0, cents('5'), 'cancelled'],
  )
  assert.match(result.next, /^The job ended/)
})

test('returns the rows with a note without a language model', async () => {
  const { result } = await run(
    {},
    { 'core/onesearch': finds(...pages(1)), 'core/onescrape': reads() },
  )
  assert.deepEqual([result.answer, result.citations], [null, []])
  assert.match(result.answer_note ?? '', /No language model/)
})

test('cites sources by number and removes numbers without a source', async () => {
  const prompts: string[] = []
  const complete: Complete = async ({ prompt }) => {
    prompts.push(prompt)
    return 'They do [2], even in the cold [1, 9]. Magic [7].'
  }
  const { result } = await run(
    { read_pages: 1, questions: ['how cold?'] },
    { 'core/onesearch': finds(...pages(2)), 'core/onescrape': reads() },
    { complete },
  )
  assert.equal(result.answer, 'They do [2], even in the cold [1]. Magic.')
  assert.deepEqual(
    result.citations.map(({ number, url }) => [number, url]),
    [
      [2, 'https://site-1.example/'],
      [1, 'https://site-0.example/'],
    ],
  )
  assert.match(
    prompts[0] ?? '',
    /how cold\?[^]*\[1\] About https:\/\/site-0\.example\/[^]*work below minus twenty/,
  )
})

test('omits an answer without sources, and works without one', async () => {
  for (const completion of ['Trust me.', null]) {
    const { result } = await run(
      {},
      { 'core/onesearch': finds(...pages(1)), 'core/onescrape': reads() },
      { complete: async () => completion },
    )
    assert.equal(result.answer, null)
    assert.ok(result.answer_note !== undefined)
  }
})

test('cites only existing sources for any text of a model', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.string({ maxLength: 5 }),
          fc.constantFrom('[1]', '[0]', '[2, 3]', '[99]', '[', ']'),
        ),
        { maxLength: 12 },
      ),
      fc.integer({ min: 0, max: 3 }),
      (parts, count) => {
        const { numbers } = checkCitations(parts.join(''), count)
        assert.ok(numbers.every((number) => number >= 1 && number <= count))
      },
    ),
    { numRuns: 200 },
  )
})

test('never exceeds the budget and charges only searches and pages read', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 10, max: 60 }),
      fc.integer({ min: 0, max: 20 }),
      fc.array(fc.boolean(), { minLength: 25, maxLength: 25 }),
      async (budgetCents, readPages, readable) => {
        const { job, result, charged } = await run(
          { budgetCents, read_pages: readPages, limit: 25 },
          {
            'core/onesearch': finds(...pages(25)),
            'core/onescrape': reads((url) =>
              readable[Number(/\d+/.exec(url)?.[0])] === true ? PAGE : null,
            ),
          },
        )
        assert.ok(job.peak() <= job.budget.total && result.read_count <= readPages)
        assert.equal(charged, cents('5') + BigInt(result.read_count) * cents('2'))
      },
    ),
    { numRuns: 100 },
  )
})
