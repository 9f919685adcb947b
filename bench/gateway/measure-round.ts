import { cpuMs, type Bed, type Server } from './bed.ts'
import type { LoadResult } from './load.ts'

/** A round with the CPU time per call in microseconds, of the server and of the processes on the other core. */
export type Round = LoadResult & {
  readonly serverMicros: number
  readonly databaseMicros: number
  readonly vendorMicros: number
  readonly loadMicros: number
}

/** Runs a load of one server for a number of seconds. */
export async function measureRound(
  bed: Pick<Bed, 'databaseCpuMs' | 'vendor'>,
  { pid }: Server,
  seconds: number,
  load: (seconds: number) => Promise<LoadResult>,
): Promise<Round> {
  const used = (): number[] => [
    cpuMs(pid),
    bed.databaseCpuMs(),
    cpuMs(bed.vendor.pid),
    cpuMs(process.pid),
  ]
  const before = used()
  const result = await load(seconds)
  const [serverMicros = 0, databaseMicros = 0, vendorMicros = 0, loadMicros = 0] = used().map(
    (ms, place) => ((ms - (before[place] ?? 0)) * 1000) / (result.perSecond * seconds),
  )
  return { ...result, serverMicros, databaseMicros, vendorMicros, loadMicros }
}
