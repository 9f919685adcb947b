/** Logs the requests to simulated vendors, for tests that count them. Stores no credentials. */
import type { SimulatedRequest } from './vendor.ts'

export type RecordedRequest = {
  readonly service: string
  readonly method: string
  readonly path: string
  readonly body: unknown
}

export type RequestLog = {
  /** Omits a body above 16 KiB. */
  readonly add: (service: string, request: SimulatedRequest, bodyLength: number) => void
  /** Counts requests since the start or the last `clear`, of all services or one. */
  readonly count: (service?: string) => number
  /** The last hundred requests, oldest first. */
  readonly recent: () => readonly RecordedRequest[]
  readonly clear: () => void
}

const MAX_RECENT = 100
const MAX_STORED_BODY = 16 * 1024

export function openRequestLog(): RequestLog {
  const counts = new Map<string, number>()
  let recent: RecordedRequest[] = []
  return {
    add: (service, { method, path, body }, bodyLength) => {
      counts.set(service, (counts.get(service) ?? 0) + 1)
      recent.push({ service, method, path, body: bodyLength > MAX_STORED_BODY ? undefined : body })
      // Trims in batches, so that adding is cheap.
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
