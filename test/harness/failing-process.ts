/** A process that dies, or loses a response, at a chosen step. */
import type { Database } from '../../src/db/database.ts'
import { AppError } from '../../src/errors/app-error.ts'
import type { ReadyBox, SessionDeps } from '../../src/resources/sessions/session-deps.ts'
import type { CallBed } from './beds/calls.ts'
import type { StandIn } from './vendors/stand-in-box.ts'

/** `killed`: the process does nothing more. `lost`: it gets an error and continues. */
export type StepFailure = {
  readonly how: 'killed' | 'lost'
  readonly isDone: boolean
  readonly atStep: number
}

/** Every kind of failure, with the words for a test name: "dies before" a step. */
export const STEP_FAILURES = [
  ['dies before', { how: 'killed', isDone: false }],
  ['dies after', { how: 'killed', isDone: true }],
  ['loses a response before', { how: 'lost', isDone: false }],
  ['loses a response after', { how: 'lost', isDone: true }],
] as const

/** Runs the requests of a process to the database and the vendor, step by step, until it fails. */
export function createFailingSteps({ how, isDone, atStep }: StepFailure) {
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

/** The dependencies of a process that can fail at every step. */
export function failingDeps(
  bed: CallBed,
  vendor: StandIn,
  { step }: Pick<ReturnType<typeof createFailingSteps>, 'step'>,
): SessionDeps {
  const { database } = bed
  const { box } = vendor
  const failingDatabase: Database = {
    ...database,
    query: (...asked) => step(() => database.query(...asked)) as never,
    transaction: (work) => step(() => database.transaction(work)),
  }
  const failingBox: ReadyBox = {
    create: (order) => step(() => box.create(order)),
    run: (...asked) => step(() => box.run(...asked)),
    prolong: (...asked) => step(() => box.prolong(...asked)),
    close: (handle) => step(() => box.close(handle)),
    find: (id) => step(() => box.find(id)),
  }
  return { database: failingDatabase, now: bed.clock, boxFor: () => failingBox }
}
