import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Hop, JobTools } from '../../catalog/vocabulary/handlers.ts'
import type { Outcome } from '../../catalog/vocabulary/outcome.ts'
import type { DemoRequest } from '../../reader/video/demo-request.ts'
import type { Scene } from '../../reader/video/step.ts'
import type { PageFacts, SurveyRequest } from '../../reader/video/survey-pages.ts'
import { fakeJob } from '../testing/fake-job.ts'
import type { DemoDeps } from './make-video.ts'
import { createProduceAutodemo, createProduceDemo } from './produce-demo.ts'
import { assertFits } from '../../catalog/testing/assert-fits.ts'

type Seen = {
  videos: DemoRequest[]
  surveys: SurveyRequest[]
  stored: { jobId: string; filename: string; source: string }[]
}
type Web = {
  flaws?: Record<string, string>
  facts?: (url: string) => Partial<PageFacts>
  sceneOf?: (index: number) => Partial<Scene>
  record?: DemoDeps['record']
  narrate?: DemoDeps['narrate']
}

/** Records nothing: `sceneOf` defines the scenes. */
function bed({
  flaws = {},
  facts = () => ({}),
  sceneOf = () => ({}),
  record,
  narrate = null,
}: Web = {}): { deps: DemoDeps; seen: Seen } {
  const seen: Seen = { videos: [], surveys: [], stored: [] }
  const deps: DemoDeps = {
    narrate,
    samplePage: () => '<h1>Sample</h1>',
    survey: (request) => {
      seen.surveys.push(request)
      return Promise.resolve(
        request.urls.map((url) => {
          const flaw = flaws[url]
          const page: PageFacts = {
            url,
            title: 'A page',
            siteName: '',
            description: '',
            headings: [],
            links: [],
            tabs: [],
            heightPx: 1_000,
            ...facts(url),
          }
          return flaw === undefined ? { url, facts: page } : { url, flaw }
        }),
      )
    },
    record:
      record ??
      (async (request, use) => {
        seen.videos.push(request)
        const scenes = request.script.map(({ action, say = null }, index): Scene => ({
          index,
          action,
          url: 'https://a.example/',
          caption: say,
          start_seconds: index,
          end_seconds: index + 1,
          ok: true,
          ...sceneOf(index),
        }))
        scenes.forEach((_scene, index) => request.onScene(index + 1))
        return scenes.some(({ ok }) => ok)
          ? {
              result: await use({
                path: '/video.mp4',
                width: 1280,
                height: 720,
                seconds: scenes.length,
                scenes,
                spoken: [...(request.speech?.keys() ?? [])].filter((index) => scenes[index]?.ok),
              }),
            }
          : { scenes }
      }),
    store: ({ jobId }, { filename, source }) => {
      seen.stored.push({ jobId, filename, source })
      return Promise.resolve({
        file_id: 'file_1',
        get_url: 'https://gateway.example/files/file_1',
        expires_at: '2026-11-20T13:00:00Z',
        size: 1_000,
      })
    },
  }
  return { deps, seen }
}

const video = { aspect_ratio: '16:9', max_seconds: 60, budgetCents: 10 }
const script = [
  { action: 'open', url: 'a.example', say: 'Hello' },
  { action: 'click', target: 'Nowhere' },
]
function dataOf(outcome: Outcome): Record<string, unknown> {
  if (outcome.kind === 'failed') assert.fail(outcome.message)
  assertFits('core/produce_demo', outcome.data)
  return outcome.data
}
const live = (): JobTools => ({ ...fakeJob({}, { budgetCents: 10 }), mode: 'live' })

describe('core/produce_demo', () => {
  it("records the script, stores the video under the job's id, and charges nothing", async () => {
    const { deps, seen } = bed()
    const tools = fakeJob({}, { budgetCents: 10 })
    const outcome = await createProduceDemo(deps)({ ...video, script }, tools)
    assert.ok(outcome.kind === 'done')
    assert.equal(outcome.actual, 0n)
    const data = dataOf(outcome)
    assert.deepEqual(
      [
        data['video_url'],
        data['file_id'],
        data['duration_seconds'],
        data['spent_cents'],
        data['budget_cents'],
        data['calls'],
      ],
      ['https://gateway.example/files/file_1', 'file_1', 2, 0, 10, []],
    )
    assert.equal((data['scenes'] as Scene[]).length, 2)
    assert.equal((data['narration'] as { kind: string }).kind, 'captions')
    assert.equal(data['script'], undefined)
    assert.deepEqual(seen.stored, [
      { jobId: tools.jobId, filename: 'demo-a.example.mp4', source: 'core/produce_demo' },
    ])
    assert.deepEqual(seen.videos[0]?.script[0], {
      action: 'open',
      url: 'https://a.example/',
      say: 'Hello',
    })
    assert.deepEqual(tools.reports.at(-1), { rows_done: 2, rows_total: 2 })
  })

  it('lists steps that are not in the video', async () => {
    const { deps } = bed({
      sceneOf: (index) =>
        index === 1
          ? { ok: false, error: 'not_found', note: '"Nowhere" was not found on the page.' }
          : {},
    })
    const outcome = await createProduceDemo(deps)({ ...video, script }, live())
    assert.equal(outcome.kind, 'partial')
    assert.match(String(dataOf(outcome)['next']), /1 steps are not in the video/)
  })

  it('records and reports sample pages only with a test key', async () => {
    const { deps, seen } = bed()
    const simulated = await createProduceDemo(deps)({ ...video, script }, fakeJob({}))
    const real = await createProduceDemo(deps)({ ...video, script }, live())
    assert.deepEqual([dataOf(simulated)['simulated'], dataOf(real)['simulated']], [true, undefined])
    assert.deepEqual(
      seen.videos.map(({ samplePage }) => samplePage !== undefined),
      [true, false],
    )
  })

  it('fails and stores no file if nothing could be recorded', async () => {
    const { deps, seen } = bed({
      sceneOf: () => ({ ok: false, error: 'dns', note: 'The page could not be opened (dns).' }),
    })
    const outcome = await createProduceDemo(deps)({ ...video, script }, live())
    assert.ok(outcome.kind === 'failed')
    assert.deepEqual([outcome.code, seen.stored.length], ['no_results', 0])
  })

  it('plans a brief over the pages that open, and changes nothing there', async () => {
    const { deps, seen } = bed({ flaws: { 'https://b.example/': 'http_status' } })
    const outcome = await createProduceDemo(deps)(
      { ...video, brief: 'Show it', urls: ['a.example', 'b.example', 'c.example'] },
      live(),
    )
    assert.deepEqual(
      seen.videos[0]?.script.map(({ url }) => url),
      ['https://a.example/', 'https://c.example/'],
    )
    assert.deepEqual(seen.videos[0]?.onlyHosts, ['a.example', 'c.example'])
    assert.deepEqual(dataOf(outcome)['script'], seen.videos[0]?.script)
  })

  it('ends the video when the job is cancelled', async () => {
    const { deps, seen } = bed()
    const tools = fakeJob({})
    await createProduceDemo(deps)({ ...video, script }, tools)
    assert.equal(seen.videos[0]?.whyStop(), null)
    tools.end('cancelled')
    assert.equal(seen.videos[0]?.whyStop(), 'cancelled')
  })

  it('does not throw when another worker takes over the job', async () => {
    const takeover = new AbortController()
    const { deps } = bed({
      record: () => (takeover.abort(), Promise.reject(takeover.signal.reason as Error)),
    })
    const outcome = await createProduceDemo(deps)(
      { ...video, script },
      { ...live(), signal: takeover.signal },
    )
    assert.equal(outcome.kind, 'failed')
  })
})

describe('narration', () => {
  const lines = [
    { action: 'open', url: 'a.example', say: 'One' },
    { action: 'scroll', say: 'Two' },
    { action: 'scroll', say: 'Three' },
    { action: 'scroll' },
  ]
  const hop = {
    provider: 'media',
    action: 'generate',
    ok: true,
    charged_cents: 1,
    charged_micros: 10_000,
    latency_ms: 5,
  }
  const sound = new Uint8Array([1])

  it('is spoken line by line, and unused lines are not charged', async () => {
    const spoken: unknown[] = []
    const waived: Hop[] = []
    const speaking = bed({
      sceneOf: (index) => (index === 1 ? { ok: false, error: 'not_found' } : {}),
      narrate: (_tools, line, voice) => (
        spoken.push([line, voice]),
        Promise.resolve(
          line === 'Three'
            ? {
                hop: {
                  ...hop,
                  ok: false,
                  charged_cents: 0,
                  charged_micros: 0,
                  skipped: 'over_budget',
                },
                sound: null,
              }
            : { hop, sound },
        )
      ),
    })
    const outcome = await createProduceDemo(speaking.deps)(
      { ...video, script: lines, voice: 'Ada' },
      { ...live(), waive: (waivedHop) => void waived.push(waivedHop) },
    )
    assert.deepEqual(spoken, [
      ['One', 'Ada'],
      ['Two', 'Ada'],
      ['Three', 'Ada'],
    ])
    assert.deepEqual([...(speaking.seen.videos[0]?.speech?.keys() ?? [])], [0, 1])
    assert.equal(waived.length, 1)
    const { narration, calls } = dataOf(outcome) as {
      narration: { kind: string; note: string }
      calls: Hop[]
    }
    assert.deepEqual(
      calls.map(({ charged_cents, skipped }) => [charged_cents, skipped]),
      [
        [1, undefined],
        [0, undefined],
        [0, 'over_budget'],
      ],
    )
    assert.equal(narration.kind, 'speech')
    assert.match(narration.note, /^1 of 3 lines/)
  })
})

describe('core/produce_autodemo', () => {
  const links = [
    { text: 'Pricing', href: 'https://a.example/pricing', isNavigation: true },
    { text: 'Docs', href: 'https://a.example/docs', isNavigation: true },
  ]

  it('surveys the page and further pages of its site, and returns the recorded script', async () => {
    const { deps, seen } = bed({ facts: (url) => (url === 'https://a.example/' ? { links } : {}) })
    const outcome = await createProduceAutodemo(deps)({ ...video, url: 'a.example' }, live())
    assert.deepEqual(
      seen.surveys.map(({ urls, onlyHosts }) => [urls, onlyHosts]),
      [
        [['https://a.example/'], undefined],
        [['https://a.example/pricing', 'https://a.example/docs'], ['a.example']],
      ],
    )
    assert.deepEqual(
      seen.videos[0]?.script.map(({ action, target }) => [action, target]),
      [
        ['open', undefined],
        ['click', 'Pricing'],
        ['open', undefined],
      ],
    )
    assert.deepEqual(
      [seen.videos[0]?.onlyHosts, dataOf(outcome)['script']],
      [['a.example'], seen.videos[0]?.script],
    )
    assert.equal(seen.stored[0]?.source, 'core/produce_autodemo')
  })

  it('skips a link that redirects to another site', async () => {
    const { deps, seen } = bed({
      facts: (url) =>
        url === 'https://a.example/' ? { links } : { url: 'https://elsewhere.example/' },
    })
    await createProduceAutodemo(deps)({ ...video, url: 'a.example' }, live())
    assert.deepEqual(seen.videos[0]?.script.length, 1)
  })

  it('fails with bad_url for a private address', async () => {
    const { deps, seen } = bed({ flaws: { 'http://10.0.0.1/': 'blocked_address' } })
    const outcome = await createProduceAutodemo(deps)({ ...video, url: 'http://10.0.0.1/' }, live())
    assert.ok(outcome.kind === 'failed')
    assert.deepEqual([outcome.code, seen.videos.length], ['bad_url', 0])
  })
})
