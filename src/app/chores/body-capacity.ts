import { getHeapStatistics } from 'node:v8'

const MOST_BYTES = 512 * 1024 * 1024
/** The upper limit, however much memory there is. */
const UNCOUNTED_BYTES = 256 * 1024
/** The longest body that any route accepts: a request to the LLM router. */
const LEAST_BYTES = 20 * 1024 * 1024
/** A body is in memory as bytes, as text, as a parsed value and as the request to the vendor. */
const COPIES = 4

/**
 * The total size in bytes that all large request bodies in progress may have: the amount that fits,
 * with its copies, into the heap and into half of the process's memory limit.
 */
export function bodyCapacity(
  heapBytes = getHeapStatistics().heap_size_limit,
  memoryBytes = memoryOfProcess(),
): number {
  return Math.max(
    LEAST_BYTES,
    Math.min(MOST_BYTES, Math.floor(heapBytes / COPIES), Math.floor(memoryBytes / 2 / COPIES)),
  )
}

/** Bodies up to this size are not counted. With less memory, smaller bodies count too. */
export function bodyLimits(capacity = bodyCapacity()): {
  readonly mostBodyBytes: number
  readonly uncountedBodyBytes: number
} {
  return {
    mostBodyBytes: capacity,
    uncountedBodyBytes: Math.floor((UNCOUNTED_BYTES * capacity) / MOST_BYTES),
  }
}

/** Memory that is free on the machine or left in the control group, plus what the process uses. */
function memoryOfProcess(): number {
  return process.availableMemory() + process.memoryUsage.rss()
}
