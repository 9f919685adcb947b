/** What simulated vendors remember of the things that were made at them, in the memory of this process. */
import { LRUCache } from 'lru-cache'

const MOST_THINGS = 1_000

/** State by id of so many things; that of those which were not used for longest is forgotten, and they are as new then. */
export function keptState<State extends object>(): LRUCache<string, State> {
  return new LRUCache<string, State>({ max: MOST_THINGS })
}

const made = keptState<{ count: number }>()

/** The id, with a number behind it when another thing was given it: of those that are made in the same millisecond. */
export function idNotGiven(id: string): string {
  const given = made.get(id) ?? { count: 0 }
  made.set(id, given)
  given.count += 1
  return given.count === 1 ? id : `${id}-${given.count}`
}
