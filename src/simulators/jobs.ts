/** Jobs of simulated vendors. A job's id holds what was asked and when, so that nothing has to be remembered. */
import type { Clock } from '../lib/clock.ts'

export type SimulatedJob = {
  readonly state: 'running' | 'finished'
  readonly asked: Readonly<Record<string, unknown>>
}

export const RUNS_MS = 1_000

export function startJob(asked: Readonly<Record<string, unknown>>, now: Clock): string {
  return `sim-${now().toString(36)}-${Buffer.from(JSON.stringify(asked)).toString('base64url')}`
}

/** Undefined when nobody knows the id, which is so when it begins with "unknown"; any other id is of a finished job about nothing in particular. */
export function jobOf(id: string, now: Clock): SimulatedJob | undefined {
  if (id.startsWith('unknown')) return undefined
  const [, started = '', payload = ''] = /^sim-([a-z0-9]+)-(.+)$/.exec(id) ?? []
  return {
    state: now() - Number.parseInt(started, 36) < RUNS_MS ? 'running' : 'finished',
    asked: askedOf(payload),
  }
}

function askedOf(payload: string): Readonly<Record<string, unknown>> {
  try {
    const asked: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    return typeof asked === 'object' && asked !== null
      ? (asked as Readonly<Record<string, unknown>>)
      : {}
  } catch {
    return {}
  }
}
