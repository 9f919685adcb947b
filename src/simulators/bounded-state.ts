/** The state of objects at simulated vendors, in the memory of this process. */
import { LRUCache } from 'lru-cache'

const MOST_OBJECTS = 1_000

/** State by id. The least recently used object is dropped and is then like new. */
export function createState<State extends object>(): LRUCache<string, State> {
  return new LRUCache<string, State>({ max: MOST_OBJECTS })
}

const counts = createState<{ count: number }>()

/** Adds a number to an id that is in use, for objects created in the same millisecond. */
export function uniqueId(id: string): string {
  const used = counts.get(id) ?? { count: 0 }
  counts.set(id, used)
  used.count += 1
  return used.count === 1 ? id : `${id}-${used.count}`
}
