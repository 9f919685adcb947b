import type { Database } from '../db/database.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Clock } from '../lib/clock.ts'
import { createDailyCap } from './daily-cap.ts'
import { createDirectory, type DirectorySettings } from './directory.ts'
import { createModelLists } from './model-lists.ts'
import { ROUTER_TIMES, type RouterTimes } from './open-first.ts'
import type { Router } from './underway.ts'

export type RouterParts = Omit<DirectorySettings, 'lists'> & { readonly database: Database; readonly ledger: Ledger; readonly now: Clock; readonly times?: RouterTimes }

export function createRouter({ database, ledger, now, times = ROUTER_TIMES, ...settings }: RouterParts): Router {
  const directory = createDirectory({ ...settings, lists: createModelLists({ database, now }) })
  return { directory, dailyCap: createDailyCap({ ledger, database, now }), ledger, database, now, times }
}
