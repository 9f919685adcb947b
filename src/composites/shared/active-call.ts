import type { CallTools, Hop } from '../../catalog/vocabulary/handlers.ts'

/** A call that a row is waiting for. */
export type ActiveCall = {
  readonly provider: string
  readonly action: string
  readonly startedMs: number
}

type Row = { activeCall: ActiveCall | null }

/** Returns the same tools, which set `activeCall` of `rows` during each call. */
export function trackActiveCalls<Tools extends CallTools>(
  tools: Tools,
  rows: readonly Row[],
): Tools {
  const invoke: CallTools['invoke'] = async (service, action, input, limitMs) => {
    const call: ActiveCall = { provider: service, action, startedMs: tools.now() }
    for (const row of rows) row.activeCall = call
    const made = tools.invoke(service, action, input, limitMs)
    return made.finally(() => {
      for (const row of rows) if (row.activeCall === call) row.activeCall = null
    })
  }
  return { ...tools, invoke }
}

/** The hop of an unfinished call, for a row that is returned before the call ends. */
export function activeHops({ activeCall }: Row, nowMs: number): Hop[] {
  if (activeCall === null) return []
  const { provider, action, startedMs } = activeCall
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
