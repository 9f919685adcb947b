import { publicId } from '../../lib/ids.ts'
import type { RouteReply } from './route-objects.ts'

/** `send` sends the result of `work`. `over` runs first, also after a failure. */
export type Pending<Answer> = {
  readonly work: Promise<Answer>
  readonly send: (answer: Answer) => unknown
  readonly over: () => unknown
}

/**
 * Responds when `work` is done, with its error if it fails. Hot routes use this instead of an async
 * handler, because Fastify awaits the promise of a handler twice.
 */
export function sendWhenDone<Answer>(
  reply: RouteReply,
  { work, send, over }: Pending<Answer>,
): void {
  const fail = (error: unknown): void => {
    // The response has begun, so only the log can report the error.
    if (reply.sent)
      reply.log.error(
        { err: error, request_id: publicId('request', reply.request.id) },
        'a response failed after it had begun',
      )
    else reply.send(error)
  }
  reply.request.work = work
  work.then(
    (answer) => {
      over()
      try {
        send(answer)
      } catch (error) {
        fail(error)
      }
    },
    (error: unknown) => {
      over()
      fail(error)
    },
  )
}
