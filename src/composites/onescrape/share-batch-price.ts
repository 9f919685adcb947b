import type { Hop } from '../../catalog/vocabulary/handlers.ts'
import { withCharge } from '../../catalog/prices/hop.ts'
import { cents, maxMicros, minMicros, roundUpToCent, type Micros } from '../../lib/money.ts'
import type { PageTask } from './page-row.ts'
import { BATCH_RATE } from './readers/batch.ts'

/** Divides the price of the batch call, which has a minimum, among the pages that it read. Returns that price. */
export function shareBatchPrice(tasks: readonly PageTask[], batch: Hop): Micros {
  const read = tasks.filter(({ winner }) => winner !== null)
  const count = BigInt(read.length)
  if (count === 0n) return 0n
  const price = minMicros(
    BigInt(batch.charged_micros),
    maxMicros(cents('1'), roundUpToCent(BATCH_RATE * count)),
  )
  const remainder = price % count
  read.forEach((task, place) => {
    const share = price / count + (BigInt(place) < remainder ? 1n : 0n)
    const { winner } = task
    if (winner === null) return
    const hop = withCharge(winner.hop, share)
    task.winner = { ...winner, hop }
    task.hops.splice(-1, 1, hop)
  })
  return price
}
