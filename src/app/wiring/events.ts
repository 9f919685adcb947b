import type { Logger } from 'pino'
import type { Mail, Mailer } from '../../auth/auth-services.ts'
import { createSmtpMailer } from '../../auth/smtp-mailer.ts'
import type { Database } from '../../db/database.ts'
import { listenTo } from '../../db/listen.ts'
import { createDeliveryWorker } from '../../events/delivery/delivery-worker.ts'
import {
  createEventWaiters,
  EVENTS_CHANNEL,
  type EventWaiters,
} from '../../events/event-waiters.ts'
import { createSecretBox } from '../../events/webhooks/secrets.ts'
import type { WebhookDeps } from '../../events/webhooks/webhook-deps.ts'
import type { Clock } from '../../lib/clock.ts'
import { sharedSecret } from '../../resources/files/shared-secret.ts'
import type { Guard } from '../../upstream/guard.ts'
import type { Config } from '../settings/config.ts'

export type Events = {
  readonly webhooks: WebhookDeps
  readonly waiters: EventWaiters
  close(): Promise<void>
}

export type EventsDeps = {
  readonly config: Config
  readonly database: Database
  readonly guard: Guard
  readonly now: Clock
  readonly logger: Logger
  /** Whether this process delivers events. */
  readonly work: boolean
}

/** Deliveries in progress per process. They wait for receivers and use hardly any processor time. */
const CONCURRENCY = 32
/** Finds retries that are due, and deliveries of dead workers. */
const CHECK_EVERY_MS = 1_000

/** Listens for new events: wakes requests that wait for them, and delivers them to webhooks. */
export async function openEvents({
  config,
  database,
  guard,
  now,
  logger,
  work,
}: EventsDeps): Promise<Events> {
  const secrets = createSecretBox(await sharedSecret(database, 'webhooks'))
  const { mail } = config.people
  const mailer = mail === null ? null : createSmtpMailer(mail)
  const waiters = createEventWaiters()
  const worker = createDeliveryWorker({
    database,
    now,
    guard,
    secrets,
    publicUrl: config.publicUrl,
    userAgent: 'Tollgate-Webhooks/1.0',
    sendMail: mailer === null ? null : reportFailures(mailer, logger),
    concurrency: CONCURRENCY,
    random: Math.random,
    onError: (error, what) => logger.error({ err: error }, what),
  })
  const wake = (): void => void (work && worker.wake())
  const listener = listenTo({
    database,
    purpose: 'events',
    channel: EVENTS_CHANNEL,
    onMessage(payload) {
      waiters.announce(payload)
      wake()
    },
    onGap() {
      waiters.announceAll()
      wake()
    },
  })
  const timer = setInterval(wake, CHECK_EVERY_MS)
  if (!work) clearInterval(timer)
  return {
    webhooks: { database, now, guard, secrets, sendsEmail: mailer !== null },
    waiters,
    async close() {
      clearInterval(timer)
      waiters.close()
      await worker.stop()
      await listener.close()
      mailer?.close()
    },
  }
}

function reportFailures(mailer: Mailer, logger: Logger): (mail: Mail) => Promise<void> {
  return async (mail) => {
    try {
      await mailer.send(mail)
    } catch (error) {
      logger.warn({ err: error }, 'an email about an event could not be sent')
      throw error
    }
  }
}
