import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fc } from '../../../test/harness/property.ts'
import { runInRowOrder, type RowTask } from './run-in-row-order.ts'

/** Rows that end when the test calls their entry in `running`. */
function heldRows(costs: readonly { most: bigint; least: bigint; cost: bigint }[]) {
  const running = new Map<number, () => void>()
  const rows: RowTask[] = costs.map(({ most, least, cost }, place) => ({
    most,
    least,
    run: () =>
      new Promise((resolve) => running.set(place, () => (running.delete(place), resolve(cost)))),
  }))
  return { rows, running }
}

const settled = () => new Promise<void>((resume) => setImmediate(resume))

describe('runInRowOrder', () => {
  test('starts all rows concurrently if the budget covers them', async () => {
    const { rows, running } = heldRows(
      Array.from({ length: 50 }, () => ({ most: 16n, least: 10n, cost: 10n })),
    )
    const ended = runInRowOrder(800n, rows)
    await settled()
    assert.equal(running.size, 50)
    for (const finish of running.values()) finish()
    assert.deepEqual(
      await ended,
      Array.from({ length: 50 }, () => true),
    )
  })

  test('delays an uncovered row until earlier rows turn out cheaper', async () => {
    const { rows, running } = heldRows([
      { most: 16n, least: 10n, cost: 0n },
      { most: 16n, least: 10n, cost: 16n },
      { most: 16n, least: 10n, cost: 1n },
    ])
    const ended = runInRowOrder(20n, rows)
    await settled()
    assert.deepEqual([...running.keys()], [0])
    running.get(0)?.()
    await settled()
    assert.deepEqual([...running.keys()], [1])
    running.get(1)?.()
    assert.deepEqual(await ended, [true, true, false])
  })

  test('starts a row with less than its highest cost if the first call is covered', async () => {
    const least = (available: bigint) =>
      runInRowOrder(available, [{ most: 15n, least: 10n, run: () => Promise.resolve(0n) }])
    assert.deepEqual(await least(10n), [true])
    assert.deepEqual(await least(9n), [false])
  })

  test('rejects if one row fails, without an unhandled rejection of the others', async () => {
    const broken = () => Promise.reject(new Error('lost'))
    await assert.rejects(
      runInRowOrder(100n, [
        { most: 10n, least: 1n, run: broken },
        { most: 10n, least: 1n, run: broken },
      ]),
      /lost/,
    )
    await settled()
  })

  test('starts the same rows in any order of completion', async () => {
    const cost = fc.record({
      most: fc.bigInt(0n, 20n),
      least: fc.bigInt(0n, 20n),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(cost, { maxLength: 12 }),
        fc.bigInt(0n, 120n),
        fc.infiniteStream(fc.nat()),
        async (drawn, available, order) => {
          const costs = drawn.map(({ most, least, share }) => ({
            most: most > least ? most : least,
            least,
            cost: BigInt(Math.floor(Number(most > least ? most : least) * share)),
          }))
          const outcome = async (next: () => number) => {
            const held = heldRows(costs)
            const progress = { isOver: false }
            const ended = runInRowOrder(available, held.rows).finally(
              () => (progress.isOver = true),
            )
            while (!progress.isOver) {
              const places = [...held.running.keys()]
              held.running.get(places[next() % Math.max(1, places.length)] ?? -1)?.()
              await settled()
            }
            return ended
          }
          const first = await outcome(() => 0)
          assert.deepEqual(await outcome(() => order.next().value ?? 0), first)
        },
      ),
      { numRuns: 100 },
    )
  })
})
