/** Kills the primary of a cluster under load, waits for the failover and compares the callers' results with the books. */
import { connectDatabase } from '../../../src/db/database.ts'
import { SCHEMA } from '../../../src/app/wiring/schema.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { verifyLedger } from '../../../src/ledger/verify.ts'
import { cleanUp } from '../../harness/clean-up.ts'
import { openFireBed } from '../bed.ts'
import { tally, type Answer } from '../client.ts'
import { createJournal } from '../journal.ts'
import { startLoad } from '../load.ts'
import type { Cluster } from './cluster.ts'

export type KillSettings = {
  readonly gateways: number
  readonly callers: number
  /** How many calls succeed before the primary dies, and again after the fail-over. */
  readonly calls: number
  /** How many calls succeed after replication stopped and before the primary dies; 0 leaves it running. */
  readonly behindCalls: number
}

export type FailoverFigures = {
  /** From the kill until the other node accepted writes, in ms. */
  readonly promotedMs: number
  /** From then until a call succeeded, in ms. */
  readonly firstSuccessMs: number
  readonly outcomes: Readonly<Record<string, number>>
  /** Distinct charges that callers received. */
  readonly acknowledged: number
  /** Those of them that the new primary does not know. */
  readonly lost: number
  /** Every other broken promise, in words. */
  readonly broken: readonly string[]
  readonly findings: readonly unknown[]
}

const isAnswer = ({ status }: Answer): boolean => status === 200

export async function killPrimaryUnderLoad(
  cluster: Cluster,
  { gateways, callers, calls, behindCalls }: KillSettings,
): Promise<FailoverFigures> {
  const database = connectDatabase(cluster.url)
  cleanUp(() => database.close())
  await migrate(database, SCHEMA)
  const bed = await openFireBed({ database, target: cluster.url })
  const account = await bed.account('1000000')
  const running = await bed.startMany(gateways)
  const journal = createJournal()
  const load = startLoad({
    urls: () => running.map(({ url }) => url),
    key: account.key,
    journal,
    callers,
  })
  cleanUp(() => load.stop())
  await load.answered(calls, isAnswer)
  if (behindCalls > 0) {
    await cluster.holdReplication()
    await load.answered(behindCalls, isAnswer)
  }
  const killedMs = performance.now()
  await cluster.killPrimary()
  await cluster.promoted()
  const promotedMs = performance.now()
  await load.answered(1, isAnswer)
  const firstMs = performance.now()
  await load.answered(calls, isAnswer)
  await load.stop()
  await bed.passDeadlines()
  await bed.nothingHeld()
  await load.finish(running[0]?.url ?? '')

  const broken = journal.compare(bed.vendor, await bed.charges())
  // The standby may know the hold of a call and not its charge; the hold is then released.
  const isLoss = (words: string): boolean =>
    words.endsWith('is not in the books') || words.endsWith(' and charged 0')
  return {
    promotedMs: promotedMs - killedMs,
    firstSuccessMs: firstMs - promotedMs,
    outcomes: tally(journal.answers),
    acknowledged: new Set(journal.answers.filter(isAnswer).map(({ callId }) => callId)).size,
    lost: new Set(broken.filter(isLoss)).size,
    broken: broken.filter((words) => !isLoss(words)),
    findings: (await verifyLedger(database)).findings,
  }
}
