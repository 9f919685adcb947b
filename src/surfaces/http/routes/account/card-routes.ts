import type { FastifyInstance } from 'fastify'
import { creditCardPayment, type CardDesk } from '../../../../accounts/card-desk.ts'
import { reverseCardPayment } from '../../../../accounts/card-reversals.ts'
import type { Database } from '../../../../db/database.ts'
import type { Clock } from '../../../../lib/clock.ts'
import { parseWholeBody } from '../../bodies/whole-body.ts'

export type CardRouteOptions = {
  readonly database: Database
  readonly now: Clock
  readonly cards: CardDesk
}

const EVENT_LIMIT_BYTES = 256 * 1024

/** Where the card company tells of payments, refunds and disputes. Its signature is over the bytes as they came. */
export async function cardRoutes(
  app: FastifyInstance,
  { database, now, cards }: CardRouteOptions,
): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    parseWholeBody((bytes) => bytes),
  )

  app.post('/balance/card-events', { bodyLimit: EVENT_LIMIT_BYTES }, async (request, reply) => {
    const signature = request.headers['stripe-signature']
    const news = cards.read(
      Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      Array.isArray(signature) ? signature.join() : signature,
      now(),
    )
    const credited = news?.kind === 'paid' ? await creditCardPayment({ database, now }, news) : null
    if (news?.kind === 'paid' && credited?.ofClosed === true)
      request.log.warn(
        { account: news.account, reference: news.reference },
        'a card payment came for an account that is closed, so nobody can spend it: refund it at the card company',
      )
    const takenBack =
      news?.kind === 'reversed' ? await reverseCardPayment({ database, now }, news) : null
    return reply.send({
      ok: true,
      credited: credited?.isNew === true,
      taken_back_micros: Number(takenBack ?? 0n),
    })
  })
}
