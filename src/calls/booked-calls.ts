import type { Id } from '../lib/ids.ts'
import { RecentMap } from '../lib/recent-map.ts'

// A surface logs a call right after its hold is resolved, so few are noted at a time.
const booked = new RecentMap<Id, true>(20_000)

/** Notes a call that has a transaction but no charge, so that the call log does not count it again. */
export function noteBooked(id: Id): void {
  booked.set(id, true)
}

/** Whether the call was noted. Forgets it. */
export function takeBooked(id: Id): boolean {
  const isBooked = booked.get(id) === true
  booked.delete(id)
  return isBooked
}
