/** A vendor of machines. The test controls it and reads its requests. */
import { AppError } from '../../../src/errors/app-error.ts'
import { publicId } from '../../../src/lib/ids.ts'
import type { Handle, RanProgram } from '../../../src/resources/sessions/box.ts'
import type { MachineUse } from '../../../src/resources/sessions/machine-use.ts'
import type { ReadyBox } from '../../../src/resources/sessions/session-deps.ts'

export type StandIn = {
  fails: AppError | null
  /** The machine is created and the answer is lost. */
  answerIsLost: boolean
  runFails: AppError | null
  /** The usage of a program that the machine reports. */
  use: MachineUse | undefined
  /** How a program ends other than with its result. */
  ending: Pick<RanProgram, 'hasEnded' | 'failure'>
  duringRun: () => Promise<void>
  closeFails: boolean
  prolongFails: AppError | null
  beforeMade: () => Promise<void>
  made: string[]
  closed: string[]
  lookedFor: number
  readonly box: ReadyBox
  /** The running machines. */
  living(): string[]
}

export function createStandIn(): StandIn {
  const vendor: StandIn = {
    fails: null,
    answerIsLost: false,
    runFails: null,
    use: undefined,
    ending: {},
    duringRun: async () => {},
    closeFails: false,
    prolongFails: null,
    beforeMade: async () => {},
    made: [],
    closed: [],
    lookedFor: 0,
    living: () => vendor.made.filter((id) => !vendor.closed.includes(id)),
    box: {
      async create({ id }) {
        if (vendor.fails !== null) throw vendor.fails
        await vendor.beforeMade()
        vendor.made.push(id)
        if (vendor.answerIsLost) throw new AppError('upstream_timeout')
        return { id }
      },
      async run() {
        if (vendor.runFails !== null) throw vendor.runFails
        const { use } = vendor
        await vendor.duringRun()
        const output = { stdout: 'out', stderr: '', exitCode: 0, ...vendor.ending }
        return { ...output, ...(use === undefined ? {} : { use }) }
      },
      async prolong() {
        if (vendor.prolongFails !== null) throw vendor.prolongFails
      },
      async close({ id = '' }: Handle) {
        if (vendor.closeFails) throw new AppError('upstream_error')
        vendor.closed.push(id)
      },
      async find(id) {
        vendor.lookedFor += 1
        return vendor
          .living()
          .filter((one) => publicId('session', one) === publicId('session', id))
          .map((one) => ({ id: one }))
      },
    },
  }
  return vendor
}
