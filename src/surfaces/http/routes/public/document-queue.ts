import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../../errors/app-error.ts'

/** Documents below this are sent when they are asked for. */
export const LARGE_BYTES = 64 * 1024
// A client that pipelines asks for many at once; a page and its programs for a few.
const MOST_WAITING_FOR_ADDRESS = 64
const MOST_WAITING = 2_000
const LOOKED_AT_IN_A_TURN = 64
/** Until a client has taken what was sent to it before. */
const UNREADY_MS = 5
const RETRY_AFTER_SECONDS = 1

type Waiting = {
  readonly address: string
  readonly reply: FastifyReply
  readonly send: () => unknown
}

/**
 * Sends large documents one in each turn of the event loop, and no second one over a connection before it has taken the
 * first: handing a megabyte to the system takes a millisecond, and a few thousand of them in one turn would stop every call.
 */
export class DocumentQueue {
  #waiting: Waiting[] = []
  readonly #byAddress = new Map<string, number>()
  #isScheduled = false

  /** Throws AppError rate_limited when this client, and overloaded when too many clients, wait for documents already. */
  send({ ip }: FastifyRequest, reply: FastifyReply, send: () => unknown): FastifyReply {
    const waiting = this.#byAddress.get(ip) ?? 0
    if (this.#waiting.length >= MOST_WAITING)
      throw new AppError('overloaded', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS })
    if (waiting >= MOST_WAITING_FOR_ADDRESS)
      throw new AppError(
        'rate_limited',
        `This address waits for ${MOST_WAITING_FOR_ADDRESS} documents already.`,
        {
          fix: 'Read the answers before you ask for more, and keep documents by their ETag.',
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
    if (isLater) setTimeout(this.#takeTurn, UNREADY_MS)
    else setImmediate(this.#takeTurn)
  }

  readonly #takeTurn = (): void => {
    this.#isScheduled = false
    let hasSent = false
    for (
      let looked = Math.min(LOOKED_AT_IN_A_TURN, this.#waiting.length);
      looked > 0 && !hasSent;
      looked -= 1
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

/** Whether its connection is free for it: what is pipelined has no connection before its turn. */
function isReady({ raw }: FastifyReply): boolean {
  return (
    raw.destroyed ||
    raw.req.socket.destroyed ||
    (raw.socket !== null && raw.socket.writableLength < LARGE_BYTES)
  )
}
