import { setTimeout as afterMs } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Database } from '../../db/database.ts'
import { createClientDocuments } from '../../auth/oauth/client-documents.ts'
import { createAuthenticator } from '../../keys/authenticate.ts'
import type { Clock } from '../../lib/clock.ts'
import { createWarmUp, untilIdle } from '../../lib/background/warm-up.ts'
import { sessionDrivers } from '../wiring/sessions.ts'
import { sharedSecret } from '../../resources/files/shared-secret.ts'
import { createApp } from '../../surfaces/http/app.ts'
import type { Config } from '../settings/config.ts'
import type { Engine } from '../wiring/engine.ts'
import { openMetrics } from '../monitoring/metrics.ts'
import { watchFacilitator } from '../monitoring/facilitator-watch.ts'
import { bodyLimits } from '../chores/body-capacity.ts'
import { mostConnections } from '../wiring/open-files.ts'
import { openAuth } from '../wiring/auth.ts'
import { openCardDesk } from '../wiring/cards.ts'
import { openOperate } from '../wiring/operate.ts'
import { facilitatorOf, openHouse, openSelling, sellingNetwork } from '../wiring/selling.ts'

export type Gateway = {
  readonly app: FastifyInstance
  /** Builds the search indexes in slices. Calls `busy` once calls arrive, at the latest in the end. Never rejects. */
  warmUp(busy: () => void): Promise<void>
  close(): Promise<void>
}

const CACHED_KEYS = 20_000
/** Holds and settlements of the first few calls after a start. */
const FEW_OPERATIONS = 20
const CACHED_KEY_MS = 30_000

/** Builds the HTTP surface on top of the engine. */
export async function openGateway(
  config: Config,
  database: Database,
  engine: Engine,
  logger: Logger,
  now: Clock,
): Promise<Gateway> {
  const { calls, discover, jobs, events, files, router, guard } = engine
  const { catalog, lanes } = calls
  const authenticator = createAuthenticator({
    database,
    now,
    cacheSize: CACHED_KEYS,
    cacheMs: CACHED_KEY_MS,
  })
  const selling = openSelling(config, {
    secretKey: (await sharedSecret(database, 'sales')).toString('hex'),
    now,
    logger,
  })
  if (selling !== null) await openHouse(database, selling, now())
  const facilitator = config.sell.evmAddress === null ? null : facilitatorOf(config.sell, now)
  const watch =
    facilitator === null ? null : watchFacilitator(facilitator, sellingNetwork(config.sell), logger)
  const cards = openCardDesk(config, logger)
  const people = openAuth(config.people)
  const metrics = openMetrics(config, database, engine, now)
  const warmUp = createWarmUp()
  warmUp.add(discover.prepare)
  const app = await createApp({
    ...(cards === null ? {} : { cards }),
    ...(selling === null ? {} : { selling }),
    ...(metrics === null ? {} : { metrics }),
    operate: openOperate({ config, database, now, engine }),
    calls,
    events,
    files,
    router,
    ...(engine.git === null ? {} : { git: engine.git }),
    ...(engine.browsers === null ? {} : { browsers: engine.browsers }),
    sessions: sessionDrivers(engine.sessions),
    fetching: { guard, userAgent: config.userAgent },
    clientDocuments: createClientDocuments({ guard, userAgent: config.userAgent, now }),
    authenticator,
    keys: { database, now, forget: authenticator.forget },
    published: {
      catalog,
      laneOf: lanes.statusOf,
      revision: engine.revision,
      publicUrl: config.publicUrl,
      discover,
      warmUp,
    },
    people,
    trustedProxies: config.trustedProxies,
    rateLimitPerMinute: config.rateLimitPerMinute,
    callLogDays: config.callLogDays,
    mcpConfirmAboveCents: config.mcpConfirmAboveCents,
    mostConnections: mostConnections(),
    ...bodyLimits(),
    newCallId: engine.lease.newCallId,
    ownActions: engine.own.state,
    logger,
  })
  return {
    app,
    async warmUp(busy) {
      const begun = (): number => {
        const { operations } = calls.ledger.figures()
        if (operations > FEW_OPERATIONS) busy()
        return operations
      }
      await warmUp.run(
        () => untilIdle(begun, afterMs),
        (error) => logger.error({ err: error }, 'a search index could not be built'),
      )
      busy()
    },
    async close() {
      // Requests that wait for a job are answered first; closing then waits for the calls in flight.
      jobs.answerWaiting()
      events.waiters.close()
      engine.calls.ledger.endWaits()
      await app.close()
      watch?.stop()
      people.mailer?.close()
      await authenticator.close()
    },
  }
}
