/** Jobs of vendors that read many pages: one action launches a job, another returns its status. */
import { Type, type Static } from '../../lib/schema.ts'
import { params, type Ownership } from '../../catalog/vocabulary/define.ts'
import { text } from '../../catalog/vocabulary/fields.ts'
import { done, empty, failed, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { field, isErrorAlone } from '../../catalog/answers/vendor-failure.ts'
import {
  get,
  type QueryValue,
  type Reply,
  type WireRequest,
} from '../../catalog/vocabulary/wire.ts'

/** Separates the jobs of different accounts. */
export const createdJob: Ownership = {
  createdId: ({ body }) => {
    const id = field(body, 'id')
    return typeof id === 'string' ? id : undefined
  },
}
export const targetJob: Ownership<{ readonly id: string }> = { targetId: ({ id }) => id }

/**
 * The input of a status action. The id becomes a path segment, so it must not contain separators.
 */
export function jobInput(launchedBy: string) {
  return params({
    id: text(`The id that ${launchedBy} returned.`, 4_000, { pattern: '^[A-Za-z0-9_-]+$' }),
  })
}

/** Polling changes nothing at the vendor, so it is repeated once after a server error. */
export function pollJob(path: string, query?: Readonly<Record<string, QueryValue>>): WireRequest {
  return { ...get(path, query), retry: { times: 1, afterMs: 500 } }
}

export const launchReply = Type.Object({
  success: Type.Boolean(),
  id: Type.Optional(Type.String({ minLength: 1 })),
  error: Type.Optional(Type.Unknown()),
  invalidURLs: Type.Optional(Type.Unknown()),
})

/** Drops the vendor's own status URL, because callers poll the gateway. */
export function launchOutcome({
  body: { success, id, error, invalidURLs },
}: Reply<Static<typeof launchReply>>): Outcome {
  if (success && id === undefined)
    return failed(
      'order_unknown',
      'The vendor accepted the job without returning its id. Nothing was charged.',
    )
  if (!success)
    return failed(
      'upstream_rejected',
      typeof error === 'string' && error !== ''
        ? error.slice(0, 500)
        : 'The vendor did not accept the job.',
    )
  return done(invalidURLs === undefined ? { success, id } : { success, id, invalidURLs })
}

/**
 * A job that ended without a result is an empty answer and free, regardless of the poll's price.
 */
export function statusOutcome(body: Data, status: string, delivered: unknown): Outcome {
  if (
    status === 'failed' ||
    status === 'cancelled' ||
    isErrorAlone({ status: 200, headers: {}, body })
  )
    return empty(body)
  return status === 'completed' && !isFilled(delivered) ? empty(body) : done(body)
}
