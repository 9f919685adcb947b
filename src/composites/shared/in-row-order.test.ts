import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fc } from '../../../test/harness/property.ts'
import { runInRowOrder, type RowTask } from './in-row-order.ts'

/** Rows that end in the order in which `finish` is called. */
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

describe('rows of a job', () => {
  test('all start at once when the budget covers them together', async () => {
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

  test('a row that is not covered waits for the rows before it, and starts when they were cheaper', async () => {
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

  test('the last row may start with less than it can cost, but never with less than its first call', async () => {
    const least = (available: bigint) =>
      runInRowOrder(available, [{ most: 15n, least: 10n, run: () => Promise.resolve(0n) }])
    assert.deepEqual(await least(10n), [true])
    assert.deepEqual(await least(9n), [false])
  })

  test('one row that breaks breaks the job, and no other row ends the process', async () => {
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

  test('whatever finishes first, the same rows start', async () => {
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
