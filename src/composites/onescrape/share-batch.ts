import type { Hop } from '../../catalog/vocabulary/handlers.ts'
import { charged } from '../../catalog/prices/hop.ts'
import { cents, maxMicros, minMicros, roundUpToCent, type Micros } from '../../lib/money.ts'
import type { Climb } from './page-row.ts'
import { BATCH_RATE } from './readers.ts'

/** The batch that all climbs began with is one call with a minimum: the pages that it read share its price, which is returned. */
export function shareBatch(climbs: readonly Climb[], batch: Hop): Micros {
  const read = climbs.filter(({ winner }) => winner !== null)
  const count = BigInt(read.length)
  if (count === 0n) return 0n
  const price = minMicros(
    BigInt(batch.charged_micros),
    maxMicros(cents('1'), roundUpToCent(BATCH_RATE * count)),
  )
  const remainder = price % count
  read.forEach((climb, place) => {
    const share = price / count + (BigInt(place) < remainder ? 1n : 0n)
    const { winner } = climb
    if (winner === null) return
    const hop = charged(winner.hop, share)
    climb.winner = { ...winner, hop }
    climb.hops.splice(-1, 1, hop)
  })
  return price
}
