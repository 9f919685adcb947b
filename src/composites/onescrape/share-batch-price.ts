import type { Hop } from '../../catalog/vocabulary/handlers.ts'
import { withCharge } from '../../catalog/prices/hop.ts'
import { cents, maxMicros, minMicros, roundUpToCent, type Micros } from '../../lib/money.ts'
import type { PageTask } from './page-row.ts'
import { BATCH_RATE } from './readers/batch.ts'

/** Divides the price of the batch call among the pages that it read. Returns that price. */
export function shareBatchPrice(tasks: readonly PageTask[], batch: Hop): Micros {
  const read = tasks.filter(({ winner }) => winner?.call === batch)
  const price = batchPrice(read.length, batch)
  const count = BigInt(read.length)
  read.forEach((task, place) => {
    const { winner } = task
    if (winner === null) return
    const share = price / count + (BigInt(place) < price % count ? 1n : 0n)
    const hop = withCharge(winner.hop, share)
    task.hops.splice(task.hops.indexOf(winner.hop), 1, hop)
    task.winner = { ...winner, hop }
  })
  return price
}

/** The most that the batch can cost: every doubtful reading may still win. */
export function highestBatchPrice(tasks: readonly PageTask[], batch: Hop): Micros {
  const read = tasks.filter(({ winner, doubtful }) => (winner ?? doubtful)?.call === batch)
  return batchPrice(read.length, batch)
}

/** The price for `count` pages, which has a minimum; zero for no page. */
function batchPrice(count: number, batch: Hop): Micros {
  if (count === 0) return 0n
  return minMicros(
    BigInt(batch.charged_micros),
    maxMicros(cents('1'), roundUpToCent(BATCH_RATE * BigInt(count))),
  )
}
