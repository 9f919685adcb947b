/** The results that callers received, to compare with the books. */
import assert from 'node:assert/strict'
import type { LightMyRequestResponse } from 'fastify'
import type { Database } from '../../src/db/database.ts'
import { parsePublicId, type Id } from '../../src/lib/ids.ts'

export type Told = {
  readonly id: Id
  /** The Idempotency-Key with all that it is good for; null without one. */
  readonly slot: string | null
  readonly isAnswered: boolean
  readonly charged: bigint
  readonly isReplayed: boolean
  readonly code: string | null
}

/** The answer of an HTTP route. */
export function toldByHttp(
  { statusCode, headers, body }: LightMyRequestResponse,
  slot: string | null,
): Told {
  const id = parsePublicId('request', String(headers['x-request-id']))
  assert.ok(id !== null)
  // A stream has begun with 200 by the time that it is settled.
  const [, brokenBy] = /^data: \{"error":\{.*"code":"(\w+)"/m.exec(body) ?? []
  const code =
    statusCode >= 400
      ? (JSON.parse(body) as { error: { code: string } }).error.code
      : (brokenBy ?? null)
  const charged = BigInt(
    (headers['x-charged-micros'] as string | undefined) ?? chargedByStream(body),
  )
  return {
    id,
    slot,
    isAnswered: code === null || charged > 0n,
    charged,
    isReplayed: headers['idempotency-replayed'] === 'true',
    code,
  }
}

/** A stream reports its price with its usage, in dollars. */
function chargedByStream(body: string): number {
  const costs = [...body.matchAll(/"cost":([\d.e-]+)/g)].map(([, cost]) =>
    Math.round(Number(cost) * 1e6),
  )
  return costs.at(-1) ?? 0
}

/** Every promise that was broken. Jobs and sessions are charged after they were answered, under the same id. */
export async function brokenPromises(
  database: Database,
  all: readonly Told[],
): Promise<readonly string[]> {
  const { rows } = await database.query<{ id: Id; kind: string; action: string; charged: bigint }>(
    "select id, kind, action, -amount_micros as charged from transactions where kind in ('call', 'llm', 'job', 'session')",
  )
  const posted = new Map(rows.map((row) => [row.id, row]))
  const firsts = all.filter(({ isReplayed }) => !isReplayed)
  const answers = Map.groupBy(
    firsts.filter(({ slot, isAnswered }) => slot !== null && isAnswered),
    ({ slot }) => slot,
  )
  const { rows: ends } = await database.query<{ id: Id; charged: bigint; budget: bigint }>(
    'select id, charged_micros as charged, budget_micros as budget from jobs',
  )
  const { rows: sessions } = await database.query<{ told: bigint; posted: bigint }>(
    "select (select coalesce(sum(charged_micros), 0) from compute_sessions)::bigint as told, (select coalesce(-sum(amount_micros), 0) from transactions where kind = 'session')::bigint as posted",
  )
  return [
    ...all
      .filter(({ isReplayed, charged }) => isReplayed && charged !== 0n)
      .map(({ id }) => `${id} was charged for a replay`),
    ...firsts
      .filter(
        ({ id, isAnswered, charged }) =>
          !isLater(posted.get(id)?.kind) &&
          (posted.get(id)?.charged ?? 0n) !== (isAnswered ? charged : 0n),
      )
      .map(
        ({ id, charged, code }) =>
          `${id} was told ${charged} (${code}) and charged ${posted.get(id)?.charged}`,
      ),
    ...rows
      .filter(({ action, charged }) => action === 'search' && charged !== 0n && charged !== 10_000n)
      .map(({ id, charged }) => `${id} cost ${charged}, which is not the price`),
    ...[...answers]
      .filter(([, several]) => several.length > 1)
      .map(([slot, several]) => `${slot} was carried out ${several.length} times`),
    ...ends
      .filter(({ id, charged, budget }) => posted.get(id)?.charged !== charged || charged > budget)
      .map(
        ({ id, charged, budget }) =>
          `job ${id} says ${charged} of ${budget}, the books ${posted.get(id)?.charged}`,
      ),
    ...sessions
      .filter((sum) => sum.told !== sum.posted)
      .map((sum) => `sessions say ${sum.told}, the books ${sum.posted}`),
  ]
}

function isLater(kind: string | undefined): boolean {
  return kind === 'job' || kind === 'session'
}
