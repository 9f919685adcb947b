import { getHeapStatistics } from 'node:v8'

const MOST_BYTES = 512 * 1024 * 1024
/** Where the room is the largest. */
const UNCOUNTED_BYTES = 256 * 1024
/** One body of the longest kind, which the router takes. */
const LEAST_BYTES = 20 * 1024 * 1024
/** A body lies in memory as it came, as text, as what it says, and as what is sent to the vendor. */
const COPIES = 4

/**
 * How much the large bodies of all requests in progress may come to: what fits, with its copies, into the heap and into
 * half of the memory that the process may have.
 */
export function bodyRoom(
  heapBytes = getHeapStatistics().heap_size_limit,
  memoryBytes = memoryOfProcess(),
): number {
  return Math.max(
    LEAST_BYTES,
    Math.min(MOST_BYTES, Math.floor(heapBytes / COPIES), Math.floor(memoryBytes / 2 / COPIES)),
  )
}

/** Bodies that are not counted are smaller where there is less room, so that very many of them fit into memory too. */
export function bodyLimits(room = bodyRoom()): {
  readonly mostBodyBytes: number
  readonly uncountedBodyBytes: number
} {
  return {
    mostBodyBytes: room,
    uncountedBodyBytes: Math.floor((UNCOUNTED_BYTES * room) / MOST_BYTES),
  }
}

/** What is free on the machine, or left to the process by its control group, with what it has already. */
function memoryOfProcess(): number {
  return process.availableMemory() + process.memoryUsage.rss()
}
