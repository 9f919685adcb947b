/** A multi-source action is rejected if no service for its input is set up, and accepted if any is. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Agent } from 'undici'
import { openCallBed } from '../../../test/harness/beds/calls.ts'
import { createCatalog } from '../../catalog/index.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { createValidator } from '../../catalog/validate/validate.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Mode } from '../../lib/mode.ts'
import { createLanes } from './lanes.ts'
import { runCall } from '../run.ts'

const catalog = createCatalog()
const validator = createValidator()

/** Whether core/`name` has a lane on a gateway with these vendors and its own browser. */
function isAccepted(
  name: string,
  body: Data,
  setUp: readonly string[] = [],
  mode: Mode = 'live',
): boolean {
  const upstreams = new Map(
    setUp.map((label) => [label, { url: 'https://vendor.example', credentials: {} }]),
  )
  const dispatcher = new Agent()
  const lanes = createLanes({
    catalog,
    upstreams,
    guardedDispatcher: dispatcher,
    operatorDispatcher: dispatcher,
    // Email checks find no people, so they make no search for people live.
    inHouse: new Set([
      'semantic.contents',
      'render.scrape',
      'render.map',
      'contactfind.email-verify',
      'emailintel.email-verifier',
      'emailintel.email-finder',
      'emailintel.domain-search',
    ]),
    simulatorUrl: 'http://127.0.0.1:9',
    userAgent: 'Gate/1.0',
  })
  const entry = catalog.findAction('core', name)
  return lanes.laneFor(entry, mode, validator.validate(entry.action.input, body)) !== null
}

const people = { query: 'CTOs in Lisbon' }
const byMail = { rows: ['ana@acme.test'] }
const byPrivateMail = { rows: ['ana@gmail.com'] }
const byProfile = { rows: ['https://www.linkedin.com/in/ana'] }
const byName = { rows: ['Ana Example, Acme'] }

describe('a multi-source action has a lane', () => {
  it('only if a service for this input is set up', () => {
    assert.deepEqual(
      [people, byMail, byProfile, byName].map((body) => isAccepted('onefind-deep', body)),
      [false, false, false, false],
    )
    assert.deepEqual(
      [people, byMail, byPrivateMail, byProfile, byName].map((body) =>
        isAccepted('onefind-deep', body, ['emailintel']),
      ),
      [false, true, false, true, false],
    )
    assert.deepEqual(
      [people, byMail, byPrivateMail, byProfile, byName].map((body) =>
        isAccepted('onefind-deep', body, ['semantic']),
      ),
      [true, false, false, false, true],
    )
    assert.equal(
      isAccepted('onefind-deep', { rows: [...byName.rows, ...byMail.rows] }, ['contactfind']),
      true,
    )
    assert.deepEqual(
      [isAccepted('onefind', people), isAccepted('onefind', people, ['semantic'])],
      [false, true],
    )
  })

  it('for a search of papers and news, whose sources need no vendor key', () => {
    for (const name of ['onesearch', 'onesearch-deep']) {
      const topics = ['web', 'news', 'papers', 'code'].map((topic) => ({
        query: 'heat pumps',
        topic,
      }))
      assert.deepEqual(
        topics.map((body) => isAccepted(name, body)),
        [false, true, true, false],
        name,
      )
      assert.deepEqual(
        topics.map((body) => isAccepted(name, body, ['cited'])),
        [true, true, true, true],
        name,
      )
    }
  })

  it('if the gateway does the work itself, and always for a test key', () => {
    assert.deepEqual(
      [
        isAccepted('onescrape', { urls: ['example.com'] }),
        isAccepted('onescrape-deep', { urls: ['example.com'] }),
        isAccepted('produce_autodemo', { url: 'example.com' }),
      ],
      [true, true, true],
    )
    assert.deepEqual(
      [
        isAccepted('onefind-deep', people, [], 'test'),
        isAccepted('onesearch-deep', { query: 'x' }, [], 'test'),
      ],
      [true, true],
    )
  })
})

describe('a multi-source action without any service on this gateway', async () => {
  const bed = await openCallBed({ configured: false })
  const jobs = async () => (await bed.database.query('select 1 from jobs')).rows.length

  for (const [name, body] of [
    ['onefind-deep', people],
    ['onefind-deep', byMail],
    ['onesearch-deep', { query: 'heat pumps' }],
    ['onescrape-deep', { urls: ['example.com'] }],
  ] as const) {
    it(`is rejected without a hold or a job: ${name} ${JSON.stringify(body)}`, async () => {
      const isRefusal = (error: unknown): boolean =>
        error instanceof AppError &&
        error.code === 'upstream_not_configured' &&
        /sets up semantic|sets up contactfind or emailintel/.test(error.fix ?? '')
      await assert.rejects(runCall(bed.calls, bed.request('core', name, body)), isRefusal)
      assert.deepEqual(
        [await jobs(), await bed.transactions(), (await bed.balance()).held],
        [0, [], 0n],
      )
    })
  }

  it('is submitted if a part of it can run', async () => {
    const { status, body } = await runCall(
      bed.calls,
      bed.request('core', 'onesearch-deep', { query: 'heat pumps', topic: 'papers' }),
    )
    assert.deepEqual(
      [status, (JSON.parse(body) as { data: { status: string } }).data.status, await jobs()],
      [200, 'queued', 1],
    )
  })
})
