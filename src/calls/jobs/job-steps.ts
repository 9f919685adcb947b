/**
 * The steps of a job. The result of a step is stored before the job uses it, so the next worker reads it.
 * A step that was interrupted with its worker runs again and is charged once; the gateway pays a vendor that
 * it asked twice. A step that must not run again is given up, and all later steps are free.
 * So the death of a worker never makes a job more expensive.
 */
import { createHash } from 'node:crypto'
import { toHop, withCharge, withoutCharge } from '../../catalog/prices/hop.ts'
import { worstCase } from '../../catalog/prices/price.ts'
import type { Hop, Invocation, Skip } from '../../catalog/vocabulary/handlers.ts'
import type { Entry } from '../../catalog/index.ts'
import { failed, type Data } from '../../catalog/vocabulary/outcome.ts'
import type { JobControl } from '../../jobs/control.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId, type Id } from '../../lib/ids.ts'
import type { Micros } from '../../lib/money.ts'
import type { StepMaker } from '../perform/call-scope.ts'
import type { Budget } from './job-budget.ts'

export type JobSteps = {
  readonly maker: StepMaker
  /** Receipt lines of the steps, in the order in which they ended. */
  hops(): readonly Hop[]
  waive(hop: Hop, charge?: Micros): void
}

type StepDeps = {
  readonly control: JobControl
  readonly budget: Budget
  readonly repeatOf: (entry: Entry, input: Data) => Promise<Repeat>
  readonly now: Clock
}

/** The effect of running an interrupted step again: it buys nothing, buys twice, or pays a merchant whose first payment is in doubt. */
export type Repeat = 'free' | 'bought' | 'in_doubt'

type Make = (vendorKey: Id) => Promise<Invocation>

export function createJobSteps({ control, budget, repeatOf, now }: StepDeps): JobSteps {
  const asked = new Map<string, Promise<Invocation>>()
  const made = new Map<string, Hop>()
  const nameOfHop = new WeakMap<Hop, string>()
  // After a given-up step, later ones may be more than the job would have needed with its result.
  let isOnTheHouse = [...control.known.values()].some(
    ({ invocation }) => isInvocation(invocation) && isGivenUp(invocation),
  )
  // The price of a multi-source action covers its own steps.
  for (const [name, { invocation }] of control.known)
    if (isInvocation(invocation) && !name.startsWith(INNER))
      budget.count(name, BigInt(invocation.hop.charged_micros))

  // Equal steps are one step, also while it runs, and the first request pays for it. A skipped step can be requested again.
  function once(isInner: boolean, entry: Entry, input: Data, make: Make): Promise<Invocation> {
    const name = nameStep(isInner, entry, input)
    const known = asked.get(name)
    if (known !== undefined) return known.then(withoutSecondCharge)
    const asking = runStep(name, isInner, entry, input, make)
    asked.set(name, asking)
    void asking.then(
      ({ hop }) => hop.skipped !== undefined && asked.delete(name),
      () => asked.delete(name),
    )
    return asking
  }

  async function runStep(
    name: string,
    isInner: boolean,
    entry: Entry,
    input: Data,
    make: Make,
  ): Promise<Invocation> {
    const known = control.known.get(name)
    if (known !== undefined && isInvocation(known.invocation)) return note(name, known.invocation)
    if (control.stopReason !== null) return skipStep(entry, control.stopReason)
    // The price of a multi-source action covers its own steps.
    const most = isInner ? 0n : worstCase(entry.action, input)
    if (!budget.reserve(most)) return skipStep(entry, 'over_budget')
    let charge = 0n
    try {
      const invocation =
        entry.action.kind === 'local'
          ? onTheHouse(await make(newId(now())))
          : await makeAndStore(name, entry, input, make)
      if (!isInner) charge = BigInt(invocation.hop.charged_micros)
      return note(name, invocation)
    } finally {
      budget.settle(name, most, charge)
    }
  }

  // Multi-source actions buy nothing themselves, so only their own steps are stored.
  async function makeAndStore(
    name: string,
    entry: Entry,
    input: Data,
    make: Make,
  ): Promise<Invocation> {
    const begun = control.known.get(name)
    const invocation = onTheHouse(
      begun === undefined
        ? await make(await control.begin(name))
        : await makeAgain(name, begun.vendorKey, entry, input, make),
    )
    try {
      await control.finish(name, invocation)
      return invocation
    } catch (error) {
      // JSON.parse accepts any depth and JSON.stringify does not. A result that cannot be stored is neither used nor charged.
      if (!(error instanceof RangeError)) throw error
      const lost: Invocation = {
        hop: { ...withoutCharge(invocation.hop), ok: false },
        outcome: failed(
          'upstream_error',
          'The answer is nested too deeply to be stored. Nothing was charged.',
        ),
      }
      await control.finish(name, lost)
      return lost
    }
  }

  async function makeAgain(
    name: string,
    vendorKey: Id,
    entry: Entry,
    input: Data,
    make: Make,
  ): Promise<Invocation> {
    const repeat = await control.persist(() => repeatOf(entry, input))
    if (repeat === 'free' || (repeat === 'bought' && (await control.repeat(name))))
      return make(vendorKey)
    isOnTheHouse = true
    return giveUpStep(entry)
  }

  function onTheHouse(invocation: Invocation): Invocation {
    return isOnTheHouse ? { ...invocation, hop: withoutCharge(invocation.hop) } : invocation
  }

  function note(name: string, invocation: Invocation): Invocation {
    if (invocation.hop.skipped === undefined) {
      // The receipt has a price once, on the multi-source action, so its lines add up to the charge.
      made.set(name, name.startsWith(INNER) ? withoutCharge(invocation.hop) : invocation.hop)
      nameOfHop.set(invocation.hop, name)
    }
    return invocation
  }

  const inner: StepMaker = {
    once: (entry, input, make) => once(true, entry, input, make),
    get inner() {
      return inner
    },
  }
  return {
    maker: { once: (entry, input, make) => once(false, entry, input, make), inner },
    hops: () => [...made.values()],
    waive(hop, charge = 0n) {
      const name = nameOfHop.get(hop)
      if (name === undefined) return
      budget.waive(name, charge)
      made.set(name, withCharge(hop, charge))
    },
  }
}

/** First byte of a step's name: a step of the job, or a step of a multi-source action in it. */
const OWN = '00'
const INNER = '01'

function nameStep(isInner: boolean, { service, name }: Entry, input: Data): string {
  const hash = createHash('sha256').update(JSON.stringify([service.id, name, input]))
  return `${isInner ? INNER : OWN}${hash.digest('hex')}`
}

function withoutSecondCharge({ hop, outcome }: Invocation): Invocation {
  return { hop: withoutCharge(hop), outcome }
}

function isInvocation(value: unknown): value is Invocation {
  return typeof value === 'object' && value !== null && 'hop' in value
}

const SKIP_SENTENCES: Readonly<Record<Exclude<Skip, 'not_configured'>, string>> = {
  over_budget: 'The budget of the job does not cover this step.',
  cancelled: 'The job was cancelled before this step.',
  deadline: 'The job ran out of time before this step.',
}

const NOT_MADE = { ok: false, charge: 0n, latencyMs: 0 } as const

function skipStep(entry: Entry, reason: Exclude<Skip, 'not_configured'>): Invocation {
  return {
    hop: { ...toHop(entry, NOT_MADE), skipped: reason },
    outcome: failed(
      reason === 'over_budget' ? 'max_cost_exceeded' : 'job_cancelled',
      SKIP_SENTENCES[reason],
    ),
  }
}

function giveUpStep(entry: Entry): Invocation {
  return {
    hop: toHop(entry, NOT_MADE),
    outcome: failed(
      'job_interrupted',
      'This step was interrupted when its worker stopped, and its outcome is unknown. It is not repeated and not charged.',
    ),
  }
}

function isGivenUp({ outcome }: Invocation): boolean {
  return outcome.kind === 'failed' && outcome.code === 'job_interrupted'
}
