/** What simulated vendors remember of the things that were made at them, in the memory of this process. */
import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'

const MOST_THINGS = 1_000

/** State by id of so many things; that of those which were not used for longest is forgotten, and they are as new then. */
export function keptState<State extends object>(): LRUCache<string, State> {
  return new LRUCache<string, State>({ max: MOST_THINGS })
}

/** Sets things apart that are made in the same millisecond. */
export function newMark(): string {
  return randomBytes(6).toString('hex')
}
