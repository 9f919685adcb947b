/** Services of public records, with the lanes, requests, redirects and steps of production. Test keys use simulators. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { inspect } from 'node:util'
import { Agent } from 'undici'
import { createCatalog } from '../../catalog/index.ts'
import type { Data, Outcome } from '../../catalog/vocabulary/outcome.ts'
import { services } from '../../vendors/index.ts'
import { createValidator } from '../../catalog/validate/validate.ts'
import type { Database } from '../../db/database.ts'
import { systemClock } from '../../lib/clock.ts'
import { Deadline } from '../../lib/deadline.ts'
import { newId } from '../../lib/ids.ts'
import { startSimulators, type Simulators } from '../../simulators/start.ts'
import { createReplyCache } from '../../upstream/reply-cache.ts'
import { createLanes } from '../lanes/lanes.ts'
import type { UpstreamSettings } from '../lanes/endpoints.ts'
import type { PerformDeps } from './call-scope.ts'
import { perform } from './perform.ts'

const RECORD_SERVICES =
  'secfilings courts nonprofit fedrules webarchive encyclopedia entitygraph globalnews scholar patents' +
  ' regs vehicles drugs trials recalls proprecords propdata flights sneakers datahub markets cryptoagent compliance'
const catalog = createCatalog(services.filter(({ id }) => RECORD_SERVICES.split(' ').includes(id)))
const validator = createValidator()
const dispatcher = new Agent()
const noDatabase = {
  query: () => assert.fail('a plain call asks no database'),
} as unknown as Database

let simulators: Simulators
before(async () => {
  simulators = await startSimulators({ now: systemClock })
})
after(async () => {
  await dispatcher.close()
  await simulators.close()
})

function performers(upstreams: ReadonlyMap<string, UpstreamSettings> = new Map()): PerformDeps {
  const lanes = createLanes({
    catalog,
    upstreams,
    guardedDispatcher: dispatcher,
    operatorDispatcher: dispatcher,
    inHouse: new Set(),
    simulatorUrl: simulators.url,
    userAgent: 'Tollgate-Test/1.0 (test@gate.example.com)',
  })
  return {
    catalog,
    validator,
    lanes,
    inHouse: new Map(),
    local: new Map(),
    now: systemClock,
    replyCache: createReplyCache(systemClock),
    database: noDatabase,
  }
}

async function performed(
  parts: PerformDeps,
  id: string,
  mode: 'live' | 'test',
  sent: Data,
): Promise<Outcome> {
  const [service = '', name = ''] = id.split('/')
  const entry = catalog.findAction(service, name)
  const deadline = new Deadline(60_000)
  const key = newId(systemClock())
  return perform(
    parts,
    {
      owner: { accountId: key, mode, keyId: key, scope: 'account' },
      deadline,
      vendorKey: key,
      hops: [],
    },
    entry,
    validator.validate(entry.action.input, sent),
  ).finally(() => deadline.end())
}

type Example = { readonly id: string; readonly sent: Data; readonly openLabel: string | undefined }

const examples: readonly Example[] = catalog.allActions().flatMap(({ service, name, action }) => {
  const id = `${service.id}/${name}`
  const own = {
    id,
    sent: action.example,
    openLabel: action.kind === 'call' ? action.openSource?.vendor.label : undefined,
  }
  if (action.kind !== 'endpoint') return [own]
  return action.endpoints.flatMap(({ endpoint, example, openSource }) =>
    example === undefined
      ? []
      : [{ id, sent: { endpoint, ...example }, openLabel: openSource?.vendor.label }],
  )
})

describe('services of public records', () => {
  it('answer their examples with a test key', async () => {
    const parts = performers()
    for (const { id, sent } of examples) {
      const outcome = await performed(parts, id, 'test', sent)
      assert.equal(outcome.kind, 'done', `${id} ${JSON.stringify(sent)}: ${inspect(outcome)}`)
    }
  })

  it('use their public sources with a live key and no vendor key', async () => {
    const labels = [...new Set(examples.flatMap(({ openLabel }) => openLabel ?? []))]
    const parts = performers(
      new Map(
        labels.map((label) => [label, { url: `${simulators.url}/${label}`, credentials: {} }]),
      ),
    )
    for (const { id, sent, openLabel } of examples.filter(
      (example) => example.openLabel !== undefined,
    )) {
      simulators.requests.clear()
      const outcome = await performed(parts, id, 'live', sent)
      assert.equal(outcome.kind, 'done', `${id} ${JSON.stringify(sent)}: ${inspect(outcome)}`)
      const asked = simulators.requests.count(openLabel) + simulators.requests.count('secfilings')
      // Files that change slowly may be cached from an earlier call.
      assert.ok(asked > 0 || ['cisa', 'secfilings', 'nager'].includes(openLabel ?? ''), id)
    }
  })

  it('are not set up without a vendor key and a public source', async () => {
    for (const [id, sent] of [
      ['propdata/avm', { id: '1' }],
      ['markets/fetch', { endpoint: '/api/v1/surf/social/user', handle: 'x' }],
      ['compliance/check', { endpoint: '/x402/sanctions-check', name: 'x' }],
    ] as const) {
      const outcome = await performed(performers(), id, 'live', sent)
      assert.ok(outcome.kind === 'failed' && outcome.code === 'upstream_not_configured', id)
    }
    const { fix } = (await performed(performers(), 'markets/fetch', 'live', {
      endpoint: '/api/v1/pm/limitless/markets',
    })) as { fix?: string }
    assert.match(fix ?? '', /UPSTREAM_PREDEXON_KEY/)
  })

  it('report a busy source as busy and a missing answer as late, and charge neither', async () => {
    for (const [sent, code] of [
      [{ q: 'sim:busy' }, 'upstream_busy'],
      [{ q: 'sim:503' }, 'upstream_error'],
      [{ q: 'sim:reset' }, 'upstream_error'],
    ] as const) {
      const outcome = await performed(performers(), 'encyclopedia/search', 'test', sent)
      assert.ok(outcome.kind === 'failed' && outcome.code === code, inspect(outcome))
    }
  })
})
