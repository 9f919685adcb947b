import type { Calls } from '../../calls/call.ts'
import { OWN_BROWSER_TIME } from '../../calls/ways/browser-time.ts'
import type { GoneRoutes } from '../../calls/lanes/gone-routes.ts'
import { createValidator, type Validator } from '../../catalog/validate/validate.ts'
import type { InHouseHandler, JobHandler, LocalHandler } from '../../catalog/vocabulary/handlers.ts'
import { createDiscover } from '../../composites/discover/create-discover.ts'
import { EMAIL_HANDLERS } from '../../composites/emails/email-handlers.ts'
import type { Complete } from '../../composites/shared/complete.ts'
import type { Database } from '../../db/database.ts'
import type { JobWaiters } from '../../jobs/waiters.ts'
import type { Clock } from '../../lib/clock.ts'
import type { CallTally } from '../../lib/metrics/call-tally.ts'
import type { FileDeps } from '../../resources/files/file-deps.ts'
import { createReadyBoxes } from '../../resources/sessions/ready-boxes.ts'
import { preemptSession } from '../../resources/sessions/preempt-session.ts'
import { withInHouseMachines } from '../../resources/boxes/session-box.ts'
import type { SessionDeps } from '../../resources/sessions/session-deps.ts'
import { SEARCH_HANDLERS } from '../../composites/search/search-handlers.ts'
import { SANDBOX_HANDLERS } from '../../resources/boxes/sandbox-handlers.ts'
import { GIT_HANDLERS } from '../../resources/git/git-handlers.ts'
import { handlersWithout, MEDIA_HANDLERS } from '../../resources/media/media-handlers.ts'
import { INBOX_HANDLERS } from '../../resources/inboxes/inbox-handlers.ts'
import type { PaymentMethod } from '../../upstream/pay/offer.ts'
import type { Config } from '../settings/config.ts'
import type { Egress } from './egress.ts'
import type { Extraction } from './extraction.ts'
import { createLiveCatalog, type Generation, type LiveCatalog } from './own/live-catalog.ts'
import type { Own } from './own/read-own.ts'
import { ownVendor } from '../../simulators/own-vendor.ts'
import { inHouseHandlers, jobHandlers, localHandlers } from './handlers.ts'
import { openCatalog } from './in-house/open-catalog.ts'
import type { InHouse } from './in-house/open-in-house.ts'
import type { HandlerMeans } from './in-house/supported-handlers.ts'
import type { Reading } from './reading.ts'
import { requireHandlers } from './require-handlers.ts'

/** Handlers that exist only on a gateway with the part. */
const HANDLERS_OF_PARTS: readonly string[] = [
  ...GIT_HANDLERS,
  ...INBOX_HANDLERS,
  ...EMAIL_HANDLERS,
  ...SEARCH_HANDLERS,
  ...SANDBOX_HANDLERS,
  ...MEDIA_HANDLERS,
  OWN_BROWSER_TIME,
]

type PerformerDeps = {
  readonly config: Pick<Config, 'upstreams' | 'userAgent' | 'inHouse' | 'countCaps'>
  readonly database: Database
  readonly now: Clock
  readonly tally: CallTally | undefined
  readonly egress: Egress
  readonly reading: Reading
  readonly files: FileDeps
  readonly complete: Complete
  readonly extraction: Extraction
  readonly waiters: JobWaiters
  readonly payments: readonly PaymentMethod[]
  readonly inHouse: InHouse
  readonly gone: GoneRoutes
  readonly own: Own
}

/** The actions, and the code that carries each of them out. */
export type Performers = Pick<Calls, 'browsers'> &
  Generation & {
    readonly validator: Validator
    readonly sessions: SessionDeps
    readonly inHouse: ReadonlyMap<string, InHouseHandler>
    readonly local: ReadonlyMap<string, LocalHandler>
    readonly jobs: ReadonlyMap<string, JobHandler>
    readonly live: Pick<LiveCatalog, 'revision'> & {
      /** Replaces the operator's own actions, once the search knows them. Rejects with StartError for settings that do not fit them. */
      replace(own: Own): Promise<void>
    }
  }

/** Throws if a record names a handler that is not registered. */
export function createPerformers(deps: PerformerDeps): Performers {
  const { config, database, now, tally, egress, reading, files, complete, waiters } = deps
  const [{ guard }, { userAgent }, { extraction }] = [egress, config, deps]
  const validator = createValidator()
  const inHouse = inHouseHandlers({
    pages: reading.pages,
    extraction,
    guard,
    userAgent,
    database,
    now,
    ...deps.inHouse,
  })
  const live = createLiveCatalog(openGeneration(deps, deps.own))
  simulateOwn(egress, deps.own)
  const { catalog, lanes, discover } = live
  const sessions: SessionDeps = {
    database,
    now,
    boxFor: withInHouseMachines(createReadyBoxes(lanes.targetOf, now), deps.inHouse.boxes),
    ...(tally === undefined ? {} : { tally }),
  }
  deps.inHouse.boxes?.host.onYield((id) => preemptSession(sessions, id))
  const local = localHandlers({
    catalog,
    validator,
    lanes,
    discover,
    readers: reading.readers,
    pages: reading.pages,
    complete,
    waiters,
    files,
    guard,
    userAgent,
    database,
    now,
    sessions,
  })
  const jobs = jobHandlers({ readers: reading.readers, complete, pages: reading.pages, files })
  requireHandlers(catalog, {
    inHouse: new Set([...inHouse.keys(), ...HANDLERS_OF_PARTS]),
    local: new Set(local.keys()),
    jobs: new Set(jobs.keys()),
  })
  const { browsers } = deps.inHouse
  return {
    ...(browsers === null ? {} : { browsers }),
    catalog,
    validator,
    lanes,
    discover,
    sessions,
    inHouse,
    local,
    jobs,
    live: {
      revision: live.revision,
      async replace(own) {
        const next = openGeneration(deps, own)
        await next.discover.prepare()
        simulateOwn(egress, own)
        live.replace(next)
      },
    },
  }
}

function openGeneration(deps: PerformerDeps, { folder, prices }: Own): Generation {
  const { config, egress } = deps
  for (const { id, vendor } of folder.services) egress.gates.renew(id, vendor?.limits)
  const { catalog, lanes } = openCatalog({
    own: folder.services,
    rules: prices,
    nowMs: deps.now(),
    prices: config.inHouse.prices,
    countCaps: config.countCaps,
    means: meansOf(deps),
    sources: {
      upstreams: config.upstreams,
      guardedDispatcher: egress.guard.vendors,
      operatorDispatcher: egress.operatorDispatcher,
      simulatorUrl: egress.simulators.url,
      userAgent: config.userAgent,
      gates: egress.gates,
      payments: deps.payments,
      gone: deps.gone,
      inHouseMachines: deps.inHouse.boxes?.sessionServices ?? new Set(),
      inHouseNotes: deps.inHouse.notes,
    },
  })
  const discover = createDiscover({ services: catalog.services, laneOf: lanes.statusOf })
  return { catalog, lanes, discover }
}

function simulateOwn({ simulators }: Egress, { folder }: Own): void {
  simulators.setOwn(new Map(folder.files.map((file) => [file.service, ownVendor(file)])))
}

function meansOf({ config, extraction, inHouse: { parts, media } }: PerformerDeps): HandlerMeans {
  return {
    hasModel: extraction.extractData !== null,
    parts: new Set(parts),
    proxies: config.inHouse.proxies,
    without: media === null ? new Set() : handlersWithout(media.programs),
  }
}
