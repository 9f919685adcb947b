/** The spending of a child counts for the thresholds of every key above it, exactly once. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createWorld } from '../../test/harness/beds/world.ts'
import { fc } from '../../test/harness/property.ts'
import { createKey } from '../keys/create-key.ts'
import type { Caller } from '../keys/caller.ts'
import { mintChild } from '../keys/children/mint-child.ts'
import { postCredit } from '../ledger/credit.ts'
import { newId } from '../lib/ids.ts'
import { wholeCents } from '../lib/money.ts'
import { listEvents } from './list-events.ts'

const { account, callerOf, call, database, keys, now } = await createWorld()

/** Three keys in a line, with limits of 100, 60 and 40 cents. */
async function tree(): Promise<readonly [Caller, Caller, Caller]> {
  const { caller } = await account()
  await postCredit(database, {
    id: newId(now()),
    walletId: caller.walletId,
    kind: 'topup',
    amount: wholeCents(10_000),
    nowMs: now(),
  })
  const top = await callerOf(
    (await createKey(keys, caller, { ceiling_cents: 100, ceiling_period: 'total', may_mint: true }))
      .key,
  )
  const middle = await mintChild(keys, top, { ceiling_cents: 60 })
  await database.query('update keys set may_mint = true where id = $1', [
    (await callerOf(middle.key)).keyId,
  ])
  const parent = await callerOf(middle.key)
  const child = await mintChild(keys, parent, { ceiling_cents: 40 })
  return [top, parent, await callerOf(child.key)]
}

/** The crossed percentages of each key, in the order of their events. */
async function percentsOf(line: readonly Caller[]): Promise<unknown[][]> {
  const [top] = line
  if (top === undefined) return []
  const page = { after: null, limit: 1_000, types: ['key.threshold'] }
  const { events } = await listEvents(database, { ...top, scope: 'account' }, page)
  return line.map(({ keyId }) =>
    events
      .filter(({ data }) => data['key_id'] === `agk_${keyId}`)
      .map(({ data }) => data['threshold_percent']),
  )
}

const crossed = (before: number, after: number, limit: number): number[] =>
  [50, 80, 100].filter(
    (percent) => before * 100 < percent * limit && after * 100 >= percent * limit,
  )

const LIMITS = [100, 60, 40] as const

describe('key.threshold of a tree', () => {
  test('follows the charges of the key and of all keys below it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 1, max: 30 })), {
          maxLength: 8,
        }),
        async (charges) => {
          const line = await tree()
          const spent = [0, 0, 0]
          const expected: number[][] = [[], [], []]
          for (const [depth, cents] of charges) {
            const path = [0, 1, 2].slice(0, depth + 1)
            if (path.some((at) => spent[at]! + cents > LIMITS[at]!)) continue
            await call(line[depth]!, { hold: String(cents) })
            for (const at of path) {
              expected[at]!.push(...crossed(spent[at]!, spent[at]! + cents, LIMITS[at]!))
              spent[at]! += cents
            }
          }
          assert.deepEqual(await percentsOf(line), expected)
        },
      ),
      { numRuns: 15 },
    )
  })

  test('is written once for concurrent charges of all keys', async () => {
    const line = await tree()
    // 42 of the topmost key, 21 of each below: 84, 42 and 21 cents of 100, 60 and 40.
    await Promise.all(
      Array.from({ length: 84 }, (_, at) => call(line[at % 2 === 0 ? 0 : at % 4 === 1 ? 1 : 2])),
    )
    assert.deepEqual(await percentsOf(line), [[50, 80], [50], [50]])
  })
})
