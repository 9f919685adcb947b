/** What the simulated vendors were asked, for tests that count vendor calls. Holds no credentials and a bounded number. */
import type { SimulatedRequest } from './vendor.ts'

export type RecordedRequest = {
  readonly service: string
  readonly method: string
  readonly path: string
  readonly body: unknown
}

export type RequestLog = {
  /** A body of more than 16 KiB is not kept. */
  readonly add: (service: string, request: SimulatedRequest, bodyLength: number) => void
  /** All requests since the start or the last `clear`, of one service when it is named. */
  readonly count: (service?: string) => number
  /** The latest requests, oldest first, at most a hundred. */
  readonly recent: () => readonly RecordedRequest[]
  readonly clear: () => void
}

const MAX_RECENT = 100
const MAX_KEPT_BODY = 16 * 1024

export function openRequestLog(): RequestLog {
  const counts = new Map<string, number>()
  let recent: RecordedRequest[] = []
  return {
    add: (service, { method, path, body }, bodyLength) => {
      counts.set(service, (counts.get(service) ?? 0) + 1)
      recent.push({ service, method, path, body: bodyLength > MAX_KEPT_BODY ? undefined : body })
      // Trimmed in one go now and then, so that adding stays cheap.
      if (recent.length >= 2 * MAX_RECENT) recent = recent.slice(-MAX_RECENT)
    },
    count: (service) =>
      service === undefined
        ? counts.values().reduce((sum, count) => sum + count, 0)
        : (counts.get(service) ?? 0),
    recent: () => recent.slice(-MAX_RECENT),
    clear: () => {
      counts.clear()
      recent = []
    },
  }
}
