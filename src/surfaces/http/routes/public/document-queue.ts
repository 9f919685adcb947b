import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../../errors/app-error.ts'

/** Smaller documents are sent immediately. */
export const LARGE_BYTES = 64 * 1024
// A page requests a few documents at a time; only a pipelining client requests many.
const MOST_WAITING_FOR_ADDRESS = 64
const MOST_WAITING = 2_000
const CHECKED_PER_TURN = 64
/** Pause while all clients still read their previous document. */
const UNREADY_MS = 5
const RETRY_AFTER_SECONDS = 1

type Waiting = {
  readonly address: string
  readonly reply: FastifyReply
  readonly send: () => unknown
}

/**
 * Sends one large document per turn of the event loop, and the next one to a connection only after it
 * has read the previous one. Writing 1 MB takes a millisecond, so thousands in a row would block all calls.
 */
export class DocumentQueue {
  #waiting: Waiting[] = []
  readonly #byAddress = new Map<string, number>()
  #isScheduled = false

  /** Throws AppError rate_limited if this client waits for too many documents, and overloaded if all clients together do. */
  send({ ip }: FastifyRequest, reply: FastifyReply, send: () => unknown): FastifyReply {
    const waiting = this.#byAddress.get(ip) ?? 0
    if (this.#waiting.length >= MOST_WAITING)
      throw new AppError('overloaded', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS })
    if (waiting >= MOST_WAITING_FOR_ADDRESS)
      throw new AppError(
        'rate_limited',
        `This client already waits for ${MOST_WAITING_FOR_ADDRESS} documents.`,
        {
          fix: 'Read the pending responses before you request more, and cache documents by their ETag.',
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        },
      )
    this.#byAddress.set(ip, waiting + 1)
    this.#waiting.push({ address: ip, reply, send })
    this.#schedule(false)
    return reply
  }

  #schedule(isLater: boolean): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    if (isLater) setTimeout(this.#sendNext, UNREADY_MS)
    else setImmediate(this.#sendNext)
  }

  readonly #sendNext = (): void => {
    this.#isScheduled = false
    let hasSent = false
    for (
      let checks = Math.min(CHECKED_PER_TURN, this.#waiting.length);
      checks > 0 && !hasSent;
      checks -= 1
    ) {
      const next = this.#waiting.shift() as Waiting
      if (isReady(next.reply)) {
        hasSent = !next.reply.raw.destroyed
        this.#forget(next.address)
        next.send()
      } else this.#waiting.push(next)
    }
    if (this.#waiting.length > 0) this.#schedule(!hasSent)
  }

  #forget(address: string): void {
    const left = (this.#byAddress.get(address) ?? 1) - 1
    if (left === 0) this.#byAddress.delete(address)
    else this.#byAddress.set(address, left)
  }
}

/** Whether the connection can take the document. A pipelined response has no connection until its turn. */
function isReady({ raw }: FastifyReply): boolean {
  return (
    raw.destroyed ||
    raw.req.socket.destroyed ||
    (raw.socket !== null && raw.socket.writableLength < LARGE_BYTES)
  )
}
