import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fc } from '../../../test/harness/property.ts'
import { createCatalog } from '../../catalog/index.ts'
import { done, failed, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { worstCase } from '../../catalog/prices/price.ts'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import { judgePage } from '../../reader/judge/judge.ts'
import { fakeJob, type Answers, type FakeJob, type StoredSteps } from '../testing/fake-job.ts'
import { CHEAPEST_TIER, MOST_EXPENSIVE_TIER } from './deep-chain.ts'
import { createDomainMemory } from './domain-memory.ts'
import {
  checkOnescrapeDeep,
  createOnescrapeDeep,
  onescrapeBudget,
  type OnescrapeDeepInput,
} from './onescrape-deep.ts'
import type { PageHop, PageRow } from './page-row.ts'
import { assertFits } from '../../catalog/testing/assert-fits.ts'

type Result = {
  site?: { url: string; mapped_pages: number }
  url_count: number
  row_count: number
  read_count: number
  blocked_count: number
  skipped_count: number
  hard: boolean
  rows: PageRow[]
  calls: { service: string; action: string; ok: boolean; stealth?: true }[]
  next: string
  spent_cents: number
  budget_cents: number
}

const PAGE = `# Ledgers\n\n${'A ledger tells what was paid, by whom and for what, and it balances to the last cent. '.repeat(30)}`
const WALL =
  '# Just a moment...\n\nChecking your browser. Please enable JavaScript and cookies to continue.'

const UNPARSABLE = `<p>${'words '.repeat(400)}`

const TIERS = [
  'semantic',
  'render2',
  'render',
  'cheapunblock',
  'unblock',
  'proxy',
  'render2-stealth',
] as const
type Tier = (typeof TIERS)[number]
type Behaviour = 'page' | 'wall' | 'miss' | 'broken'

function answer(behaviour: Behaviour, body: (content: string) => Data): Outcome {
  if (behaviour === 'miss')
    return failed('no_results', 'The page answered with status 403.', { page_status: 403 })
  if (behaviour === 'broken') return failed('upstream_error', 'The vendor failed.')
  return done(body(behaviour === 'page' ? PAGE : WALL))
}

/** A web in which `behaviourOf` decides the result of each tier for each page. */
function web(behaviourOf: (url: string, tier: Tier) => Behaviour): Answers {
  const document = (url: unknown, tier: Tier) =>
    answer(behaviourOf(String(url), tier), (content) => ({
      success: true,
      data: { markdown: content, metadata: { statusCode: 200, title: content.slice(2, 18) } },
    }))
  return {
    'semantic/contents': ({ urls }) => {
      const pages = (urls as string[])
        .map((url) => ({ url, behaviour: behaviourOf(url, 'semantic') }))
        .filter(({ behaviour }) => behaviour === 'page' || behaviour === 'wall')
      const results = pages.map(({ url, behaviour }) => ({
        id: url,
        url,
        text: behaviour === 'page' ? PAGE : WALL,
      }))
      return results.length === 0
        ? failed('no_results', 'Nothing was read.')
        : { kind: 'partial', data: { results }, units: results.length }
    },
    'render2/scrape': ({ url, stealth }) =>
      document(url, stealth === true ? 'render2-stealth' : 'render2'),
    'render/scrape': ({ url }) => document(url, 'render'),
    'cheapunblock/scrape': ({ url }) =>
      answer(behaviourOf(String(url), 'cheapunblock'), (content) => ({
        html: content,
        final_url: null,
        status_code: 200,
      })),
    'unblock/unblock': ({ url }) =>
      answer(behaviourOf(String(url), 'unblock'), (content) => ({
        html: content,
        final_url: null,
        status_code: 200,
      })),
    'proxy/scrape_residential': ({ url }) =>
      answer(behaviourOf(String(url), 'proxy'), (content) => ({ raw: content })),
  }
}

const only = (...readers: Tier[]) => web((_url, tier) => (readers.includes(tier) ? 'page' : 'wall'))

async function read(
  input: Partial<OnescrapeDeepInput>,
  answers: Answers,
  job: FakeJob = fakeJob(
    answers,
    input.budgetCents === undefined ? {} : { budgetCents: input.budgetCents },
  ),
  memory = createDomainMemory(),
) {
  const judge = (
    page: { content: string; title: string | null; status: number; finalUrl: string | null },
    url: string,
  ) => judgePage({ ...page, finalUrl: page.finalUrl ?? url })
  const extract = async (raw: { html: string; url: string; status: number }) =>
    raw.html === UNPARSABLE
      ? Promise.reject(new AppError('upstream_error', 'The page took too long to parse.'))
      : {
          title: null,
          content: raw.html,
          verdict: judge(
            { content: raw.html, title: null, status: raw.status, finalUrl: null },
            raw.url,
          ),
        }
  const outcome = await createOnescrapeDeep({ judge, extract, memory })(
    { format: 'markdown', main_content: true, ...input },
    job,
  )
  const answer = outcome.kind === 'failed' ? outcome.result : outcome.data
  if (answer !== undefined) assertFits('core/onescrape-deep', answer)
  return {
    job,
    outcome,
    result: (outcome.kind === 'failed' ? {} : outcome.data) as Result,
    charged: outcome.kind === 'done' || outcome.kind === 'partial' ? outcome.actual : 0n,
  }
}

const hopsOf = (hops: readonly PageHop[] | undefined) =>
  (hops ?? []).map(
    ({ provider, stealth, ok, charged_cents, skipped }) =>
      `${provider}${stealth === true ? '-stealth' : ''}${ok ? ` ${charged_cents}¢` : (skipped ?? '') && ` ${skipped}`}`,
  )
const urlsOf = (count: number) =>
  Array.from({ length: count }, (_, place) => `https://host-${place}.example/`)

describe('the six tiers', () => {
  test('run in order until one reads the page, and only that tier is charged', async () => {
    const prices: Record<Tier, number> = {
      semantic: 1,
      render2: 1,
      render: 1,
      cheapunblock: 1,
      unblock: 2,
      proxy: 4,
      'render2-stealth': 1,
    }
    for (const [place, tier] of TIERS.entries()) {
      const { job, result, charged } = await read({ urls: ['a.example'] }, only(tier))
      const [row] = result.rows
      assert.equal(row?.provider, tier)
      assert.deepEqual(hopsOf(row.hops), [...TIERS.slice(0, place), `${tier} ${prices[tier]}¢`])
      assert.equal(row.charged_cents, prices[tier])
      assert.equal(charged, cents(String(prices[tier])))
      assert.equal(job.budget.spent(), charged)
      assert.equal(row.hard, place >= 4)
      assert.equal(result.hard, place >= 4)
      assert.equal(row.content, PAGE)
      assert.equal(row.error, undefined)
      assert.deepEqual(row.quality_flags, [])
      assert.ok(row.yield > 0.5)
    }
  })

  test('appear in hops and calls under the action they call; render2/scrape marks stealth', async () => {
    const catalog = createCatalog()
    const { result, job } = await read({ urls: ['a.example'] }, only('render2-stealth'))
    const hops = result.rows[0]?.hops ?? []
    assert.deepEqual(
      hops.map(({ provider, action }) => `${provider}/${action}`),
      job.steps.map(({ name }) => name),
    )
    assert.deepEqual(
      result.calls.map(({ service, action }) => `${service}/${action}`),
      job.steps.map(({ name }) => name),
    )
    for (const { service, action } of result.calls)
      assert.equal(catalog.findAction(service, action).name, action)
    assert.deepEqual(
      [
        hops.map(({ stealth }) => stealth === true),
        result.calls.map(({ stealth }) => stealth === true),
      ],
      Array.from({ length: 2 }, () => TIERS.map((tier) => tier === 'render2-stealth')),
    )
    assert.equal(result.rows[0]?.provider, 'render2-stealth')
  })

  test('match the record and docs/composites.md, and stay within the reserved prices', async () => {
    const { action } = createCatalog().findAction('core', 'onescrape-deep')
    const { job } = await read({ urls: ['a.example'] }, only())
    const uses = action.kind === 'local' ? action.uses : []
    const documented = readFileSync(
      join(import.meta.dirname, '../../../docs/composites.md'),
      'utf8',
    )
    for (const { name } of job.steps)
      assert.ok(uses.includes(name) && documented.includes(`\`${name}\``), name)
    const [, ...prices] = job.steps.map(({ name, input }) =>
      worstCase(createCatalog().findAction(...(name.split('/') as [string, string])).action, input),
    )
    const sorted = prices.toSorted((one, other) => Number(one - other))
    assert.deepEqual([sorted[0], sorted.at(-1)], [CHEAPEST_TIER, MOST_EXPENSIVE_TIER])
  })

  test('return markdown, and mark pages of raw readers as text', async () => {
    const formatBy = async (tier: Tier) =>
      (await read({ urls: ['a.example'] }, only(tier))).result.rows[0]?.format
    assert.deepEqual(
      [
        await formatBy('render2'),
        await formatBy('unblock'),
        await formatBy('proxy'),
        await formatBy('render2-stealth'),
      ],
      ['markdown', 'text', 'text', 'markdown'],
    )
  })

  test('report a page walled in every tier as blocked and hard; without any page the job is free', async () => {
    const { outcome, job } = await read({ urls: ['a.example'] }, only())
    assert.ok(outcome.kind === 'failed')
    assert.equal(outcome.code, 'all_blocked')
    assert.equal(job.budget.spent(), 0n)
    const mixed = await read(
      { urls: ['a.example', 'b.example'] },
      web((url, tier) => (url.includes('b.') && tier === 'proxy' ? 'page' : 'wall')),
    )
    assert.deepEqual(
      mixed.result.rows.map(({ error, hard, content }) => [error, hard, content === null]),
      [
        ['blocked', true, true],
        [undefined, true, false],
      ],
    )
    assert.deepEqual(
      [mixed.result.read_count, mixed.result.blocked_count, mixed.result.skipped_count],
      [1, 1, 0],
    )
    assert.equal(mixed.outcome.kind, 'partial')
    assert.deepEqual(mixed.result.rows[0]?.quality_flags, ['blocked'])
  })

  test('stop at a document or file, detected by type or first bytes, without a charge', async () => {
    const typeStatus = {
      id: 'https://a.example/',
      status: 'error',
      error: { tag: 'UNSUPPORTED_URL', httpStatusCode: 415, contentType: 'application/pdf' },
    }
    const atFirst = await read(
      { urls: ['a.example', 'b.example'] },
      {
        ...only('proxy'),
        'semantic/contents': () =>
          done({
            results: [{ id: 'https://b.example/', url: 'https://b.example/', text: PAGE }],
            statuses: [typeStatus],
          }),
      },
    )
    const inBrowser = await read(
      { urls: ['a.example', 'b.example'] },
      {
        ...web((url) => (url.includes('b.') ? 'page' : 'wall')),
        'render2/scrape': () =>
          done({
            success: true,
            data: { markdown: PAGE, metadata: { contentType: 'application/pdf' } },
          }),
      },
    )
    const fromUnblocker = await read(
      { urls: ['a.example', 'b.example'] },
      {
        ...web((url) => (url.includes('b.') ? 'page' : 'wall')),
        'cheapunblock/scrape': () =>
          done({ html: '%PDF-1.7 words of a stream', final_url: null, status_code: 200 }),
      },
    )
    const image = await read(
      { urls: ['a.example', 'b.example'] },
      {
        ...only('proxy'),
        'semantic/contents': () =>
          done({
            results: [{ id: 'https://b.example/', url: 'https://b.example/', text: PAGE }],
            statuses: [{ ...typeStatus, error: { ...typeStatus.error, contentType: 'image/png' } }],
          }),
      },
    )
    assert.deepEqual(
      [image.result.rows[0]?.error, image.result.rows[0]?.reason],
      ['document', 'The address leads to a file (image/png), not to a page.'],
    )
    for (const [{ result, charged }, hops] of [
      [atFirst, ['semantic']],
      [inBrowser, ['semantic', 'render2']],
      [fromUnblocker, ['semantic', 'render2', 'render', 'cheapunblock']],
    ] as const) {
      const [row] = result.rows
      assert.deepEqual(
        [row?.error, row?.content, hopsOf(row?.hops), charged],
        ['document', null, hops, cents('1')],
      )
      assert.match(result.next, /leads to a file \(application\/pdf\)/)
      assert.doesNotMatch(result.next, /try again/)
    }
  })

  test('fail with the URL error instead of all_blocked if no URL leads to a page', async () => {
    const statuses = [
      { id: 'https://a.example/', status: 'error', error: { contentType: 'application/pdf' } },
      { id: 'https://b.example/', status: 'error', error: { reason: 'blocked_address' } },
    ]
    const failureOf = async (input: Partial<OnescrapeDeepInput>) => {
      const { outcome } = await read(input, {
        ...only(),
        'semantic/contents': () => done({ results: [], statuses }),
      })
      return outcome.kind === 'failed' ? [outcome.code, outcome.param] : []
    }
    assert.deepEqual(await failureOf({ urls: ['a.example', 'b.example'] }), [
      'onescrape_document',
      'urls[0]',
    ])
    assert.deepEqual(await failureOf({ urls: ['b.example'] }), ['bad_url', 'urls[0]'])
    assert.deepEqual(await failureOf({ site: { url: 'b.example', max_pages: 3 } }), [
      'bad_url',
      'site.url',
    ])
    assert.deepEqual((await failureOf({ urls: ['a.example', 'c.example'] }))[0], 'all_blocked')
  })

  test('stop at a private address; all of them try a page that redirects to one', async () => {
    const refusedStatus = (more: Data) => ({
      id: 'https://a.example/',
      status: 'error',
      error: { tag: 'UNSUPPORTED_URL', httpStatusCode: 400, reason: 'blocked_address', ...more },
    })
    const withRefusal = (more: Data): Answers => ({
      ...web((url) => (url.includes('b.') ? 'page' : 'wall')),
      'semantic/contents': () =>
        done({
          results: [{ id: 'https://b.example/', url: 'https://b.example/', text: PAGE }],
          statuses: [refusedStatus(more)],
        }),
    })
    const itself = await read({ urls: ['a.example', 'b.example'] }, withRefusal({}))
    assert.deepEqual(
      [itself.result.rows[0]?.error, hopsOf(itself.result.rows[0]?.hops), itself.charged],
      ['bad_url', ['semantic'], cents('1')],
    )
    const redirecting = await read(
      { urls: ['a.example', 'b.example'] },
      withRefusal({ finalUrl: 'http://10.0.0.1/' }),
    )
    assert.deepEqual(
      [redirecting.result.rows[0]?.error, hopsOf(redirecting.result.rows[0]?.hops)],
      ['blocked', [...TIERS]],
    )
    const inBrowser = await read(
      { urls: ['a.example', 'b.example'] },
      {
        ...web((url) => (url.includes('b.') ? 'page' : 'wall')),
        'render2/scrape': ({ url }) =>
          String(url).includes('b.')
            ? done({ success: true, data: { markdown: PAGE } })
            : failed('bad_url', 'Not on the public internet.'),
      },
    )
    assert.deepEqual(
      [inBrowser.result.rows[0]?.error, hopsOf(inBrowser.result.rows[0]?.hops)],
      ['bad_url', ['semantic', 'render2']],
    )
  })

  test('read a bare host over http if https is unreachable, in this and all further tiers', async () => {
    const unreachable = (id: string, reason = 'refused') => ({
      id,
      status: 'error',
      error: { tag: 'CRAWL_UNKNOWN_ERROR', httpStatusCode: 500, reason },
    })
    const plain = (answers: Answers, reason?: string): Answers => ({
      ...answers,
      'semantic/contents': (input) => {
        const urls = input['urls'] as string[]
        const statuses = urls
          .filter((url) => url.startsWith('https:'))
          .map((url) => unreachable(url, reason))
        const rest = urls.filter((url) => url.startsWith('http:'))
        const outcome = answers['semantic/contents']?.({ ...input, urls: rest })
        return rest.length > 0 && outcome !== undefined ? outcome : done({ results: [], statuses })
      },
    })
    const first = await read({ urls: ['a.example/x'] }, plain(only('semantic')))
    const [row] = first.result.rows
    assert.deepEqual(
      [row?.url, row?.final_url, hopsOf(row?.hops), row?.charged_cents, first.charged],
      ['https://a.example/x', 'http://a.example/x', ['semantic', 'semantic 1¢'], 1, cents('1')],
    )
    assert.deepEqual(
      first.result.calls.map(({ service, ok }) => [service, ok]),
      [
        ['semantic', false],
        ['semantic', true],
      ],
    )
    const later = await read({ urls: ['a.example/x'] }, plain(only('proxy'), 'tls'))
    assert.deepEqual(
      [
        ...new Set(
          later.job.steps.slice(1).map(({ input }) => String(input['url'] ?? input['urls'])),
        ),
      ],
      ['http://a.example/x'],
    )
    assert.deepEqual(hopsOf(later.result.rows[0]?.hops), [
      'semantic',
      'semantic',
      'render2',
      'render',
      'cheapunblock',
      'unblock',
      'proxy 4¢',
    ])
    for (const urls of [
      ['https://a.example/x'],
      ['a.example/x', 'https://a.example/x'],
      ['a.example:443/x'],
    ]) {
      const explicit = await read({ urls }, plain(only('proxy')))
      assert.deepEqual(
        [...new Set(explicit.job.steps.map(({ input }) => String(input['url'] ?? input['urls'])))],
        ['https://a.example/x'],
        urls.join(' '),
      )
    }
    const answered = await read({ urls: ['a.example/x'] }, plain(only('proxy'), 'http_status'))
    assert.ok(
      answered.job.steps.every(({ input }) =>
        String(input['url'] ?? input['urls']).startsWith('https:'),
      ),
      'a host that answered is not read over http',
    )
  })

  test('omit charges from the reason of a row, because the job may still charge', async () => {
    const failing = () =>
      failed('upstream_error', 'The service behind "cheapunblock" failed. Nothing was charged.')
    const { result, charged } = await read(
      { urls: ['a.example', 'b.example'] },
      {
        ...web((url, tier) =>
          url.includes('b.') ? 'page' : tier === 'semantic' ? 'miss' : 'broken',
        ),
        'cheapunblock/scrape': failing,
        'unblock/unblock': failing,
        'proxy/scrape_residential': failing,
        'render2/scrape': failing,
      },
    )
    assert.equal(charged, cents('1'))
    assert.equal(result.rows[0]?.reason, 'The service behind "cheapunblock" failed.')
    assert.doesNotMatch(result.next, /charged/)
  })

  test('prefer a reason about the page over later failures of readers', async () => {
    const failing = () =>
      failed('no_results', 'The service behind "cheapunblock" could not get the page.', {
        upstream: { service: 'cheapunblock', status: 404, code: null, message: null },
      })
    const missing = () =>
      failed('no_results', 'The page itself answered with status 404.', { page_status: 404 })
    const reasonAfter = async (answers: Answers) =>
      (
        await read(
          { urls: ['a.example', 'b.example'] },
          {
            ...web((url) => (url.includes('b.') ? 'page' : 'miss')),
            'render2/scrape': failing,
            'render/scrape': failing,
            'cheapunblock/scrape': failing,
            'unblock/unblock': failing,
            'proxy/scrape_residential': failing,
            ...answers,
          },
        )
      ).result.rows[0]?.reason
    assert.equal(
      await reasonAfter({ 'render/scrape': missing }),
      'The page itself answered with status 404.',
    )
    assert.equal(
      await reasonAfter({ 'unblock/unblock': missing }),
      'The page itself answered with status 404.',
    )
    assert.match((await reasonAfter({})) ?? '', /could not get/)
  })

  test('match pages of the batch by URL with or without final slash, then by position', async () => {
    const success = (id: string) => ({ id, status: 'success' })
    const under = (url: string, text: string) => ({ id: url, url, text })
    const [a, b, c] = ['one', 'two', 'three'].map((word) => PAGE.replaceAll('ledger', word)) as [
      string,
      string,
      string,
    ]
    const results = [
      under('https://canonical.example/', a),
      under('https://b.example/page', b),
      under('https://c.example/x', c),
    ]
    const statuses = [
      success('https://a.example/'),
      success('https://b.example/page'),
      { id: 'https://d.example/', status: 'error', error: { tag: 'CRAWL_TIMEOUT' } },
      success('https://c.example/x'),
    ]
    const { result } = await read(
      { urls: ['a.example', 'b.example/page/', 'c.example/x', 'd.example'] },
      {
        ...only('proxy'),
        'semantic/contents': () => ({ kind: 'partial', data: { results, statuses }, units: 3 }),
      },
    )
    assert.deepEqual(
      result.rows.map(({ provider, content }) => [provider, content]),
      [
        ['semantic', a],
        ['semantic', b],
        ['semantic', c],
        ['proxy', PAGE],
      ],
    )
    assert.equal(result.rows[0]?.final_url, 'https://canonical.example/')
    const otherwise = await read(
      { urls: ['a.example', 'b.example/page'] },
      {
        ...only('proxy'),
        'semantic/contents': () =>
          done({ results: [results[1], results[0]], statuses: statuses.slice(0, 2) }),
      },
    )
    assert.deepEqual(
      otherwise.result.rows.map(({ content }) => content),
      [a, b],
      'a page is matched by its URL in any order',
    )
  })

  test('report a file returned by a raw reader as a document, not charged', async () => {
    const { result, charged, job } = await read(
      { urls: ['a.example', 'b.example'] },
      {
        ...web((url) => (url.includes('b.') ? 'page' : 'miss')),
        'proxy/scrape_residential': () =>
          done({ raw: `\ufffdPNG\r\n\u001a\n\u0000\u0000 ${'words '.repeat(400)}` }),
      },
    )
    assert.deepEqual(
      [
        result.rows[0]?.error,
        result.rows[0]?.content,
        result.rows[0]?.charged_cents,
        charged,
        job.budget.spent(),
      ],
      ['document', null, 0, cents('1'), cents('1')],
    )
  })

  test('do not charge a page that cannot be parsed, and read the others', async () => {
    const { result, charged } = await read(
      { urls: ['a.example', 'b.example'] },
      {
        ...web((url) => (url.includes('b.') ? 'page' : 'miss')),
        'proxy/scrape_residential': () => done({ raw: UNPARSABLE }),
      },
    )
    assert.deepEqual(
      result.rows.map(({ content, charged_cents }) => [content === null, charged_cents]),
      [
        [true, 0],
        [false, 1],
      ],
    )
    assert.deepEqual(
      [result.rows[0]?.hops.find(({ provider }) => provider === 'proxy')?.ok, charged],
      [false, cents('1')],
    )
  })

  test('accept a short page whose reader judged it by its source', async () => {
    const short = (more: Data): Answers => ({
      ...only(),
      'semantic/contents': () =>
        done({
          results: [
            {
              id: 'https://a.example/',
              url: 'https://a.example/',
              text: 'All systems go',
              ...more,
            },
          ],
        }),
    })
    const {
      result: {
        rows: [row],
      },
    } = await read({ urls: ['a.example'] }, short({ yield: 0.51 }))
    assert.deepEqual(
      [row?.content, row?.provider, row?.yield, row?.quality_flags],
      ['All systems go', 'semantic', 0.51, []],
    )
    assert.equal((await read({ urls: ['a.example'] }, short({}))).outcome.kind, 'failed')
  })

  test('are listed as skipped if not configured, and the row is not hard', async () => {
    const { 'semantic/contents': contents, 'render/scrape': render } = only('render')
    const { result } = await read({ urls: ['a.example'] }, {
      'semantic/contents': contents,
      'render/scrape': render,
    } as Answers)
    assert.deepEqual(hopsOf(result.rows[0]?.hops), [
      'semantic',
      'render2 not_configured',
      'render 1¢',
    ])
    const none = await read(
      { urls: ['a.example', 'b.example'] },
      {
        ...only('render'),
        'render/scrape': ({ url }) =>
          String(url).includes('b.')
            ? done({ success: true, data: { markdown: PAGE, metadata: {} } })
            : failed('no_results', 'Blocked.', { blocked: true }),
      },
    )
    assert.equal(none.result.rows[0]?.error, 'blocked')
    const { result: half } = await read(
      { urls: ['a.example', 'b.example'] },
      {
        'render/scrape': ({ url }) =>
          String(url).includes('b.')
            ? done({ success: true, data: { markdown: PAGE, metadata: {} } })
            : failed('no_results', 'Blocked.', { blocked: true }),
      },
    )
    assert.match(half.next, /no reader for walls/)
  })

  test('start with the browser that did better on the host', async () => {
    const memory = createDomainMemory()
    const answers = only('render')
    await read({ urls: ['https://a.example/1'] }, answers, fakeJob(answers), memory)
    const { result } = await read(
      { urls: ['https://a.example/2'] },
      answers,
      fakeJob(answers),
      memory,
    )
    assert.deepEqual(hopsOf(result.rows[0]?.hops), ['semantic', 'render 1¢'])
  })

  test('do not count a failed or overloaded browser as bad for the host', async () => {
    const firstBrowser = async (earlier: readonly Answers[]) => {
      const memory = createDomainMemory()
      for (const answers of earlier)
        await read({ urls: ['https://a.example/1'] }, answers, fakeJob(answers), memory)
      const both = only('render2', 'render')
      return hopsOf(
        (await read({ urls: ['https://a.example/2'] }, both, fakeJob(both), memory)).result.rows[0]
          ?.hops,
      )[1]
    }
    const outage = web((_url, tier) =>
      tier === 'render2' ? 'broken' : tier === 'render' ? 'page' : 'wall',
    )
    assert.equal(await firstBrowser([only('render2'), outage]), 'render2 1¢')
    const overloaded: Answers = {
      ...outage,
      'render2/scrape': () => failed('rate_limited', 'Too many waiting calls of this account.'),
    }
    assert.equal(await firstBrowser([only('render2'), overloaded]), 'render2 1¢')
    assert.equal(await firstBrowser([only('render2'), only('render')]), 'render 1¢')
  })
})

describe('a page that the batch reads with a low yield', () => {
  /** The batch reads each page with this yield; the browsers read it as `browser` does. */
  const doubtful = (pageYield: number, browser: 'better' | 'worse' | 'wall'): Answers => {
    const document = () =>
      browser === 'wall'
        ? answer('wall', (content) => ({ data: { markdown: content, metadata: {} } }))
        : done({
            success: true,
            data: {
              markdown: PAGE,
              metadata: { yield: browser === 'better' ? 0.8 : 0.1, qualityFlags: [] },
            },
          })
    return {
      ...only(),
      'semantic/contents': ({ urls }) =>
        done({
          results: (urls as string[]).map((url) => ({
            id: url,
            url,
            text: 'Short lead.',
            yield: pageYield,
          })),
        }),
      'render2/scrape': document,
      'render/scrape': document,
    }
  }

  test('is read by a browser too, and only the better reading is charged', async () => {
    const better = await read({ urls: ['a.example'] }, doubtful(0.2, 'better'))
    assert.deepEqual(
      [better.result.rows[0]?.content, better.result.rows[0]?.yield, better.charged],
      [PAGE, 0.8, cents('1')],
    )
    assert.deepEqual(hopsOf(better.result.rows[0]?.hops), ['semantic 0¢', 'render2 1¢'])
    const worse = await read({ urls: ['a.example'] }, doubtful(0.2, 'worse'))
    assert.deepEqual(
      [worse.result.rows[0]?.content, worse.result.rows[0]?.yield, worse.charged],
      ['Short lead.', 0.2, cents('1')],
    )
    assert.deepEqual(hopsOf(worse.result.rows[0]?.hops), ['semantic 1¢', 'render2 0¢'])
  })

  test('keeps the first reading if no browser reads it, without readers for walls', async () => {
    const { result, charged, job } = await read({ urls: ['a.example'] }, doubtful(0.2, 'wall'))
    const [row] = result.rows
    assert.deepEqual(
      [row?.content, row?.provider, row?.quality_flags, row?.hard, charged],
      ['Short lead.', 'semantic', [], false, cents('1')],
    )
    assert.deepEqual(hopsOf(row?.hops), ['semantic 1¢', 'render2', 'render'])
    assert.equal(job.budget.spent(), charged)
  })

  test('is not read again if the yield is not low', async () => {
    const { result } = await read({ urls: ['a.example'] }, doubtful(0.5, 'better'))
    assert.deepEqual(hopsOf(result.rows[0]?.hops), ['semantic 1¢'])
  })

  test('costs at most the budget, and rows add up to the charge', async () => {
    for (const browser of ['better', 'worse', 'wall'] as const)
      for (const budgetCents of [10, 12, 40]) {
        const { result, charged, job } = await read(
          { urls: urlsOf(15), budgetCents },
          doubtful(0.2, browser),
        )
        assert.equal(result.read_count, 15)
        assert.equal(
          result.rows.reduce((sum, { charged_micros }) => sum + charged_micros, 0),
          Number(charged),
        )
        assert.equal(job.budget.spent(), charged)
        assert.ok((charged ?? 0n) <= cents(String(budgetCents)))
      }
  })
})

describe('many pages', () => {
  test('share one batch call; the rows it read add up to its price with the minimum', async () => {
    const spentOn = async (count: number) => {
      const { result, charged } = await read({ urls: urlsOf(count) }, only('semantic'))
      assert.equal(result.calls.length, 1)
      assert.equal(result.calls[0]?.ok, true)
      assert.equal(
        result.rows.reduce((sum, { charged_micros }) => sum + charged_micros, 0),
        Number(charged),
      )
      return charged
    }
    assert.deepEqual(
      [await spentOn(1), await spentOn(3), await spentOn(10), await spentOn(11), await spentOn(50)],
      [cents('1'), cents('1'), cents('1'), cents('2'), cents('5')],
    )
  })

  test('take only the price of the pages that the batch read from the budget', async () => {
    const answers = web((url, tier) =>
      tier === 'semantic'
        ? /-[01]\.example/.test(url)
          ? 'page'
          : 'wall'
        : tier === 'render2'
          ? 'page'
          : 'wall',
    )
    const { job, result, charged } = await read({ urls: urlsOf(30), budgetCents: 29 }, answers)
    assert.deepEqual(
      [result.read_count, result.skipped_count, charged, job.budget.spent()],
      [30, 0, cents('29'), cents('29')],
    )
  })

  test('are read concurrently', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const answers = only('render2')
    const job = fakeJob({
      ...answers,
      'render2/scrape': async (input) => (
        await held,
        answers['render2/scrape']?.(input) ?? failed('internal', '')
      ),
    })
    const ended = read({ urls: urlsOf(50) }, answers, job)
    while (job.steps.length < 51) await new Promise((resume) => setImmediate(resume))
    release()
    assert.equal((await ended).result.read_count, 50)
    assert.deepEqual(job.reports.at(-1), { rows_done: 50, rows_total: 50 })
  })

  test('are read and charged once if sent twice', async () => {
    const { result } = await read(
      { urls: ['a.example', 'https://A.example/#top'] },
      only('render2'),
    )
    assert.deepEqual([result.url_count, result.row_count], [2, 1])
  })
})

describe('the budget', () => {
  test('runs out in the order of the rows, which report it', async () => {
    const { result, charged, job } = await read({ urls: urlsOf(6), budgetCents: 10 }, only('proxy'))
    assert.deepEqual(
      result.rows.map(({ error, provider }) => error ?? provider),
      ['proxy', 'proxy', 'over budget', 'over budget', 'over budget', 'over budget'],
    )
    assert.equal(charged, cents('8'))
    assert.deepEqual(hopsOf(result.rows[2]?.hops), [
      'semantic',
      'render2',
      'render',
      'cheapunblock',
      'unblock',
      'proxy over_budget',
      'render2-stealth',
    ])
    assert.ok(job.peak() <= cents('10'))
    const twelve = await read({ urls: urlsOf(12), budgetCents: 10 }, only('unblock'))
    assert.deepEqual(
      twelve.result.rows.map(({ error }) => error ?? 'read'),
      [
        ...Array.from({ length: 5 }, () => 'read'),
        ...Array.from({ length: 7 }, () => 'over budget'),
      ],
    )
    assert.deepEqual(
      [twelve.result.skipped_count, twelve.result.spent_cents, twelve.result.budget_cents],
      [7, 10, 10],
    )
    assert.deepEqual(hopsOf(twelve.result.rows[11]?.hops), ['semantic'])
  })

  test('is never exceeded; reading tiers are charged and blocked ones waived', async () => {
    const behaviour = fc.constantFrom<Behaviour>('page', 'wall', 'wall', 'miss', 'broken')
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(behaviour, { minLength: 7, maxLength: 7 }), {
          minLength: 1,
          maxLength: 12,
        }),
        fc.integer({ min: 10, max: 60 }),
        async (pages, budgetCents) => {
          const answers = web(
            (url, tier) => pages[Number(/\d+/.exec(url)?.[0])]?.[TIERS.indexOf(tier)] ?? 'wall',
          )
          const {
            job,
            outcome,
            result,
            charged = 0n,
          } = await read({ urls: urlsOf(pages.length), budgetCents }, answers)
          assert.ok(job.peak() <= cents(String(budgetCents)))
          if (outcome.kind === 'failed') return
          assert.equal(
            BigInt(result.rows.reduce((sum, { charged_micros }) => sum + charged_micros, 0)),
            charged,
          )
          assert.equal(job.budget.spent(), charged)
          for (const row of result.rows) {
            assert.equal(row.content === null, row.charged_micros === 0)
            assert.equal(
              row.charged_micros,
              row.hops.reduce((sum, { charged_micros }) => sum + charged_micros, 0),
            )
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  test('defaults to 10¢ a page plus 1¢ for a site map, at most $5', () => {
    const usual = { format: 'markdown', main_content: true } as const
    assert.equal(
      onescrapeBudget({ ...usual, urls: ['a.example', 'a.example/', 'b.example'] }),
      cents('20'),
    )
    assert.equal(
      onescrapeBudget({ ...usual, site: { url: 'a.example', max_pages: 20 } }),
      cents('201'),
    )
    assert.equal(
      onescrapeBudget({ ...usual, site: { url: 'a.example', max_pages: 50 } }),
      cents('500'),
    )
    assert.equal(onescrapeBudget({ ...usual, urls: urlsOf(50), budgetCents: 40 }), cents('40'))
  })
})

describe('a site', () => {
  test('is mapped for one cent, and its pages are read starting with the seed', async () => {
    const links = {
      'render/map': () =>
        done({
          success: true,
          links: ['https://a.example/one', 'https://b.example/', 'https://a.example/two'],
        }),
    }
    const { result, charged } = await read(
      { site: { url: 'a.example', max_pages: 20, exclude: ['two'] } },
      { ...only('render2'), ...links },
    )
    assert.deepEqual(result.site, { url: 'https://a.example/', mapped_pages: 2 })
    assert.deepEqual(
      result.rows.map(({ url }) => url),
      ['https://a.example/', 'https://a.example/one'],
    )
    assert.equal(charged, cents('3'))
    assert.deepEqual(
      result.calls.map(({ service }) => service),
      ['render', 'semantic', 'render2', 'render2'],
    )
  })

  test('explains why only the seed was read', async () => {
    const nextOf = async (links: readonly string[], more: object) =>
      (
        await read(
          { site: { url: 'a.example', max_pages: 5, ...more } },
          { ...only('semantic'), 'render/map': () => done({ success: true, links }) },
        )
      ).result.next
    const pages = ['https://a.example/', 'https://a.example/one']
    assert.match(await nextOf([], {}), /could not be listed/)
    assert.match(await nextOf(pages, { include: ['/blog/*'] }), /No other page .* matches/)
    for (const [links, more] of [
      [pages, {}],
      [pages, { max_pages: 1 }],
      [pages.slice(0, 1), {}],
    ] as const)
      assert.match(await nextOf(links, more), /^Every page was read/)
  })

  test('costs nothing, including the map, if no page can be read', async () => {
    const { outcome } = await read(
      { site: { url: 'a.example', max_pages: 5 } },
      { ...only(), 'render/map': () => done({ success: true, links: ['https://a.example/one'] }) },
    )
    assert.equal(outcome.kind, 'failed')
  })
})

describe('a cancelled job', () => {
  test('returns the finished pages and marks the others as cancelled', async () => {
    const answers = only('semantic', 'proxy')
    const job: FakeJob = fakeJob({
      ...web((url, tier) => (url.includes('host-0') === (tier === 'semantic') ? 'page' : 'wall')),
      'render2/scrape': () => (job.end('cancelled'), failed('no_results', 'Blocked.')),
    })
    const { result, outcome } = await read({ urls: urlsOf(2) }, answers, job)
    assert.equal(outcome.kind, 'partial')
    assert.deepEqual(
      result.rows.map(({ provider, error, hard }) => [provider, error, hard]),
      [
        ['semantic', undefined, false],
        [null, 'cancelled', false],
      ],
    )
  })
})

describe('a job close to its deadline', () => {
  test('returns the finished pages without waiting for a hanging reader', async () => {
    const answers = web((url, tier) =>
      url.includes('host-0') && tier === 'semantic' ? 'page' : 'wall',
    )
    const { result, charged } = await read(
      { urls: urlsOf(2) },
      answers,
      fakeJob({ ...answers, 'render2/scrape': () => new Promise(() => {}) }, { timeoutMs: 5_001 }),
    )
    assert.deepEqual(
      result.rows.map(({ provider, error }) => [provider, error]),
      [
        ['semantic', undefined],
        [null, 'deadline'],
      ],
    )
    assert.deepEqual(
      hopsOf(result.rows[1]?.hops),
      ['semantic', 'render2'],
      'the abandoned call is listed',
    )
    assert.ok(result.calls.some(({ service }) => service === 'render2'))
    assert.equal(charged, cents('1'))
  })
})

describe('a job that another worker resumes', () => {
  test('makes no step twice wherever the first worker stopped, and returns the same rows', async () => {
    const behaviour = fc.constantFrom<Behaviour>('page', 'wall', 'wall', 'miss', 'broken')
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(behaviour, { minLength: 7, maxLength: 7 }), {
          minLength: 1,
          maxLength: 5,
        }),
        fc.nat(25),
        async (pages, diesAt) => {
          const answers = web(
            (url, tier) => pages[Number(/\d+/.exec(url)?.[0])]?.[TIERS.indexOf(tier)] ?? 'wall',
          )
          const urls = pages.map((_page, place) => `https://a.example/${place}`)
          const stored: StoredSteps = new Map()
          const memory = createDomainMemory()
          const first = fakeJob(answers, { stored, diesAt })
          void read({ urls }, answers, first, memory)
          for (let round = 0; round < 20; round += 1)
            await new Promise((resume) => setImmediate(resume))
          const second = await read({ urls }, answers, fakeJob(answers, { stored }), memory)
          const made = [...first.steps, ...second.job.steps].map((step) => JSON.stringify(step))
          assert.equal(new Set(made).size, made.length)
          const whole = await read({ urls }, answers)
          assert.deepEqual(
            (second.result.rows ?? []).map(({ content, error }) => [content, error]),
            (whole.result.rows ?? []).map(({ content, error }) => [content, error]),
          )
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('the input', () => {
  test('has exactly one of urls and site, and readable page URLs', () => {
    const refusal = (input: Partial<OnescrapeDeepInput>) => {
      try {
        checkOnescrapeDeep({ format: 'markdown', main_content: true, ...input })
        return null
      } catch (error) {
        return error instanceof AppError ? [error.code, error.param] : ['other']
      }
    }
    assert.deepEqual(refusal({})?.[0], 'bad_request')
    assert.deepEqual(
      refusal({ urls: ['a.example'], site: { url: 'a.example', max_pages: 5 } })?.[0],
      'bad_request',
    )
    assert.deepEqual(refusal({ urls: ['a.example', 'https://www.linkedin.com/in/x'] }), [
      'onescrape_social',
      'urls[1]',
    ])
    assert.deepEqual(refusal({ urls: ['https://a.example/x.pdf'] }), [
      'onescrape_document',
      'urls[0]',
    ])
    assert.deepEqual(refusal({ site: { url: 'x.com', max_pages: 5 } }), [
      'onescrape_social',
      'site.url',
    ])
    assert.equal(refusal({ urls: ['a.example'] }), null)
    assert.equal(refusal({ site: { url: 'a.example', max_pages: 5 } }), null)
  })
})
