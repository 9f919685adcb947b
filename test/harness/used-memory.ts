import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** What this process keeps in memory, bytes outside of the heap among it, and garbage not. */
export function usedBytes(): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
