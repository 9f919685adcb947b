/** Jobs of vendors that read many pages: one action launches, another asks how far it is. */
import { Type, type Static } from 'typebox'
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

/** Each account asks only about its own jobs. */
export const launchesJob: Ownership = {
  createdId: ({ body }) => {
    const id = field(body, 'id')
    return typeof id === 'string' ? id : undefined
  },
}
export const asksAboutJob: Ownership<{ readonly id: string }> = { targetId: ({ id }) => id }

/** Input of the asking action. The id goes into a path: nothing in it may end a segment. */
export function jobInput(launchedBy: string) {
  return params({
    id: text(`The id that ${launchedBy} returned.`, 4_000, { pattern: '^[A-Za-z0-9_-]+$' }),
  })
}

/** Asking changes nothing at the vendor: after a server error it is asked once more. */
export function askAboutJob(
  path: string,
  query?: Readonly<Record<string, QueryValue>>,
): WireRequest {
  return { ...get(path, query), retry: { times: 1, afterMs: 500 } }
}

export const launchReply = Type.Object({
  success: Type.Boolean(),
  id: Type.Optional(Type.String({ minLength: 1 })),
  error: Type.Optional(Type.Unknown()),
  invalidURLs: Type.Optional(Type.Unknown()),
})

/** Vendors add the address under which they would be asked: callers ask the gateway instead. */
export function launchOutcome({
  body: { success, id, error, invalidURLs },
}: Reply<Static<typeof launchReply>>): Outcome {
  if (!success || id === undefined)
    return failed(
      'upstream_rejected',
      typeof error === 'string' && error !== ''
        ? error.slice(0, 500)
        : 'The vendor did not take the job.',
    )
  return done(invalidURLs === undefined ? { success, id } : { success, id, invalidURLs })
}

/** A job that ended without anything to show is seen by the caller and costs nothing, however the poll is priced. */
export function statusOutcome(body: Data, status: string, delivered: unknown): Outcome {
  if (
    status === 'failed' ||
    status === 'cancelled' ||
    isErrorAlone({ status: 200, headers: {}, body })
  )
    return empty(body)
  return status === 'completed' && !isFilled(delivered) ? empty(body) : done(body)
}
