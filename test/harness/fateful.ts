/** A process that dies, or whose answers get lost, at a chosen step of what it does. */
import type { Database } from '../../src/db/database.ts'
import { AppError } from '../../src/errors/app-error.ts'
import type { ReadyBox, SessionDeps } from '../../src/resources/sessions/session-deps.ts'
import type { CallBed } from './calls.ts'
import type { StandIn } from './stand-in-box.ts'

/** `killed`: nothing of the process happens any more. `lost`: it hears of a failure and goes on. */
export type Fate = {
  readonly how: 'killed' | 'lost'
  readonly isDone: boolean
  readonly atStep: number
}

/** What a process does to the database and the vendor, step by step, until its fate. */
export function fateful({ how, isDone, atStep }: Fate) {
  let steps = 0
  const dead = Promise.withResolvers<void>()
  const end = (): Promise<never> => {
    if (how === 'lost') throw new AppError('upstream_timeout')
    dead.resolve()
    return new Promise(() => {})
  }
  async function step<Result>(work: () => Promise<Result>): Promise<Result> {
    steps += 1
    if (steps === atStep && !isDone) return end()
    if (how === 'killed' && steps > atStep) return new Promise(() => {})
    const result = await work()
    return steps === atStep || (how === 'killed' && steps > atStep) ? end() : result
  }
  return { dead: dead.promise, hasCome: () => steps >= atStep, step }
}

/** What a process works with whose every step may be its last. */
export function fatefulParts(
  bed: CallBed,
  vendor: StandIn,
  { step }: Pick<ReturnType<typeof fateful>, 'step'>,
): SessionDeps {
  const { database } = bed
  const { box } = vendor
  const fatefulDatabase: Database = {
    ...database,
    query: (...asked) => step(() => database.query(...asked)) as never,
    transaction: (work) => step(() => database.transaction(work)),
  }
  const fatefulBox: ReadyBox = {
    create: (order) => step(() => box.create(order)),
    run: (...asked) => step(() => box.run(...asked)),
    prolong: (...asked) => step(() => box.prolong(...asked)),
    close: (handle) => step(() => box.close(handle)),
    find: (id) => step(() => box.find(id)),
  }
  return { database: fatefulDatabase, now: bed.clock, boxFor: () => fatefulBox }
}
