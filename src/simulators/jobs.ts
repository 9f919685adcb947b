/** Jobs of simulated vendors. The id contains the input and the start time, so no state is needed. */
import type { Clock } from '../lib/clock.ts'

export type SimulatedJob = {
  readonly state: 'running' | 'finished'
  readonly input: Readonly<Record<string, unknown>>
}

export const RUNS_MS = 1_000

export function startJob(input: Readonly<Record<string, unknown>>, now: Clock): string {
  return `sim-${now().toString(36)}-${Buffer.from(JSON.stringify(input)).toString('base64url')}`
}

/** Undefined for an id that starts with "unknown". Any other unknown id is a finished job without input. */
export function jobOf(id: string, now: Clock): SimulatedJob | undefined {
  if (id.startsWith('unknown')) return undefined
  const [, started = '', payload = ''] = /^sim-([a-z0-9]+)-(.+)$/.exec(id) ?? []
  return {
    state: now() - Number.parseInt(started, 36) < RUNS_MS ? 'running' : 'finished',
    input: decodeInput(payload),
  }
}

function decodeInput(payload: string): Readonly<Record<string, unknown>> {
  try {
    const input: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    return typeof input === 'object' && input !== null
      ? (input as Readonly<Record<string, unknown>>)
      : {}
  } catch {
    return {}
  }
}
