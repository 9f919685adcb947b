import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, openBank } from '../../test/harness/beds/ledger.ts'
import type { Id } from '../lib/ids.ts'
import { flushBatch } from './flush.ts'
import type { Claim, HoldRequest, HoldVerdict, Resolution } from './hold.ts'

const bank = await openBank()
const client = bank.database.connect('flush test')
await client.connect()
const flush = (resolutions: readonly Resolution[], holds: readonly HoldRequest[] = []) =>
  flushBatch(client, { nowMs: bank.clock(), resolutions, holds })

const CHARGES = [3n, 0n, 7n, 5n]

type Payer = { readonly walletId: number; readonly budgetId: Id }

async function openPayer(): Promise<Payer> {
  return {
    walletId: await bank.openWallet(1_000n),
    budgetId: await bank.openBudget({ ceiling: 500n }),
  }
}

function requestsOf({ walletId, budgetId }: Payer, isKeyed = false): HoldRequest[] {
  return CHARGES.map((charge) =>
    bank.request(walletId, charge + 1n, {
      budgetId,
      externalId: `of ${charge}`,
      claim: isKeyed ? claimOf(budgetId, charge) : null,
    }),
  )
}

const claimOf = (accountId: Id, charge: bigint): Claim => ({
  accountId,
  route: 'run/search/web',
  idempotencyKey: `"key" of ${charge}`,
  fingerprint: 'ab'.repeat(32),
  expiresMs: bank.clock() + DAY_MS,
})
const answerTo = (charge: bigint): NonNullable<Resolution['answer']> | null =>
  charge === 0n ? null : { status: 200, body: `"${'價'.repeat(Number(charge))} \\ 🧾"\n` }

function resolutionOf(
  { id, walletId, budgetId, kind, amount, claim }: HoldRequest,
  place: number,
  known: boolean,
): Resolution {
  const charge = CHARGES[place] ?? 0n
  return {
    hold: { id, walletId, budgetId, kind, ...(known ? { amount } : {}) },
    charge,
    latencyMs: place,
    errorCode: charge === 0n ? 'upstream_error' : null,
    hops: `[${place}]`,
    ...(claim === null ? {} : { answer: answerTo(charge) }),
  }
}

/** Everything that is written for a payer, without the ids of calls and payers. */
async function written({ walletId, budgetId }: Payer): Promise<unknown> {
  const { rows } = await bank.database.query(
    `select (select json_agg(to_jsonb(t) - '{id,wallet_id,budget_id}'::text[] order by sequence) from transactions as t where wallet_id = $1) as transactions,
       (select json_agg(to_jsonb(a) - '{account_id,call_id}'::text[] order by idempotency_key) from answers as a where account_id = $2) as answers,
       (select to_jsonb(w) - '{id,account_id}'::text[] from wallets as w where id = $1) as wallet, (select to_jsonb(b) - 'id' from budgets as b where id = $2) as budget`,
    [walletId, budgetId],
  )
  return rows[0]
}

for (const isKeyed of [false, true])
  test(`all statements write the same rows, ${isKeyed ? 'with' : 'without'} idempotency keys`, () =>
    compareStatements(isKeyed))

async function compareStatements(isKeyed: boolean): Promise<void> {
  const [single, pair, together, judged] = [
    await openPayer(),
    await openPayer(),
    await openPayer(),
    await openPayer(),
  ]
  const [ofSingle, ofPair, ofTogether, ofJudged] = [
    requestsOf(single, isKeyed),
    requestsOf(pair, isKeyed),
    requestsOf(together, isKeyed),
    requestsOf(judged, isKeyed),
  ]
  for (const request of ofSingle) await flush([], [request])
  for (const [place, request] of ofSingle.entries())
    await flush([resolutionOf(request, place, true)])
  for (const place of [0, 2]) await flush([], ofPair.slice(place, place + 2))
  for (const place of [0, 2])
    await flush(
      ofPair
        .slice(place, place + 2)
        .map((request, index) => resolutionOf(request, place + index, true)),
    )
  await flush([], ofTogether)
  await flush(ofTogether.map((request, place) => resolutionOf(request, place, true)))
  await flush([], ofJudged)
  await flush(ofJudged.map((request, place) => resolutionOf(request, place, false)))
  const expected = await written(judged)
  assert.deepEqual(await written(together), expected)
  assert.deepEqual(await written(single), expected)
  assert.deepEqual(await written(pair), expected)
  await bank.assertSound()
}

test('operations of a small flush over several wallets get their own verdicts, in any order', async () => {
  const [first, second] = [await openPayer(), await openPayer()]
  const [settling] = requestsOf(second) as [HoldRequest]
  await flush([], [settling])
  const [fits, isShort] = [bank.request(second.walletId, 10n), bank.request(first.walletId, 2_000n)]
  const { resolved, opened, wallets } = await flush(
    [resolutionOf(settling, 0, true)],
    [fits, isShort],
  )
  assert.deepEqual(
    { resolved, opened },
    { resolved: ['resolved'], opened: ['opened', 'credit_short'] },
  )
  assert.deepEqual(
    [wallets.get(second.walletId), wallets.get(first.walletId)],
    [
      { balance: 997n, held: 10n },
      { balance: 1_000n, held: 0n },
    ],
  )
  await bank.assertSound()
})

test('refuses only the call without credit in a flush, and writes nothing twice', async () => {
  const [rich, poor] = [await openPayer(), await openPayer()]
  const opened = requestsOf(rich)
  await flush([], opened)
  const tooMuch = bank.request(poor.walletId, 5_000n, { budgetId: null })
  const { resolved, opened: verdicts } = await flush(
    opened.map((request, place) => resolutionOf(request, place, true)),
    [tooMuch, bank.request(poor.walletId, 10n, { budgetId: null })],
  )
  assert.deepEqual(
    resolved,
    CHARGES.map(() => 'resolved'),
  )
  assert.deepEqual(verdicts satisfies readonly HoldVerdict[], ['credit_short', 'opened'])
  assert.deepEqual(await bank.wallet(rich.walletId), { balance: 985n, held: 0n })
  assert.deepEqual(await bank.wallet(poor.walletId), { balance: 1_000n, held: 10n })
  await bank.assertSound()
})

test('a repeated resolution in a flush is gone and charges nothing', async () => {
  const payer = await openPayer()
  const requests = requestsOf(payer)
  await flush([], requests)
  const resolutions = requests.map((request, place) => resolutionOf(request, place, true))
  const [first] = resolutions as [Resolution]
  await flush([first])
  assert.deepEqual((await flush(resolutions)).resolved, [
    'gone',
    'resolved',
    'resolved',
    'resolved',
  ])
  assert.deepEqual((await flush([first])).resolved, ['gone'])
  assert.deepEqual(await bank.wallet(payer.walletId), { balance: 985n, held: 0n })
  await bank.assertSound()
})

test("all statements of a flush count LLM calls in their wallet's day", async () => {
  const dayOf = async ({ walletId }: Payer): Promise<unknown> =>
    (
      await bank.database.query(
        'select used_micros, cap_micros from inference_days where wallet_id = $1',
        [walletId],
      )
    ).rows[0]
  const payers = [await openPayer(), await openPayer(), await openPayer()] as const
  const [together, , judged] = payers
  const requests = payers.map((payer) =>
    requestsOf(payer).map((request): HoldRequest => ({ ...request, kind: 'llm' })),
  )
  const [ofTogether = [], ofAlone = [], ofJudged = []] = requests
  const resolutions = requests.map((some) =>
    some.map((request, place) => resolutionOf(request, place, true)),
  )
  // The first call of a day starts it, which is not ordinary.
  for (const some of requests) await flush([], some.slice(0, 1))
  await flush([], ofTogether.slice(1))
  for (const request of ofAlone.slice(1)) await flush([], [request])
  await flush([], [...ofJudged.slice(1), bank.request(judged.walletId, 5_000n)])
  assert.deepEqual(
    await Promise.all(payers.map(dayOf)),
    payers.map(() => ({ used_micros: 19n, cap_micros: 10_000_000n })),
  )
  await flush(resolutions[0] ?? [])
  for (const resolution of resolutions[1] ?? []) await flush([resolution])
  await flush(resolutions[2] ?? [], [bank.request(judged.walletId, 5_000n)])
  assert.deepEqual(
    await Promise.all(payers.map(dayOf)),
    payers.map(() => ({ used_micros: 15n, cap_micros: 10_000_000n })),
  )
  // Calls of other kinds do not change the day.
  const others = [3n, 3n, 3n, 3n].map((amount) => bank.request(together.walletId, amount))
  await flush([], others)
  await flush(
    others.map((request, place) => ({ ...resolutionOf(request, place, true), charge: 0n })),
  )
  assert.deepEqual(await dayOf(together), { used_micros: 15n, cap_micros: 10_000_000n })
  await bank.database.query('update inference_days set cap_micros = 20 where wallet_id = $1', [
    together.walletId,
  ])
  const beyond = [2n, 2n, 2n, 1n].map((amount) =>
    bank.request(together.walletId, amount, { kind: 'llm' }),
  )
  await assert.rejects(flush([], beyond), { code: 'TG429' })
  assert.deepEqual((await flush([], beyond.slice(0, 2).concat(beyond.slice(3)))).opened, [
    'opened',
    'opened',
    'opened',
  ])
  assert.deepEqual(await dayOf(together), { used_micros: 20n, cap_micros: 20n })
  await bank.assertSound()
})

test('settles a call after any jump of the clock, alone and together with others', async () => {
  const payer = await openPayer()
  for (const latencyMs of [-5_000, 100 * DAY_MS, Number.MAX_SAFE_INTEGER]) {
    for (const size of [1, 4]) {
      const requests = requestsOf(payer).slice(0, size)
      await flush([], requests)
      const { resolved } = await flush(
        requests.map((request, place) => ({ ...resolutionOf(request, place, true), latencyMs })),
      )
      assert.deepEqual(
        resolved,
        requests.map(() => 'resolved'),
      )
    }
  }
  const { rows } = await bank.database.query<{ least: number; most: number }>(
    'select min(latency_ms) as least, max(latency_ms) as most from transactions where wallet_id = $1 and held_micros > 0',
    [payer.walletId],
  )
  assert.deepEqual(
    rows.map(({ least, most }) => [least, most]),
    [[0, 2 ** 31 - 1]],
  )
  await bank.assertSound()
})

test.after(() => client.end())
