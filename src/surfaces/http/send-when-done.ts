import type { FastifyReply } from 'fastify'
import { publicId } from '../../lib/ids.ts'

/** `send` sends what `work` brings; `over` is called before either way of ending. */
export type Later<Answer> = {
  readonly work: Promise<Answer>
  readonly send: (answer: Answer) => unknown
  readonly over: () => unknown
}

/**
 * Answers when `work` is done, with its error if it fails. With callbacks, for the routes that every call comes by: the
 * framework waits for the promise of an async handler twice.
 */
export function sendWhenDone<Answer>(
  reply: FastifyReply,
  { work, send, over }: Later<Answer>,
): void {
  const fail = (error: unknown): void => {
    // The answer has begun, so only the log can tell what went wrong with it.
    if (reply.sent)
      reply.log.error(
        { err: error, request_id: publicId('request', reply.request.id) },
        'an answer that had begun could not be finished',
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
