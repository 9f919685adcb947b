import type { FastifyInstance } from 'fastify'
import { creditCardPayment, type CardDesk } from '../../../../accounts/card-desk.ts'
import { reverseCardPayment } from '../../../../accounts/card-reversals.ts'
import { keepUnread } from '../../../../accounts/cards/kept-events.ts'
import type { Database } from '../../../../db/database.ts'
import type { Clock } from '../../../../lib/clock.ts'
import { parseWholeBody } from '../../bodies/whole-body.ts'

export type CardRouteDeps = {
  readonly database: Database
  readonly now: Clock
  readonly cards: CardDesk
}

const EVENT_LIMIT_BYTES = 256 * 1024

/** The webhook for card payments, refunds and disputes. Its signature covers the raw body. */
export async function cardRoutes(
  app: FastifyInstance,
  { database, now, cards }: CardRouteDeps,
): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    parseWholeBody((bytes) => bytes),
  )

  app.post('/balance/card-events', { bodyLimit: EVENT_LIMIT_BYTES }, async (request, reply) => {
    const signature = request.headers['stripe-signature']
    const event = cards.read(
      Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      Array.isArray(signature) ? signature.join() : signature,
      now(),
    )
    const credited =
      event?.kind === 'paid' && (await creditCardPayment({ database, now, cards }, event))
    const reversed =
      event?.kind === 'reversed' || event?.kind === 'refund_failed'
        ? await reverseCardPayment({ database, now }, event)
        : null
    // An event about money of this gateway is booked, or stored for the operator.
    if (event?.kind === 'unread' && (await keepUnread(database, event, now())))
      cards.reportUnread(event)
    return reply.send({
      ok: true,
      credited,
      taken_back_micros: Number(reversed ?? 0n),
    })
  })
}
