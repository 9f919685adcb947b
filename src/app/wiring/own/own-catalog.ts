/** The operator's own actions of this process: replaced whole or not at all, and agreed on by all processes. */
import type { Logger } from 'pino'
import { recordPrices } from '../../../audit/record-prices.ts'
import type { Catalog } from '../../../catalog/index.ts'
import { faultText, type FileFault } from '../../../catalog/own/read-folder.ts'
import { nextChangeMs } from '../../../catalog/prices/price-rules.ts'
import type { Database } from '../../../db/database.ts'
import { listenTo } from '../../../db/listen.ts'
import { StartError } from '../../../errors/start-error.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Config } from '../../settings/config.ts'
import { hasOwnFiles, readOwn, type Own } from './read-own.ts'
import type { RouterMargins } from './router-margins.ts'

/** `accepted`: what a process accepted last. Null before the first own action of an installation. */
export type OwnState = {
  readonly hash: string
  readonly accepted: string | null
  readonly agrees: boolean
}

export type OwnCatalog = {
  /** Reads the files again and uses them unless there is a fault. Returns the faults. */
  reload(): Promise<readonly FileFault[]>
  /** Uses the present files again, after the settings of their lanes changed. */
  renew(): void
  state(): OwnState
  close(): Promise<void>
}

const CHANNEL = 'own_actions'
const SHOWN_FAULTS = 10
/** The problem of a folder that lost all its files. */
export const EMPTIED =
  'has no files, so a reload would remove all own actions: if that is meant, run "./tollgate actions reload --allow-empty".'
const BEGIN_EVERY_MS = 1_000

/** Reads the files at the start. Throws StartError with their faults. */
export async function requireOwn(config: Config): Promise<Own> {
  const own = await readOwn(config)
  if (own.faults.length > 0)
    throw new StartError(
      `The files of your own actions have faults:\n${own.faults.slice(0, SHOWN_FAULTS).map(faultText).join('\n')}\nSee "./tollgate actions check".`,
    )
  return own
}

type OwnCatalogDeps = {
  readonly config: Config
  readonly database: Database
  readonly logger: Pick<Logger, 'info' | 'warn'>
  readonly now: Clock
  /** The files in use at the start. */
  readonly first: Own
  readonly live: { replace(own: Own): Promise<void> }
  /** The catalog in use. */
  readonly catalog: Pick<Catalog, 'allActions'>
  readonly margins: Pick<RouterMargins, 'use'>
}

/** The hash that a process accepted last. */
export async function readAccepted(database: Pick<Database, 'query'>): Promise<string | null> {
  const { rows } = await database.query<{ hash: string }>('select hash from accepted_actions')
  return rows[0]?.hash ?? null
}

/**
 * Notifies every process: each reads its own files, and uses them if they have this hash. Returns false, and
 * notifies none, if another process has accepted other files `since`.
 */
export async function announce(
  database: Pick<Database, 'query'>,
  hash: string,
  nowMs: number,
  since: string | null = null,
): Promise<boolean> {
  const { rows } = await database.query(
    `with accepted as (
       insert into accepted_actions (hash, accepted_ms) values ($1, $2)
       on conflict (is_only) do update set hash = excluded.hash, accepted_ms = excluded.accepted_ms
       where $3::text is null or accepted_actions.hash = $3
       returning hash
     ) select pg_notify('${CHANNEL}', hash) from accepted`,
    [hash, nowMs, since],
  )
  return rows.length > 0
}

export async function openOwnCatalog(deps: OwnCatalogDeps): Promise<OwnCatalog> {
  const { config, database, logger, now, live, catalog, margins } = deps
  let current = deps.first
  let accepted = await readAccepted(database)
  let last: Promise<unknown> = Promise.resolve()

  /** One after the other: a reload that began later has the later files. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(work, work)
    last = result.catch(() => undefined)
    return result
  }

  async function use(own: Own): Promise<void> {
    await live.replace(own)
    margins.use(own.prices)
    await recordPrices(database, catalog).catch((error: unknown) =>
      logger.warn({ err: error }, 'changed prices could not be recorded'),
    )
  }

  async function readAndUse(wanted?: string): Promise<readonly FileFault[]> {
    const own = await readOwn(config)
    if (own.faults.length > 0 || (wanted !== undefined && own.hash !== wanted)) return own.faults
    if (own.hash === current.hash) return []
    if (wanted === undefined && isEmptied(own)) return [emptied()]
    try {
      await use(own)
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      return [{ file: 'settings', line: null, pointer: null, problem: error.message }]
    }
    current = own
    changesMs = nextChangeMs(own.prices, now())
    logger.info({ hash: own.hash }, 'own actions are replaced')
    return []
  }

  /** A folder that is not mounted is empty, too. */
  function isEmptied({ folder }: Own): boolean {
    return folder.files.length === 0 && current.folder.files.length > 0
  }

  function emptied(): FileFault {
    const file = config.actionsDir ?? 'ACTIONS_DIR'
    return { file, line: null, pointer: null, problem: EMPTIED }
  }

  async function adopt(hash: string): Promise<void> {
    accepted = hash
    if (hash === current.hash) return
    const faults = await readAndUse(hash)
    if (current.hash !== hash)
      logger.warn(
        {
          accepted: hash,
          hash: current.hash,
          faults: faults.slice(0, SHOWN_FAULTS).map(faultText),
        },
        'another process accepted other own actions or prices than the files of this one: this process keeps its own',
      )
  }

  async function announceCurrent(since: string | null = null): Promise<void> {
    if (accepted === current.hash || (accepted === null && current.hash === '')) return
    if (await announce(database, current.hash, now(), since)) accepted = current.hash
  }

  /** Another process may have accepted later files than those that this start read. */
  async function begin(): Promise<void> {
    const isLate = accepted !== null && accepted !== current.hash
    if (isLate && ((await readAndUse()).length > 0 || current.folder.files.length === 0)) return
    await announceCurrent(accepted)
  }

  async function readAndAnnounce(): Promise<readonly FileFault[]> {
    const faults = await readAndUse()
    if (faults.length === 0) await announceCurrent()
    else
      logger.warn(
        { faults: faults.slice(0, SHOWN_FAULTS).map(faultText) },
        'the files of own actions have faults: the former actions stay in use',
      )
    return faults
  }

  const logFailed = (error: unknown): void =>
    logger.warn({ err: error }, 'own actions of another process could not be used')

  /** Announced prices begin by the clock, with the same files. */
  let changesMs = nextChangeMs(current.prices, now())
  async function beginPrices(): Promise<void> {
    if (changesMs === null || now() < changesMs) return
    await use(current)
    changesMs = nextChangeMs(current.prices, now())
  }

  await begin()
  const begins = (): void =>
    void inTurn(beginPrices).catch((error: unknown) =>
      logger.warn({ err: error }, 'announced prices could not begin: they are tried again'),
    )
  const timer = config.pricesFile === null ? undefined : setInterval(begins, BEGIN_EVERY_MS).unref()
  const listener = hasOwnFiles(config)
    ? listenTo({
        database,
        purpose: 'own actions',
        channel: CHANNEL,
        onMessage: (hash) => void inTurn(() => adopt(hash)).catch(logFailed),
        onGap: () =>
          void inTurn(async () => {
            const hash = await readAccepted(database)
            if (hash !== null) await adopt(hash)
          }).catch(logFailed),
      })
    : null
  /** A reload that has not begun will read the files as they are then, so later signals join it. */
  let waiting: Promise<readonly FileFault[]> | null = null
  return {
    reload: () =>
      (waiting ??= inTurn(() => {
        waiting = null
        return readAndAnnounce()
      })),
    renew: () =>
      void inTurn(() => live.replace(current)).catch((error: unknown) =>
        logger.warn({ err: error }, 'the lanes of a changed vendor key could not be opened'),
      ),
    state: () => ({
      hash: current.hash,
      accepted,
      agrees: (accepted ?? '') === current.hash,
    }),
    async close() {
      clearInterval(timer)
      await listener?.close()
      await last
    },
  }
}
