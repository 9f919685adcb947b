import { randomUUID } from 'node:crypto'
import { createServer, type AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { recordPrices } from '../../audit/record-prices.ts'
import { openDatabaseClock } from '../../db/database-clock.ts'
import { StartError } from '../../errors/start-error.ts'
import { keepCallLog } from '../../history/log/log-partitions.ts'
import { makePartitions } from '../../ledger/partitions.ts'
import { systemClock, type Clock } from '../../lib/clock.ts'
import { createWorkerApp } from '../../surfaces/http/worker-app.ts'
import {
  requireFreePort,
  SHARED_PORT,
  spreadConnections,
} from '../../surfaces/http/connections/spread-connections.ts'
import { loadConfig, localUrl, withPort, type Config } from '../settings/config.ts'
import { IN_HOUSE_PARTS } from '../settings/in-house-parts.ts'
import { createDatabaseOutage } from '../monitoring/database-outage.ts'
import { openEngine, type Engine } from '../wiring/engine.ts'
import { firstStart, ignoredOwnerKey } from './first-start.ts'
import { openGateway } from './gateway.ts'
import { writeAddressFile } from './address-file.ts'
import { logSandbox } from '../monitoring/log-sandbox.ts'
import { startMaintenance } from '../chores/maintenance.ts'
import { openMetrics } from '../monitoring/metrics.ts'
import { openMailServer } from './mail-server.ts'
import { openCardDesk } from '../wiring/cards.ts'
import { openDatabase } from '../wiring/open-database.ts'
import { requireOwn } from '../wiring/own/own-catalog.ts'
import { hasOwnFiles } from '../wiring/own/read-own.ts'
import { listenWhenFree } from './listen.ts'
import { openLog } from './open-log.ts'
import { growYoungGeneration } from './young-generation.ts'
import type { StartingDatabase } from './wait-for-database.ts'

type Environment = Readonly<Record<string, string | undefined>>
type Running = { close(): Promise<void> }

/** The gateway process; includes the worker when `work` is set. */
export async function serve(
  environment: Environment,
  { work: withWork }: { readonly work: boolean },
): Promise<Running> {
  const { config, freePort } = await choosePort(loadConfig(environment))
  const own = await requireOwn(config)
  const { logger, database, now, again, started, closeDatabase } = await openWatchedDatabase(config)
  await makePartitions(database, now())
  await keepCallLog(database, { nowMs: now(), days: config.callLogDays })
  const [engine] = await Promise.all([
    openEngine({ config, database, logger, now, own, work: withWork }),
    logSandbox(logger, config),
  ])
  for (const part of engine.parts)
    logger.info(`${IN_HOUSE_PARTS[part].effect}; IN_HOUSE=none turns this off`)
  const gateway = await openGateway(config, database, engine, logger, now)
  await recordPrices(database, engine.calls.catalog)
  const maintenance = withWork
    ? startMaintenance(engine, {
        logger,
        callLogDays: config.callLogDays,
        cards: openCardDesk(config, logger),
      })
    : null
  // Prepared before the port is released, so that another program has hardly time to take it.
  spreadConnections(gateway.app)
  await gateway.app.ready()
  await freePort()
  // From here on, callers get an error while the database is away.
  started()
  await listen(gateway.app, config.host, { port: config.port, setting: 'PORT', ...SHARED_PORT })
  const mail = await openMailServer(config, engine, logger)
  const takeAddressAway = await writeAddressFile(config)
  // Last: the keys of a start that fails later would never be shown.
  const welcome = await again(() => firstStart(config, database, now))
  if (welcome !== null) process.stdout.write(welcome)
  const warning = await again(() => ignoredOwnerKey(config, database, now))
  if (warning !== null) logger.warn(warning)
  process.stdout.write(`tollgate ready on ${config.publicUrl}\n`)
  void gateway.warmUp(growYoungGeneration)
  const stopReloads = reloadOnHangUp(config, engine, logger)
  return {
    async close() {
      stopReloads()
      await takeAddressAway()
      await mail?.close()
      await maintenance?.stop()
      await gateway.close()
      await engine.close()
      await closeDatabase()
    },
  }
}

/** A process without an API: it works on jobs and runs the chores. With WORK_PORT it serves health checks. */
export async function work(environment: Environment): Promise<Running> {
  const config = loadConfig(environment)
  const own = await requireOwn(config)
  const { logger, database, now, started, closeDatabase } = await openWatchedDatabase(config)
  const [engine] = await Promise.all([
    openEngine({ config, database, logger, now, own, work: true }),
    logSandbox(logger, config),
  ])
  started()
  const maintenance = startMaintenance(engine, {
    logger,
    callLogDays: config.callLogDays,
    cards: openCardDesk(config, logger),
  })
  const app =
    config.workPort === null ? null : await openWorkerApp(config, config.workPort, engine, logger)
  growYoungGeneration()
  const stopReloads = reloadOnHangUp(config, engine, logger)
  process.stdout.write(
    `tollgate worker ready${app === null ? '' : ` on ${localUrl({ host: config.host, port: (app.server.address() as AddressInfo).port })}`}\n`,
  )
  return {
    async close() {
      stopReloads()
      await maintenance.stop()
      await app?.close()
      await engine.close()
      await closeDatabase()
    },
  }
}

/** SIGHUP reads the operator's own actions again. Without any, it ends the process as usual. */
function reloadOnHangUp(config: Config, { own }: Engine, logger: Logger): () => void {
  if (!hasOwnFiles(config)) return () => {}
  const reload = (): void =>
    void own.reload().catch((error: unknown) => {
      logger.error({ err: error }, 'own actions could not be reloaded')
    })
  process.on('SIGHUP', reload)
  return () => void process.off('SIGHUP', reload)
}

/**
 * With PORT=0 the system chooses a free port. It must be known before pages with links are built,
 * and is reserved until the gateway itself listens.
 */
async function choosePort(
  config: Config,
): Promise<{ readonly config: Config; freePort(): Promise<void> }> {
  if (config.port !== 0) return { config, freePort: async () => {} }
  const probe = createServer()
  await new Promise<void>((ready, fail) => probe.once('error', fail).listen(0, config.host, ready))
  const { port } = probe.address() as AddressInfo
  return {
    config: withPort(config, port),
    freePort: () => new Promise((closed) => void probe.close(() => closed())),
  }
}

type WatchedDatabase = Pick<StartingDatabase, 'database' | 'again' | 'started'> & {
  readonly logger: Logger
  readonly now: Clock
  closeDatabase(): Promise<void>
}

/** From here on the log reports an outage of the database once, and the time is the database's. */
async function openWatchedDatabase(config: Config): Promise<WatchedDatabase> {
  const outage = createDatabaseOutage({ now: systemClock })
  const logger = openLog(config, { outage })
  const { database, direct, again, started, close } = await openDatabase(config, logger)
  outage.watch(direct, logger)
  for (const { name, meant } of config.mistyped)
    logger.warn(`${name} is not a setting and has no effect. Did you mean ${meant}?`)
  // The clock only measures durations until the database is open. No id is created before, because later ids would keep its day.
  const clock = await again(() =>
    openDatabaseClock({ database: direct, self: randomUUID().replaceAll('-', ''), log: logger }),
  )
  const closeDatabase = (): Promise<void> => {
    clock.close()
    outage.close()
    return close()
  }
  return { logger, database, again, started, now: clock.now, closeDatabase }
}

async function openWorkerApp(
  config: Config,
  port: number,
  engine: Engine,
  logger: Logger,
): Promise<FastifyInstance> {
  const { database, now } = engine.calls
  const metrics = openMetrics(config, database, engine, now)
  const app = await createWorkerApp({
    ownActions: engine.own.state,
    database,
    now,
    logger,
    ...(metrics === null ? {} : { metrics }),
  })
  await listen(app, config.host, { port, setting: 'WORK_PORT' })
  return app
}

async function listen(
  app: FastifyInstance,
  host: string,
  {
    port,
    setting,
    ...shared
  }: { readonly port: number; readonly setting: string; readonly reusePort?: true },
): Promise<void> {
  try {
    await listenWhenFree(async () => {
      await requireFreePort(host, port)
      await app.listen({ host, port, ...shared })
    })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new StartError(
        `Port ${port} on ${host} is used by another program. Stop it, or set ${setting} to another number.`,
      )
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartError(`HOST="${host}" is not an address of this machine.`)
    if (code === 'EACCES')
      throw new StartError(
        `This user may not open port ${port}. Set ${setting} to a number above 1023.`,
      )
    throw error
  }
}
