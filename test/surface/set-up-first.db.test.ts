/** Every surface reports a missing setup before missing credit, because no credit would help. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { createAccount } from '../../src/accounts/create-account.ts'
import { paidTimeOf } from '../../src/catalog/vocabulary/define.ts'
import type { Data } from '../../src/catalog/vocabulary/outcome.ts'
import { worstCase } from '../../src/catalog/prices/price.ts'
import { endpointExample } from '../../src/catalog/published/endpoint-example.ts'
import { cents } from '../../src/lib/money.ts'
import { openAppBed, type AppBed } from '../harness/beds/app.ts'
import { mcpClient } from '../harness/clients/mcp.ts'

/** One call, and what refuses it first when it cannot be paid: undefined where it is free. */
type Row = {
  readonly service: string
  readonly action: string
  readonly input: Data
  readonly isLive: boolean
  readonly most: bigint
  readonly isSession: boolean
}

const bed: AppBed = await openAppBed({ configured: false })
const { tool } = mcpClient(bed)
let url: string
let unfunded: string
let small: string

/** The example of every action; of a passthrough, one path that is live and one that is not. */
const rows: readonly Row[] = bed.calls.catalog.allActions().flatMap(({ service, name, action }) => {
  const row = (input: Data, isLive: boolean): Row => ({
    service: service.id,
    action: name,
    input,
    isLive,
    most: worstCase(action, bed.calls.validator.validate(action.input, input)),
    isSession: paidTimeOf(action) !== undefined,
  })
  const isLive = (endpoint?: string) =>
    bed.calls.lanes.statusOf(service.id, name, endpoint).live !== null
  if (action.kind !== 'endpoint') return [row(action.example, isLive())]
  return [true, false].flatMap((live) =>
    action.endpoints
      .filter(({ endpoint }) => isLive(endpoint) === live)
      .slice(0, 1)
      .map((entry) => row(endpointExample(action, entry), live)),
  )
})
const missing = rows.filter(({ isLive, isSession, most }) => !isLive && !(isSession && most === 0n))
const dear = rows.filter(({ isLive, most }) => isLive && most > cents('1'))

before(async () => {
  url = await bed.app.listen({ port: 0, host: '127.0.0.1' })
  const { live } = await createAccount(
    { database: bed.database, now: bed.clock },
    { email: 'unfunded@gate.example', tier: 'personal', welcomeCreditsPerDay: 0 },
  )
  unfunded = live.key
  small = (
    await bed.post('/api/v1/agents', { label: 'small', ceiling_cents: 1, ceiling_period: 'day' })
  ).json<{ data: { key: string } }>().data.key
})

/** Over a socket, where plain calls are read by the gateway's own parser. */
async function runOver(
  key: string,
  { service, action, input }: Row,
  more: Data = {},
): Promise<[number, string]> {
  const reply = await fetch(`${url}/api/run/${service}/${action}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...input, ...more }),
  })
  const { error } = (await reply.json()) as { error?: { code: string } }
  return [reply.status, error?.code ?? 'ok']
}

async function overMcp(key: string, { service, action, input }: Row): Promise<string> {
  return (await tool('run', { service, action, params: input }, { key })).structuredContent.error
    .code
}

describe('on a gateway without vendor keys', () => {
  it('some of the catalog is set up and some is not', () => {
    assert.ok(missing.length > 100 && dear.length > 5, `${missing.length} and ${dear.length}`)
  })

  it('a call without a configured vendor answers 503 for any balance', async () => {
    for (const row of missing) {
      const id = `${row.service}/${row.action}`
      assert.deepEqual(await runOver(unfunded, row), [503, 'upstream_not_configured'], id)
      assert.deepEqual(await runOver(small, row), [503, 'upstream_not_configured'], id)
      assert.deepEqual(
        await runOver(unfunded, row, { max_cost_cents: 0 }),
        [503, 'upstream_not_configured'],
        `${id} with a ceiling`,
      )
      assert.equal(await overMcp(unfunded, row), 'upstream_not_configured', `${id} over MCP`)
      assert.equal(await overMcp(small, row), 'upstream_not_configured', `${id} over MCP`)
    }
  })

  it('a call with a configured vendor answers 402 without credit', async () => {
    for (const row of dear) {
      const id = `${row.service}/${row.action}`
      assert.deepEqual(await runOver(unfunded, row), [402, 'credits_required'], id)
      assert.deepEqual(await runOver(small, row), [402, 'api_key_limit_exceeded'], id)
      assert.equal(await overMcp(unfunded, row), 'credits_required', `${id} over MCP`)
      assert.equal(await overMcp(small, row), 'api_key_limit_exceeded', `${id} over MCP`)
    }
  })

  it('without a wallet, paid fetch answers 503 and reads free URLs, for any balance', async () => {
    let isPaid = true
    bed.vendor.answerWith(() => (isPaid ? { status: 402, body: {} } : { body: { free: true } }))
    const fetchWith = async (key: string): Promise<[number, string]> => {
      const reply = await fetch(`${url}/api/fetch`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url: bed.vendor.url, max_cost_cents: 50 }),
      })
      const { error } = (await reply.json()) as { error?: { code: string } }
      return [reply.status, error?.code ?? 'ok']
    }
    for (const key of [unfunded, small])
      assert.deepEqual(await fetchWith(key), [503, 'upstream_not_configured'])
    isPaid = false
    for (const key of [unfunded, small]) assert.deepEqual(await fetchWith(key), [200, 'ok'])
  })

  it('a rejection for missing setup leaves no transaction', async () => {
    const { rows: held } = await bed.database.query<{ error_code: string }>(
      "select distinct error_code from transactions where error_code = 'upstream_not_configured'",
    )
    assert.deepEqual(held, [])
  })
})
