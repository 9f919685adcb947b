import { randomInt } from 'node:crypto'
import type { GatewayProcess } from '../harness/clients/gateway-process.ts'
import { FOUND, type FireBed } from './bed.ts'
import { tally } from './client.ts'
import { createJournal } from './journal.ts'
import { startLoad, type Load } from './load.ts'

export type KillReport = {
  readonly kills: number
  readonly outcomes: Readonly<Record<string, number>>
  /** Holds of dead processes, and the repeats after the sweep. */
  readonly orphans: number
  readonly askedAgain: number
  readonly broken: readonly string[]
  readonly heldAfterwards: bigint
}

const PROCESSES = 3
const CALLERS = 24
const MOST_ANSWERS_BETWEEN_KILLS = 120
const ANSWERS_AFTER_KILLS = 100

/** Kills gateway processes at random moments under load, restarts each, and compares the results with the books. */
export async function killAndCompare(bed: FireBed, kills: number): Promise<KillReport> {
  let asked = 0
  bed.vendor.answerWith(() => {
    asked += 1
    return asked % 5 === 0 ? { status: 500, body: { error: 'out of order' } } : { body: FOUND }
  })
  const account = await bed.account('10000000')
  const journal = createJournal()
  const alive = await bed.startMany(PROCESSES)
  const load = startLoad({
    urls: () => alive.map(({ url }) => url),
    key: account.key,
    journal,
    callers: CALLERS,
  })
  await killManyTimes(bed, alive, load, kills)
  await load.answered(ANSWERS_AFTER_KILLS, ({ status }) => status === 200)
  await load.stop()

  const { rows } = await bed.database.query<{ orphans: bigint }>(
    'select count(*) as orphans from holds',
  )
  await bed.passDeadlines()
  await bed.nothingHeld()
  const askedAgain = await load.finish(alive[0]?.url ?? '')
  return {
    kills,
    outcomes: tally(journal.answers),
    orphans: Number(rows[0]?.orphans),
    askedAgain,
    broken: [
      ...journal.compare(bed.vendor, await bed.charges()),
      ...load.unanswered().map((query) => `${query} has no answer`),
    ],
    heldAfterwards: (await account.wallet()).held,
  }
}

async function killManyTimes(
  bed: FireBed,
  alive: GatewayProcess[],
  load: Load,
  kills: number,
): Promise<void> {
  let starting: Promise<void> = Promise.resolve()
  for (let kill = 0; kill < kills; kill += 1) {
    await load.answered(randomInt(1, MOST_ANSWERS_BETWEEN_KILLS))
    const [victim] = alive.splice(randomInt(alive.length), 1)
    await victim?.end('SIGKILL')
    // One process may be starting when the next one dies; two would leave the callers without a gateway.
    await starting
    starting = bed.start().then((started) => {
      alive.push(started)
      load.news()
    })
  }
  await starting
}
