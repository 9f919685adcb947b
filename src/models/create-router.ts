import type { Database } from '../db/database.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { CallTally } from '../lib/call-tally.ts'
import type { Clock } from '../lib/clock.ts'
import { createDailyCap, type DailyCap } from './daily-cap.ts'
import { createDirectory, type Directory, type DirectorySettings } from './directory.ts'
import { createModelLists } from './model-lists.ts'
import { ROUTER_TIMES, type RouterTimes } from './open-first.ts'

export type Router = {
  readonly directory: Directory
  readonly dailyCap: DailyCap
  readonly ledger: Ledger
  readonly database: Database
  readonly now: Clock
  readonly times: RouterTimes
  readonly tally?: CallTally
}

export type RouterParts = Omit<DirectorySettings, 'lists'> & { readonly database: Database; readonly ledger: Ledger; readonly now: Clock; readonly times?: RouterTimes; readonly tally?: CallTally | undefined }

export function createRouter({ database, ledger, now, times = ROUTER_TIMES, tally, ...settings }: RouterParts): Router {
  const directory = createDirectory({ ...settings, lists: createModelLists({ database, now }) })
  return { directory, dailyCap: createDailyCap({ ledger, database, now }), ledger, database, now, times, ...(tally === undefined ? {} : { tally }) }
}
