/**
 * Creating a child key, compared with a GET and with the least commits of the database, and revoking
 * a key with 1,010 keys below it as two gateways see it. On a durable PostgreSQL.
 * Usage: npx node bench/keys.ts [--mints 200] [--rounds 3]
 */
import { parseArgs } from 'node:util'
import { systemClock } from '../src/lib/clock.ts'
import { mintChild, type Minter } from '../src/keys/children/mint-child.ts'
import { findCaller } from '../src/keys/find-caller.ts'
import { hashSecret } from '../src/keys/format.ts'
import type { KeyWithSecret } from '../src/keys/key-record.ts'
import { openBed } from './gateway/bed.ts'
import { openLeastCommits } from './least-commits.ts'
import { atMost, checkMust } from './must.ts'

const { values } = parseArgs({
  options: { mints: { type: 'string', default: '200' }, rounds: { type: 'string', default: '3' } },
})
const MINTS = Number(values.mints)
const ROUNDS = Number(values.rounds)
const [BRANCHES, LEAVES] = [10, 100]
/** The leaves that are requested while the key is revoked, on each gateway. */
const PROBES = 20
const LEAST_COMMITS_MS = 1_000
const MUSTS = { mintMs: 10, seenMs: 100 }
const ME = '/api/v1/agents/me'

const bed = await openBed()
const least = await openLeastCommits(bed.database)
const gateways = [await bed.startGateway(), await bed.startGateway()] as const
const deps = { database: bed.database, now: systemClock, forget: () => {} }
try {
  const [owner = ''] = await bed.makeKeys(1)
  await measureMint(owner)
  await measureRevoke(owner)
} finally {
  for (const gateway of gateways) await gateway.stop()
  await least.end()
  await bed.close()
}

type Answer = { readonly status: number; readonly text: string; readonly ms: number }
type Request = { readonly method?: string; readonly body?: object; readonly port?: number }

/** Sends one request and reads its answer. */
async function send(
  key: string,
  path: string,
  { method = 'GET', body, port = gateways[0].port }: Request = {},
): Promise<Answer> {
  const startMs = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, text, ms: performance.now() - startMs }
}

/** Throws RangeError unless the status is the expected one. */
function requireStatus({ status, text }: Answer, expected: number): void {
  if (status !== expected) throw new RangeError(`${status} instead of ${expected}: ${text}`)
}

async function measureMint(owner: string): Promise<void> {
  const settings = { label: 'parent', ceiling_cents: 500, may_mint: true }
  const made = await send(owner, '/api/v1/agents', { method: 'POST', body: settings })
  requireStatus(made, 201)
  const { key } = (JSON.parse(made.text) as { data: KeyWithSecret }).data
  const [mints, gets]: [number[], number[]] = [[], []]
  for (let at = -MINTS; at < MINTS; at += 1) {
    const body = { label: `child ${at}`, ceiling_cents: 50, ttl_s: 1_200 }
    const mint = await send(key, `${ME}/children`, { method: 'POST', body })
    requireStatus(mint, 201)
    const get = await send(key, ME)
    // The first half warms up.
    if (at < 0) continue
    mints.push(mint.ms)
    gets.push(get.ms)
  }
  const mint = quantile(mints, 0.5)
  const pair = quantile(await least.measure(LEAST_COMMITS_MS), 0.5)
  print(
    `GET ${ME}: p50 ${quantile(gets, 0.5).toFixed(2)} ms; the two least commits: p50 ${pair.toFixed(2)} ms`,
  )
  print(
    `creating a child key: p50 ${mint.toFixed(2)} ms, p95 ${quantile(mints, 0.95).toFixed(2)} ms, ${(mint / pair).toFixed(1)} times the two least commits`,
  )
  checkMust(atMost('creating a child key, p50', mint, MUSTS.mintMs, ' ms'))
}

async function measureRevoke(owner: string): Promise<void> {
  const [answers, seen]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    const { top, leaves } = await plantTree(owner)
    const probed = leaves.filter((_, at) => at % (leaves.length / PROBES) === 0)
    const probes = gateways.flatMap(({ port }) => probed.map((key) => ({ key, port })))
    // Now every gateway has these keys in its cache.
    for (const { key, port } of probes) requireStatus(await send(key, ME, { port }), 200)
    const revoked = await send(owner, `/api/v1/agents/${top.id}`, { method: 'DELETE', body: {} })
    requireStatus(revoked, 200)
    const endMs = performance.now()
    answers.push(revoked.ms)
    const lastAccepted = await Promise.all(
      probes.map(async ({ key, port }) => {
        for (let acceptedMs = endMs; ;) {
          const sentMs = performance.now()
          if ((await send(key, ME, { port })).status === 401) return acceptedMs - endMs
          acceptedMs = sentMs
        }
      }),
    )
    seen.push(Math.max(...lastAccepted))
  }
  print(
    `revoking a key with ${BRANCHES * (LEAVES + 1)} keys below it: p50 ${quantile(answers, 0.5).toFixed(0)} ms, longest ${Math.max(...answers).toFixed(0)} ms`,
  )
  checkMust(
    atMost(
      'last accepted request on two gateways, after the answer',
      Math.max(...seen),
      MUSTS.seenMs,
      ' ms',
    ),
  )
}

/** A key, ten keys below it, and a hundred below each of those. */
async function plantTree(
  owner: string,
): Promise<{ readonly top: KeyWithSecret; readonly leaves: readonly string[] }> {
  const top = await grow(await minter(owner), 'top')
  const parent = await minter(top.key)
  const leaves: string[] = []
  for (let branch = 0; branch < BRANCHES; branch += 1) {
    const below = await minter((await grow(parent, 'branch')).key)
    for (let leaf = 0; leaf < LEAVES; leaf += 1)
      leaves.push((await mintChild(deps, below, { label: 'leaf' })).key)
  }
  return { top, leaves }
}

/** Creates a child key that creates keys itself. */
async function grow(above: Minter, label: string): Promise<KeyWithSecret> {
  const made = await mintChild(deps, above, { label })
  await bed.database.query('update keys set may_mint = true where secret_hash = $1', [
    Buffer.from(hashSecret(made.key), 'hex'),
  ])
  return made
}

async function minter(key: string): Promise<Minter> {
  const found = await findCaller(bed.database, hashSecret(key), systemClock())
  if (found === null) throw new RangeError('The key does not exist.')
  return found.caller
}

function quantile(ms: readonly number[], share: number): number {
  return ms.toSorted((one, other) => one - other)[Math.ceil(ms.length * share) - 1] ?? Number.NaN
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
