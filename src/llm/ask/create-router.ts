import type { Database } from '../../db/database.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { LoopWatch } from '../../calls/loops/loop-watch.ts'
import type { CallTally } from '../../lib/metrics/call-tally.ts'
import type { Clock } from '../../lib/clock.ts'
import { SharedCapacity } from '../../lib/fairness/shared-capacity.ts'
import { createDirectory, type Directory, type DirectorySettings } from '../lists/directory.ts'
import { HiddenTokens } from '../bill/hidden-tokens.ts'
import { createModelLists } from '../lists/model-lists.ts'
import { PrefixAffinity } from '../lists/prefix-affinity.ts'
import { OpenAnswers } from './open-answers.ts'
import { ROUTER_TIMES, type RouterTimes } from './open-first.ts'
import { KeepAlive } from '../stream/keep-alive.ts'
import { MOST_RECORDED_BYTES } from '../stream/recording.ts'

export type Router = {
  readonly directory: Directory
  readonly ledger: Ledger
  readonly database: Database
  readonly now: Clock
  readonly times: RouterTimes
  readonly hiddenTokens: HiddenTokens
  readonly affinity: PrefixAffinity
  readonly keepAlive: KeepAlive
  /** Memory for streams that are recorded. */
  readonly recordings: SharedCapacity
  /** Body fields that the operator allows in addition to the standard ones. */
  readonly extraFields: ReadonlySet<string>
  /** Responses in progress in this process. */
  readonly answers: OpenAnswers
  readonly tally?: CallTally
  /** Without it no call is stopped because of the spending of its key. */
  readonly loops?: LoopWatch
}

export type RouterDeps = Omit<DirectorySettings, 'lists'> & {
  readonly database: Database
  readonly ledger: Ledger
  readonly now: Clock
  readonly times?: RouterTimes
  readonly extraFields?: ReadonlySet<string>
  readonly tally?: CallTally | undefined
  readonly loops?: LoopWatch | undefined
}

export function createRouter({
  database,
  ledger,
  now,
  times = ROUTER_TIMES,
  extraFields = new Set(),
  tally,
  loops,
  ...settings
}: RouterDeps): Router {
  const directory = createDirectory({ ...settings, lists: createModelLists({ database, now }) })
  return {
    directory,
    ledger,
    database,
    now,
    times,
    extraFields,
    hiddenTokens: new HiddenTokens(),
    affinity: new PrefixAffinity(),
    keepAlive: new KeepAlive(now),
    recordings: new SharedCapacity(MOST_RECORDED_BYTES, 'recorded responses'),
    answers: new OpenAnswers(),
    ...(tally === undefined ? {} : { tally }),
    ...(loops === undefined ? {} : { loops }),
  }
}
