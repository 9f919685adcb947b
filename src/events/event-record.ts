import { toRfc3339 } from '../lib/clock.ts'
import { publicId, type Id } from '../lib/ids.ts'
import type { EventTypeName } from './event-types.ts'

export type EventRow = {
  readonly id: Id
  readonly type: EventTypeName
  readonly sequence: bigint
  readonly data: Readonly<Record<string, unknown>>
  readonly created_ms: bigint
}

/** An event as callers and webhooks see it. `sequence` orders the events of an account and mode. */
export type EventRecord = {
  readonly id: string
  readonly type: EventTypeName
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>> & { readonly sequence: number }
}

export const EVENT_COLUMNS =
  'events.id, events.type, events.sequence, events.data, events.created_ms'

export function eventRecord({ id, type, sequence, data, created_ms: ms }: EventRow): EventRecord {
  return {
    id: publicId('event', id),
    type,
    timestamp: toRfc3339(Number(ms)),
    data: { sequence: Number(sequence), ...data },
  }
}
