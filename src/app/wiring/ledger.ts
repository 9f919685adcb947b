import type { Logger } from 'pino'
import { findLostPurchases } from '../../calls/payments/lost-purchases.ts'
import type { Database } from '../../db/database.ts'
import { openExchange } from '../../ledger/capacity/exchange.ts'
import { createLedger, type Ledger } from '../../ledger/ledger.ts'
import type { Clock } from '../../lib/clock.ts'
import { publicId } from '../../lib/ids.ts'
import type { Config } from '../settings/config.ts'

export function openLedger(
  { publicUrl, cards }: Pick<Config, 'publicUrl' | 'cards'>,
  database: Database,
  now: Clock,
  logger: Logger,
): Ledger {
  return createLedger({
    database,
    now,
    topupUrl: `${publicUrl}/balance`,
    sellsCredit: cards !== null,
    exchange: openExchange(database, now()),
    answersOfExpired: findLostPurchases(database),
    onLateResult: ({ id, service, action }, charge) =>
      logger.warn(
        {
          request_id: publicId('request', id),
          action: `${service}/${action}`,
          uncharged_micros: Number(charge),
        },
        'a result arrived after its hold was released and is not charged',
      ),
    pause: (ms) => new Promise((resume) => setTimeout(resume, ms)),
  })
}
