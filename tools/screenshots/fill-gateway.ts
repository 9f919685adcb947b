import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { ShownGateway } from './start-gateway.ts'

const KEYS = [
  { label: 'Research agent', ceiling_cents: 500, ceiling_period: 'day' },
  { label: 'Support bot', ceiling_cents: 2_000, ceiling_period: 'month' },
  { label: 'Nightly import', ceiling_cents: 5, ceiling_period: 'day' },
] as const

const QUERIES = [
  'double-entry bookkeeping',
  'webhook signatures',
  'rate limits of search engines',
  'price of a barrel of oil',
  'papers about retrieval',
  'will fail',
  'accessibility of tables',
] as const

const ROUNDS = 6

type Created = { readonly data: { readonly key: string } }
export type FilledGateway = { readonly callId: string }

/** Creates keys and makes calls through the API, as an owner and agents do. Returns a charged call. */
export async function fillGateway({
  url,
  dataFolder,
  liveKey,
  testKey,
}: ShownGateway): Promise<FilledGateway> {
  const post = (path: string, body: object, key = liveKey) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  grantCredit(dataFolder)
  const keys: string[] = []
  for (const key of KEYS) {
    const { data } = (await (await post('/api/v1/agents', key)).json()) as Created
    keys.push(data.key)
  }
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [at, query] of QUERIES.entries()) {
      const key = keys[(at + round) % keys.length] ?? liveKey
      await post('/api/run/semantic/search', { query, numResults: 3 + round }, key)
      if (at % 3 === 0) await post('/api/run/core/onescrape', { urls: [`${url}/guide`] }, key)
    }
  // Calls of every outcome: rejected, free, simulated, and a job.
  await post('/api/run/semantic/search', { query: 'bees', numResult: 3 })
  await post('/api/run/core/discover', { query: 'read a web page' })
  await post('/api/run/render/scrape', { url: 'https://example.com/' }, testKey)
  await post('/api/run/core/onescrape-deep', { urls: [`${url}/guide`], budgetCents: 10 })
  const last = await post('/api/run/core/onescrape', { urls: [`${url}/guide`] })
  return { callId: ((await last.json()) as { request_id: string }).request_id }
}

function grantCredit(dataFolder: string): void {
  const ran = spawnSync(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(import.meta.dirname, '../../src/surfaces/cli/main.ts'),
      'credit',
      'grant',
      '--account',
      'owner@localhost',
      '--cents',
      '4800',
    ],
    { env: { ...process.env, DATA_DIR: dataFolder }, encoding: 'utf8' },
  )
  if (ran.status !== 0) throw new Error(ran.stderr)
}
