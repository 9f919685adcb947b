/**
 * The steps of a job. What a step brought is stored before the job acts on it, so that the next worker reads it there. A step
 * that was cut off with its worker is made again and charged once: if its vendor was asked before, that is at the house's
 * expense. Where it must not be made again it is given up, and all later steps are at the house's expense. Either way:
 * the death of a worker never makes a job dearer.
 */
import { createHash } from 'node:crypto'
import { worstCase } from '../../catalog/prices/price.ts'
import type { Hop, Invocation, Skip } from '../../catalog/vocabulary/handlers.ts'
import type { Entry } from '../../catalog/index.ts'
import { failed, type Data } from '../../catalog/vocabulary/outcome.ts'
import type { JobControl } from '../../jobs/control.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId, type Id } from '../../lib/ids.ts'
import type { Micros } from '../../lib/money.ts'
import { withCharge, toHop, withoutCharge } from '../../catalog/prices/hop.ts'
import type { Budget } from './job-budget.ts'
import type { StepMaker } from '../perform/perform.ts'

export type JobSteps = {
  readonly maker: StepMaker
  /** Receipt lines of the steps that were made, in the order of their end. */
  hops(): readonly Hop[]
  waive(hop: Hop, charge?: Micros): void
}

type Parts = {
  readonly control: JobControl
  readonly budget: Budget
  readonly repeatOf: (entry: Entry, input: Data) => Promise<Repeat>
  readonly now: Clock
}

/** What making a step again that was cut off may do: buy nothing, buy a second time at the house's expense, or pay a merchant whose payment is in doubt. */
export type Repeat = 'free' | 'bought' | 'in_doubt'

type Make = (vendorKey: Id) => Promise<Invocation>

export function createJobSteps({ control, budget, repeatOf, now }: Parts): JobSteps {
  const asked = new Map<string, Promise<Invocation>>()
  const made = new Map<string, Hop>()
  const nameOfHop = new WeakMap<Hop, string>()
  // Once a step was given up: what follows may be more than the job would have needed with it.
  let isOnTheHouse = [...control.known.values()].some(
    ({ invocation }) => isInvocation(invocation) && isGivenUp(invocation),
  )
  // What a composite bought within itself is covered by its own price.
  for (const [name, { invocation }] of control.known)
    if (isInvocation(invocation) && !name.startsWith(INNER))
      budget.count(name, BigInt(invocation.hop.charged_micros))

  // The same step asked for twice is one step, also while it is under way, and paid for by who asked first. One that was
  // not made may be asked for again.
  function once(isInner: boolean, entry: Entry, input: Data, make: Make): Promise<Invocation> {
    const name = nameOf(isInner, entry, input)
    const known = asked.get(name)
    if (known !== undefined) return known.then(paidBefore)
    const asking = ask(name, isInner, entry, input, make)
    asked.set(name, asking)
    void asking.then(
      ({ hop }) => hop.skipped !== undefined && asked.delete(name),
      () => asked.delete(name),
    )
    return asking
  }

  async function ask(
    name: string,
    isInner: boolean,
    entry: Entry,
    input: Data,
    make: Make,
  ): Promise<Invocation> {
    const known = control.known.get(name)
    if (known !== undefined && isInvocation(known.invocation)) return keep(name, known.invocation)
    if (control.stopReason !== null) return skipped(entry, control.stopReason)
    // Steps within a composite are covered by its price.
    const most = isInner ? 0n : worstCase(entry.action, input)
    if (!budget.reserve(most)) return skipped(entry, 'over_budget')
    let charge = 0n
    try {
      const invocation =
        entry.action.kind === 'local'
          ? onTheHouse(await make(newId(now())))
          : await makeKept(name, entry, input, make)
      if (!isInner) charge = BigInt(invocation.hop.charged_micros)
      return keep(name, invocation)
    } finally {
      budget.settle(name, most, charge)
    }
  }

  // Composites are not kept: they buy nothing themselves, and their own steps are kept.
  async function makeKept(
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
      // Reading JSON takes any depth, writing it does not: what cannot be kept is not acted on, nor paid for.
      if (!(error instanceof RangeError)) throw error
      const lost: Invocation = {
        hop: { ...withoutCharge(invocation.hop), ok: false },
        outcome: failed(
          'upstream_error',
          'The answer is nested too deep to be kept. Nothing was charged.',
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
    const repeat = await control.onceThere(() => repeatOf(entry, input))
    if (repeat === 'free' || (repeat === 'bought' && (await control.repeat(name))))
      return make(vendorKey)
    isOnTheHouse = true
    return givenUp(entry)
  }

  function onTheHouse(invocation: Invocation): Invocation {
    return isOnTheHouse ? { ...invocation, hop: withoutCharge(invocation.hop) } : invocation
  }

  function keep(name: string, invocation: Invocation): Invocation {
    if (invocation.hop.skipped === undefined) {
      // In the receipt the price stands once, on the composite: the lines of a job come to what it is charged.
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

/** First byte of a step's name: whether the job made it, or a composite that the job made. */
const OWN = '00'
const INNER = '01'

function nameOf(isInner: boolean, { service, name }: Entry, input: Data): string {
  return `${isInner ? INNER : OWN}${createHash('sha256')
    .update(JSON.stringify([service.id, name, input]))
    .digest('hex')}`
}

function paidBefore({ hop, outcome }: Invocation): Invocation {
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

function skipped(entry: Entry, reason: Exclude<Skip, 'not_configured'>): Invocation {
  return {
    hop: { ...toHop(entry, NOT_MADE), skipped: reason },
    outcome: failed(
      reason === 'over_budget' ? 'max_cost_exceeded' : 'job_cancelled',
      SKIP_SENTENCES[reason],
    ),
  }
}

function givenUp(entry: Entry): Invocation {
  return {
    hop: toHop(entry, NOT_MADE),
    outcome: failed(
      'job_interrupted',
      'This step was cut off when its worker stopped, and its outcome is unknown. It is not repeated and not charged.',
    ),
  }
}

function isGivenUp({ outcome }: Invocation): boolean {
  return outcome.kind === 'failed' && outcome.code === 'job_interrupted'
}
