import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fc } from '../../../test/harness/property.ts'
import { createCatalog } from '../../catalog/index.ts'
import type { Outcome } from '../../catalog/vocabulary/outcome.ts'
import { worstCase } from '../../catalog/prices/price.ts'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import { fakeJob, type Answers, type FakeJob, type StoredSteps } from '../testing/fake-job.ts'
import { planByEmail, planByProfile } from './enrich.ts'
import { checkOnefindDeep, onefindBudget, onefindDeep } from './onefind-deep.ts'
import type { PersonRow, RowHop } from './person-row.ts'
import { broken, contacts, finder, hits, noPerson, profile } from './testing/people.ts'
import { assertFits } from '../../catalog/testing/assert-fits.ts'

type Result = {
  query: string | null
  row_count: number
  enriched_count: number
  skipped_count: number
  stats: { emails: number; phones: number }
  rows: PersonRow[]
  calls: unknown[]
  next: string
  spent_cents: number
  budget_cents: number
}
type Input = { query?: string; rows?: string[]; budgetCents?: number }

async function run(
  input: Input,
  answers: Answers,
  job: FakeJob = fakeJob(
    answers,
    input.budgetCents === undefined ? {} : { budgetCents: input.budgetCents },
  ),
) {
  const outcome: Outcome = await onefindDeep({ limit: 15, ...input }, job)
  const answer = outcome.kind === 'failed' ? outcome.result : outcome.data
  if (answer !== undefined) assertFits('core/onefind-deep', answer)
  return {
    job,
    outcome,
    result: (outcome.kind === 'failed' ? {} : outcome.data) as Result,
    charged: outcome.kind === 'done' || outcome.kind === 'partial' ? outcome.actual : 0n,
  }
}

const namesOf = (job: FakeJob) => job.steps.map(({ name }) => name)
const hopsOf = (hops: readonly RowHop[] | undefined) =>
  (hops ?? []).map(
    ({ provider, action, charged_cents, skipped }) =>
      `${provider}/${action} ${skipped ?? `${charged_cents}¢`}`,
  )
const ana = {
  full_name: 'Ana Example',
  position: 'CTO',
  company: 'Acme',
  email: 'ana@acme.test',
  website_url: 'https://www.acme.test/',
  linkedin: 'https://linkedin.com/in/ana',
}
const fullAnswers: Answers = {
  'semantic/search': () =>
    hits(
      profile({ name: 'Ana Example' }),
      profile({ name: 'Ben Sample' }),
      profile({ name: 'Carla Mock' }),
    ),
  'contactfind/linkedin-contacts': () => contacts('ana@acme.test'),
  'contactfind/person-from-email': () => ({
    kind: 'done',
    data: {
      profile: {
        full_name: 'Ana Example',
        headline: 'CTO at Acme',
        li_vanity: 'ana',
        company: {
          name: 'Acme',
          domain: 'acme.test',
          industry: 'Robots',
          size: 51,
          headquarter: 'Lisbon',
        },
      },
    },
  }),
  'emailintel/enrich': () => finder(ana),
  'emailintel/linkedin-finder': () => finder(ana),
}

describe('rows by email address', () => {
  test('look up contactfind first, and emailintel only for missing fields', async () => {
    const full = await run({ rows: ['Ana@Acme.test'] }, fullAnswers)
    const [row] = full.result.rows
    assert.deepEqual(hopsOf(row?.hops), [
      'contactfind/person-from-email 10¢',
      'emailintel/enrich not_needed',
    ])
    assert.equal(row?.id, 'https://www.linkedin.com/in/ana')
    assert.equal(row.input, 'Ana@Acme.test')
    assert.deepEqual(
      [
        row.name,
        row.title,
        row.company,
        row.email,
        row.domain,
        row.industry,
        row.headcount,
        row.hq,
      ],
      ['Ana Example', 'CTO', 'Acme', 'ana@acme.test', 'acme.test', 'Robots', '51', 'Lisbon'],
    )
    assert.deepEqual(
      [row.sources.name, row.sources.email, row.sources.domain, row.sources.hq],
      ['contactfind', 'input', 'input', 'contactfind'],
    )
    assert.equal(row.enriched, true)
    assert.equal(full.charged, cents('10'))

    const missed = await run(
      { rows: ['ana@acme.test'] },
      { ...fullAnswers, 'contactfind/person-from-email': noPerson },
    )
    assert.deepEqual(hopsOf(missed.result.rows[0]?.hops), [
      'contactfind/person-from-email 0¢',
      'emailintel/enrich 4¢',
    ])
    assert.equal(missed.result.rows[0]?.sources.title, 'emailintel')
    assert.equal(missed.charged, cents('4'))
  })

  test('do not count the input as a found address', async () => {
    const { result } = await run(
      { rows: ['ana@acme.test', 'nobody@gmail.com', 'linkedin.com/in/ana'] },
      { ...fullAnswers, 'contactfind/person-from-email': noPerson },
    )
    assert.deepEqual(
      result.rows.map(({ email }) => email),
      ['ana@acme.test', 'nobody@gmail.com', 'ana@acme.test'],
    )
    assert.deepEqual(result.stats, { emails: 1, phones: 0 })
  })

  test('never look up private mailboxes with emailintel', async () => {
    const { job, result, outcome } = await run(
      { rows: ['ana@gmail.com', 'ben@acme.test'] },
      { ...fullAnswers, 'contactfind/person-from-email': noPerson },
    )
    assert.deepEqual(
      job.steps
        .filter(({ name }) => name === 'emailintel/enrich')
        .map(({ input }) => input['email']),
      ['ben@acme.test'],
    )
    assert.deepEqual(hopsOf(result.rows[0]?.hops), [
      'contactfind/person-from-email 0¢',
      'emailintel/enrich webmail',
    ])
    assert.equal(result.rows[0]?.error, 'not found')
    assert.equal(result.rows[0].enriched, true)
    assert.equal(outcome.kind, 'partial')
  })
})

describe('rows by LinkedIn address', () => {
  test('look up contactfind first, then emailintel', async () => {
    const { result, charged } = await run({ rows: ['linkedin.com/in/Ana?trk=x'] }, fullAnswers)
    const [row] = result.rows
    assert.deepEqual(hopsOf(row?.hops), [
      'contactfind/linkedin-contacts 10¢',
      'emailintel/linkedin-finder 5¢',
    ])
    assert.deepEqual(
      [row?.sources.linkedin, row?.sources.email, row?.sources.name],
      ['input', 'contactfind', 'emailintel'],
    )
    assert.equal(row?.linkedin, 'https://www.linkedin.com/in/ana')
    assert.equal(charged, cents('15'))
  })

  test('do not charge a miss of either supplier, even if the supplier charges it', async () => {
    const { job, result, charged } = await run(
      { rows: ['linkedin.com/in/ana', 'linkedin.com/in/ben'] },
      {
        ...fullAnswers,
        'contactfind/linkedin-contacts': ({ profile: url }) =>
          String(url).endsWith('/ben') ? contacts('ben@acme.test') : contacts(),
        'emailintel/linkedin-finder': () => finder(null),
      },
    )
    assert.deepEqual(
      result.rows.map(({ charged_cents }) => charged_cents),
      [0, 10],
    )
    assert.equal(charged, cents('10'))
    assert.equal(job.budget.spent(), cents('10'))
    assert.deepEqual(
      [result.rows[0]?.email, result.rows[0]?.enriched, result.rows[0]?.error],
      [null, true, 'not found'],
    )
  })
})

describe('rows by name and company', () => {
  test('find the profile by one search, then look it up', async () => {
    const { result, charged } = await run({ rows: ['Ana Example, Acme'] }, fullAnswers)
    assert.deepEqual(hopsOf(result.rows[0]?.hops), [
      'semantic/search 1¢',
      'contactfind/linkedin-contacts 10¢',
      'emailintel/linkedin-finder not_needed',
    ])
    assert.equal(result.rows[0]?.linkedin, 'https://www.linkedin.com/in/ana-example')
    assert.equal(charged, cents('11'))
  })

  test('look up and charge nothing if the search finds only other people', async () => {
    const { job, result, charged } = await run(
      { rows: ['Dev Missing, Acme', 'ana@acme.test'] },
      fullAnswers,
    )
    assert.deepEqual(
      [result.rows[0]?.error, result.rows[0]?.name, result.rows[0]?.charged_cents],
      ['not found', 'Dev Missing', 0],
    )
    assert.equal(namesOf(job).filter((name) => name === 'contactfind/linkedin-contacts').length, 0)
    assert.equal(charged, cents('10'))
  })

  test('do not charge unusable rows, and give the reason', async () => {
    const { job, result } = await run(
      {
        rows: ['+1 415 555 0132', 'https://www.linkedin.com/company/acme', 'Ana', 'ana@acme.test'],
      },
      fullAnswers,
    )
    assert.deepEqual(
      result.rows.map(({ error }) => error),
      ['a phone number cannot be looked up', 'no person profile', 'no person named', undefined],
    )
    assert.deepEqual(namesOf(job), ['contactfind/person-from-email'])
  })

  test('look up and charge a repeated person once', async () => {
    const { job, result, charged } = await run(
      { rows: ['ana@acme.test', 'Ana <ANA@acme.test>'] },
      fullAnswers,
    )
    assert.equal(job.steps.length, 1)
    assert.deepEqual(
      result.rows.map(({ input, name, charged_cents }) => [input, name, charged_cents]),
      [
        ['ana@acme.test', 'Ana Example', 10],
        ['Ana <ANA@acme.test>', 'Ana Example', 0],
      ],
    )
    assert.equal(charged, cents('10'))
  })
})

describe('rows that turn out to be one person', () => {
  test('pay shared lookups once, and add up to the cost of the job', async () => {
    const { job, result, charged } = await run(
      { rows: ['Ana Example, Acme', 'Ana Example at Acme Inc', 'linkedin.com/in/ana-example'] },
      { ...fullAnswers, 'emailintel/linkedin-finder': () => finder(null) },
    )
    assert.equal(namesOf(job).filter((name) => name === 'contactfind/linkedin-contacts').length, 1)
    assert.deepEqual(
      result.rows.map(({ email }) => email),
      Array.from({ length: 3 }, () => 'ana@acme.test'),
    )
    assert.equal(
      result.rows.reduce((sum, { charged_micros }) => sum + charged_micros, 0),
      Number(charged),
    )
    assert.deepEqual(
      [charged, job.budget.spent(), result.spent_cents],
      [cents('12'), cents('12'), 12],
    )
  })

  test('leave the saved budget to other rows', async () => {
    const { result } = await run(
      { rows: ['Ana Example, Acme', 'Ana Example at Acme Inc', 'ben@acme.test'], budgetCents: 22 },
      fullAnswers,
    )
    assert.deepEqual(
      result.rows.map(({ error }) => error),
      [undefined, undefined, undefined],
    )
  })
})

describe('a query', () => {
  test('searches once and looks up everyone found', async () => {
    const { job, result, charged } = await run({ query: 'CTOs in Lisbon' }, fullAnswers)
    assert.deepEqual(namesOf(job), [
      'semantic/search',
      ...Array.from({ length: 3 }, () => 'contactfind/linkedin-contacts'),
    ])
    assert.deepEqual(
      result.rows.map(({ charged_cents }) => charged_cents),
      [11, 10, 10],
    )
    assert.equal(charged, cents('31'))
    assert.equal(result.spent_cents, 31)
    assert.deepEqual(
      [result.query, result.row_count, result.enriched_count, result.skipped_count, result.stats],
      ['CTOs in Lisbon', 3, 3, 0, { emails: 3, phones: 0 }],
    )
    assert.equal(result.calls.length, 4 + 3)
    assert.ok(result.rows.every((row) => !('input' in row)))
  })

  test('looks up only the person that it names', async () => {
    const { job, result, charged } = await run({ query: 'Ben Sample at Acme' }, fullAnswers)
    assert.deepEqual(
      job.steps.slice(1).map(({ input }) => input['profile']),
      ['https://www.linkedin.com/in/ben-sample'],
    )
    assert.deepEqual(
      result.rows.map(({ name }) => name),
      ['Ben Sample'],
    )
    assert.equal(charged, cents('11'))
    assert.equal((await run({ query: 'Ben Sample Acme' }, fullAnswers)).charged, cents('11'))
  })

  test('returns people as not enriched, without an error, if no contact supplier is configured', async () => {
    const { outcome, result } = await run(
      { query: 'CTOs in Lisbon' },
      { 'semantic/search': () => hits(profile({ name: 'Ana Example' })) },
    )
    assert.equal(outcome.kind, 'done')
    assert.deepEqual(
      [result.rows[0]?.enriched, result.rows[0]?.email, result.rows[0]?.error],
      [false, null, undefined],
    )
  })
})

describe('a missing email', () => {
  const emailAfter = async (answers: Answers) => {
    const { result } = await run({ query: 'Ana Example at Acme' }, { ...fullAnswers, ...answers })
    const [row] = result.rows
    return [row?.email ?? null, row?.enriched, row?.error ?? null]
  }

  test('is enriched if all suppliers answered, and not looked up if one failed', async () => {
    const miss = {
      'contactfind/linkedin-contacts': () => contacts(),
      'emailintel/linkedin-finder': () => finder(null),
    }
    assert.deepEqual(await emailAfter(miss), [null, true, null])
    assert.deepEqual(await emailAfter({ ...miss, 'emailintel/linkedin-finder': broken }), [
      null,
      false,
      'lookup failed',
    ])
    assert.deepEqual(await emailAfter({ ...miss, 'contactfind/linkedin-contacts': broken }), [
      null,
      false,
      'lookup failed',
    ])
    assert.deepEqual(await emailAfter({ 'contactfind/linkedin-contacts': broken }), [
      'ana@acme.test',
      true,
      null,
    ])
  })
})

describe('the next field', () => {
  const nextOf = async (input: Input, answers: Answers = fullAnswers) =>
    (await run(input, answers)).result.next

  test('claims that every row was looked up only if it is true', async () => {
    assert.match(await nextOf({ rows: ['ana@acme.test'] }), /^Every row was looked up\./)
    const partly = await nextOf({
      rows: [
        'ana@acme.test',
        '+1 415 555 0132',
        'https://www.linkedin.com/company/acme',
        'Dev Missing, Acme',
      ],
    })
    assert.equal(
      partly,
      '1 row could not be found with any supplier. Check the spelling, or send another address or profile of the person. 2 rows cannot be looked up; "error" gives the reason. Rows are email addresses, LinkedIn profiles, or names with the company.',
    )
    const page = { url: 'https://acme.test/team', title: 'Ana Example - CTO - Acme' }
    assert.match(
      await nextOf(
        { query: 'CTOs in Lisbon' },
        { ...fullAnswers, 'semantic/search': () => hits(page) },
      ),
      /^1 person has no known LinkedIn profile/,
    )
    assert.match(
      await nextOf(
        { query: 'CTOs in Lisbon' },
        { 'semantic/search': () => hits(profile({ name: 'Ana Example' })) },
      ),
      /this gateway has no supplier/,
    )
    const missed = {
      ...fullAnswers,
      'contactfind/linkedin-contacts': () => contacts(),
      'emailintel/linkedin-finder': () => finder(null),
    }
    assert.match(
      await nextOf({ query: 'Ana Example at Acme' }, missed),
      /^1 person has no email address/,
    )
  })
})

describe('a job without results', () => {
  const codeOf = async (input: Input, answers: Answers) => {
    const { outcome } = await run(input, answers)
    return outcome.kind === 'failed' ? outcome.code : outcome.kind
  }

  test('fails, and distinguishes a failed supplier from an unknown person', async () => {
    const none: Answers = {
      ...fullAnswers,
      'semantic/search': () => hits(),
      'contactfind/person-from-email': noPerson,
      'emailintel/enrich': () => finder(null),
    }
    assert.equal(await codeOf({ rows: ['ana@acme.test'] }, none), 'no_people')
    assert.equal(await codeOf({ query: 'CTOs in Lisbon' }, none), 'no_people')
    assert.equal(await codeOf({ query: 'Dev Missing at Acme' }, fullAnswers), 'no_people')
    assert.equal(await codeOf({ rows: ['+1 415 555 0132'] }, fullAnswers), 'no_people')
    assert.equal(
      await codeOf({ rows: ['ana@acme.test'] }, { ...none, 'emailintel/enrich': broken }),
      'upstream_error',
    )
    assert.equal(await codeOf({ rows: ['ana@acme.test'] }, {}), 'upstream_not_configured')
    assert.equal(await codeOf({ query: 'CTOs in Lisbon' }, {}), 'upstream_not_configured')
  })
})

describe('the budget', () => {
  const twenty = Array.from({ length: 20 }, (_, place) => `person${place}@acme.test`)

  test('runs out in the order of the rows', async () => {
    const { result, charged } = await run({ rows: twenty, budgetCents: 55 }, fullAnswers)
    assert.deepEqual(
      result.rows.map(({ error }) => error ?? 'found'),
      [
        ...Array.from({ length: 5 }, () => 'found'),
        ...Array.from({ length: 15 }, () => 'over budget'),
      ],
    )
    assert.equal(charged, cents('50'))
    assert.deepEqual(
      [result.skipped_count, result.enriched_count, result.budget_cents],
      [15, 5, 55],
    )
    assert.deepEqual(result.rows[19]?.hops, [])
    assert.equal(result.rows[19].enriched, false)
  })

  test('of ten cents covers one lookup', async () => {
    const { result } = await run({ rows: ['linkedin.com/in/ana'], budgetCents: 10 }, fullAnswers)
    assert.deepEqual(hopsOf(result.rows[0]?.hops), [
      'contactfind/linkedin-contacts 10¢',
      'emailintel/linkedin-finder over_budget',
    ])
    const tooSmall = await run({ rows: ['linkedin.com/in/ana'], budgetCents: 9 }, fullAnswers)
    assert.ok(tooSmall.outcome.kind === 'failed')
    assert.match(tooSmall.outcome.message, /budget/)
  })

  test('that ends between search and lookup marks the row as not looked up', async () => {
    const { result } = await run(
      { rows: ['Ana Example, Acme', 'Ben Sample, Acme'], budgetCents: 12 },
      fullAnswers,
    )
    assert.deepEqual(
      result.rows.map(({ name, enriched, error }) => [name, enriched, error]),
      [
        ['Ana Example', true, undefined],
        ['Ben Sample', false, 'over budget'],
      ],
    )
    assert.equal(result.skipped_count, 1)
  })

  test('returns people whose lookup exceeds it', async () => {
    const { result, outcome } = await run({ query: 'CTOs in Lisbon', budgetCents: 25 }, fullAnswers)
    assert.deepEqual(
      result.rows.map(({ name, error }) => [name, error]),
      [
        ['Ana Example', undefined],
        ['Ben Sample', undefined],
        ['Carla Mock', 'over budget'],
      ],
    )
    assert.equal(outcome.kind, 'partial')
  })

  test('starts fifty rows concurrently', async () => {
    const rows = Array.from({ length: 50 }, (_, place) => `person${place}@gmail.com`)
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const job = fakeJob({
      ...fullAnswers,
      'contactfind/person-from-email': async () => (await held, noPerson()),
    })
    const ended = run({ rows }, fullAnswers, job)
    await new Promise((resume) => setImmediate(resume))
    assert.equal(job.steps.length, 50)
    release()
    assert.equal((await ended).job.reports.at(-1)?.rows_done, 50)
  })

  test('is never exceeded, equals the charges of the rows, and excludes misses', async () => {
    const row = fc.constantFrom(
      'ana@acme.test',
      'ben@acme.test',
      'c@gmail.com',
      'linkedin.com/in/ana',
      'linkedin.com/in/ben',
      'linkedin.com/in/ana-example',
      'Ana Example, Acme',
      'Ana Example at Acme Inc',
      'Ben Sample at Acme',
      'Dev Missing, Acme',
      '+14155550132',
    )
    const coin = fc.constantFrom('hit', 'miss', 'broken')
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 10, max: 200 }),
        fc.record({ c: coin, p: coin, e: coin, l: coin }),
        async (rows, budgetCents, { c, p, e, l }) => {
          const by = (kind: string, hit: () => Outcome, miss: () => Outcome) => () =>
            kind === 'hit' ? hit() : kind === 'miss' ? miss() : broken()
          const answers: Answers = {
            ...fullAnswers,
            'contactfind/linkedin-contacts': by(
              c,
              () => contacts('ana@acme.test'),
              () => contacts(),
            ),
            'contactfind/person-from-email': by(
              p,
              () => ({ kind: 'done', data: { profile: { full_name: 'Ana Example' } } }),
              noPerson,
            ),
            'emailintel/enrich': by(
              e,
              () => finder(ana),
              () => finder(null),
            ),
            'emailintel/linkedin-finder': by(
              l,
              () => finder(ana),
              () => finder(null),
            ),
          }
          const { job, outcome, result, charged } = await run({ rows, budgetCents }, answers)
          assert.ok(job.peak() <= cents(String(budgetCents)))
          if (outcome.kind === 'failed') return
          assert.equal(charged, job.budget.spent())
          assert.equal(
            charged,
            result.rows.reduce((sum, { charged_micros }) => sum + BigInt(charged_micros), 0n),
          )
          assert.equal(result.row_count, rows.length)
          for (const one of result.rows)
            assert.equal(
              one.charged_micros,
              one.hops.reduce((sum, { charged_micros }) => sum + charged_micros, 0),
            )
        },
      ),
      { numRuns: 150 },
    )
  })

  test('defaults to 16¢ a row, one row for a named person, at most $5', () => {
    assert.equal(onefindBudget({ query: 'CTOs in Lisbon', limit: 15 }), cents('240'))
    assert.equal(onefindBudget({ query: 'Ana Example at Acme', limit: 15 }), cents('16'))
    assert.equal(
      onefindBudget({ rows: ['ana@acme.test', 'ANA@acme.test', 'ben@acme.test'], limit: 15 }),
      cents('32'),
    )
    assert.equal(
      onefindBudget({
        rows: Array.from({ length: 50 }, (_, place) => `p${place}@acme.test`),
        limit: 15,
      }),
      cents('500'),
    )
    assert.equal(onefindBudget({ query: 'CTOs', limit: 25, budgetCents: 40 }), cents('40'))
  })

  test('uses the prices of the catalog', () => {
    const catalog = createCatalog()
    for (const { lookups } of [
      planByEmail('ana@acme.test'),
      planByProfile('https://www.linkedin.com/in/ana'),
    ]) {
      for (const { provider, action, input, price } of lookups)
        assert.equal(
          price,
          worstCase(catalog.findAction(provider, action).action, {
            include_phone: false,
            ...input,
          }),
        )
    }
    assert.equal(worstCase(catalog.findAction('semantic', 'search').action, {}), cents('1'))
  })
})

describe('a cancelled job', () => {
  test('returns its rows and marks those not looked up', async () => {
    const answers: Answers = {
      ...fullAnswers,
      'contactfind/linkedin-contacts': () => (job.end('cancelled'), contacts('ana@acme.test')),
    }
    const job: FakeJob = fakeJob(answers, { budgetCents: 25 })
    const { result, outcome, charged } = await run(
      { rows: ['a@acme.test', 'linkedin.com/in/ana', 'c@acme.test'] },
      answers,
      job,
    )
    assert.equal(outcome.kind, 'partial')
    assert.deepEqual(
      result.rows.map(({ name, email, error }) => [name, email, error]),
      [
        ['Ana Example', 'a@acme.test', undefined],
        [null, 'ana@acme.test', 'cancelled'],
        [null, 'c@acme.test', 'over budget'],
      ],
    )
    assert.equal(charged, cents('20'))
  })
})

describe('a job close to its deadline', () => {
  test('returns the finished rows without waiting for a hanging supplier', async () => {
    const hanging: Answers = {
      ...fullAnswers,
      'contactfind/person-from-email': ({ email }) =>
        email === 'b@acme.test'
          ? new Promise(() => {})
          : { kind: 'done', data: { profile: { full_name: 'Ana Example' } } },
      'emailintel/enrich': () => finder(null),
    }
    const { result, charged } = await run(
      { rows: ['a@acme.test', 'b@acme.test'] },
      hanging,
      fakeJob(hanging, { timeoutMs: 5_001 }),
    )
    assert.deepEqual(
      result.rows.map(({ name, error, charged_cents }) => [name, error, charged_cents]),
      [
        ['Ana Example', undefined, 10],
        [null, 'deadline', 0],
      ],
    )
    assert.deepEqual(
      result.rows[1]?.hops.map(({ provider, ok, charged_cents, skipped }) => [
        provider,
        ok,
        charged_cents,
        skipped,
      ]),
      [['contactfind', false, 0, undefined]],
      'the abandoned call is listed',
    )
    assert.equal(charged, cents('10'))
  })
})

describe('a job that another worker resumes', () => {
  test('repeats no step and returns the same result wherever the first worker stopped', async () => {
    const answers: Answers = {
      ...fullAnswers,
      'contactfind/linkedin-contacts': ({ profile: url }) =>
        String(url).endsWith('ben-sample') ? contacts() : contacts('ana@acme.test'),
      'emailintel/enrich': () => finder(null),
    }
    for (const input of [
      { query: 'CTOs in Lisbon' },
      {
        rows: [
          'ana@acme.test',
          'ben@gmail.com',
          'linkedin.com/in/ben-sample',
          'Carla Mock, Acme',
          'Dev Missing, Acme',
        ],
        budgetCents: 45,
      },
    ]) {
      const whole = await run(input, answers)
      for (let diesAt = 0; diesAt < whole.job.steps.length; diesAt += 1) {
        const stored: StoredSteps = new Map()
        const budgetCents = input.budgetCents ?? 500
        const first = fakeJob(answers, { stored, diesAt, budgetCents })
        void onefindDeep({ limit: 15, ...input }, first)
        for (let round = 0; round < 20; round += 1)
          await new Promise((resume) => setImmediate(resume))
        const second = await run(input, answers, fakeJob(answers, { stored, budgetCents }))
        assert.deepEqual(second.result, whole.result)
        assert.equal(first.steps.length + second.job.steps.length, whole.job.steps.length)
        assert.equal(second.job.budget.spent(), whole.job.budget.spent())
      }
    }
  })
})

describe('the input', () => {
  test('has exactly one of query and rows, and no identifier as the query', () => {
    const codeOf = (input: Input) => {
      try {
        checkOnefindDeep({ limit: 15, ...input })
        return null
      } catch (error) {
        return error instanceof AppError ? error.code : 'other'
      }
    }
    assert.equal(codeOf({}), 'bad_request')
    assert.equal(codeOf({ query: 'CTOs', rows: ['ana@acme.test'] }), 'bad_request')
    assert.equal(codeOf({ query: 'ana@acme.test' }), 'onefind_identifier')
    assert.equal(codeOf({ query: 'CTOs in Lisbon' }), null)
    assert.equal(codeOf({ rows: ['ana@acme.test'] }), null)
  })
})
