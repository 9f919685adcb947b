import type { CallTools, Hop } from '../../catalog/vocabulary/handlers.ts'

/** A call that somebody waits for. */
export type UnderWay = {
  readonly provider: string
  readonly action: string
  readonly startedMs: number
}

/** What waits for calls one after the other. */
type Waiting = { underWay: UnderWay | null }

/** The same tools, noting in `rows` the call that they wait for: a row that is answered before its end shows it. */
export function noting<Tools extends CallTools>(tools: Tools, rows: readonly Waiting[]): Tools {
  const invoke: CallTools['invoke'] = async (service, action, input, limitMs) => {
    const call: UnderWay = { provider: service, action, startedMs: tools.now() }
    for (const row of rows) row.underWay = call
    const made = tools.invoke(service, action, input, limitMs)
    return made.finally(() => {
      for (const row of rows) if (row.underWay === call) row.underWay = null
    })
  }
  return { ...tools, invoke }
}

/** Its line in a row: made, and not waited for any longer. */
export function hopsUnderWay({ underWay }: Waiting, nowMs: number): Hop[] {
  if (underWay === null) return []
  const { provider, action, startedMs } = underWay
  return [
    {
      provider,
      action,
      ok: false,
      charged_cents: 0,
      charged_micros: 0,
      latency_ms: Math.max(0, nowMs - startedMs),
    },
  ]
}
