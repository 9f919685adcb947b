/** A job's tools for tests of handlers: steps answer as the test says, at the catalog's own prices and within a real budget. */
import type {
  Hop,
  Invocation,
  JobProgress,
  JobTools,
  Skip,
} from '../../catalog/vocabulary/handlers.ts'
import { createCatalog, type Entry } from '../../catalog/index.ts'
import { failed, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { billable, worstCase } from '../../catalog/prices/price.ts'
import { createValidator } from '../../catalog/validate/validate.ts'
import { toCentsRoundedUp, wholeCents, type Micros } from '../../lib/money.ts'

export type Step = { readonly name: string; readonly input: Data }
/** By "service/action". An action that is left out is not configured. */
export type Answers = Readonly<Record<string, (input: Data) => Outcome | Promise<Outcome>>>
export type FakeJob = JobTools & {
  readonly steps: Step[]
  readonly reports: JobProgress[]
  /** The most that was ever spent and reserved at once. */
  readonly peak: () => Micros
  /** From now on no step is made. */
  end(reason: 'cancelled' | 'deadline'): void
}

const catalog = createCatalog()
const validator = createValidator()

/** What the steps of a job brought, for the worker that takes it up again. */
export type KeptSteps = Map<string, Invocation>

/** `diesAt`: the worker is gone when the job asks for that many steps; no further step answers. */
export function fakeJob(
  answers: Answers,
  {
    budgetCents = 500,
    kept = new Map(),
    diesAt = Infinity,
    timeoutMs = 60_000,
  }: { budgetCents?: number; kept?: KeptSteps; diesAt?: number; timeoutMs?: number } = {},
): FakeJob {
  const steps: Step[] = []
  const reports: JobProgress[] = []
  const memo = new Map<string, Promise<Invocation>>()
  const total = wholeCents(budgetCents)
  let spent = [...kept.values()].reduce((sum, { hop }) => sum + BigInt(hop.charged_micros), 0n)
  let reserved = 0n
  let peak = 0n
  let ended: Skip | null = null

  async function make(entry: Entry, input: Data, name: string, key: string): Promise<Invocation> {
    const known = kept.get(key)
    if (known !== undefined) return known
    if (steps.length >= diesAt) return new Promise(() => {})
    const answer = answers[name]
    if (ended !== null) return notMade(entry, ended)
    if (answer === undefined) return notMade(entry, 'not_configured')
    const most = worstCase(entry.action, input)
    if (spent + reserved + most > total) return notMade(entry, 'over_budget')
    reserved += most
    peak = spent + reserved > peak ? spent + reserved : peak
    steps.push({ name, input })
    const outcome = await answer(input)
    reserved -= most
    const charge = billable(entry.action, input, outcome)
    spent += charge
    const invocation = { hop: hopOf(entry, outcome, charge), outcome }
    kept.set(key, invocation)
    return invocation
  }

  return {
    steps,
    reports,
    peak: () => peak,
    end: (reason) => void (ended = reason),
    jobId: '1'.repeat(32),
    mode: 'test',
    accountId: '0'.repeat(32),
    keyId: null,
    scope: 'account',
    signal: new AbortController().signal,
    timeoutMs,
    now: () => 0,
    isLive: (service, action) => answers[`${service}/${action}`] !== undefined,
    budget: { total, spent: () => spent, room: () => total - spent - reserved },
    waive: (hop, charge = 0n) => void (spent -= BigInt(hop.charged_micros) - charge),
    progress: (report) => void reports.push(report),
    stopReason: () => (ended === 'cancelled' || ended === 'deadline' ? ended : null),
    invoke: async (service, action, raw) => {
      const entry = catalog.findAction(service, action)
      const input = validator.validate(entry.action.input, raw)
      entry.action.check(input)
      const key = JSON.stringify([service, action, raw])
      const before = memo.get(key)
      if (before !== undefined)
        return before.then(({ hop, outcome }) => ({
          hop: { ...hop, charged_cents: 0, charged_micros: 0 },
          outcome,
        }))
      const made = make(entry, input, `${service}/${action}`, key)
      memo.set(key, made)
      return made
    },
  }
}

function notMade(entry: Entry, skipped: Skip): Invocation {
  const outcome = failed('upstream_not_configured', 'Not made.')
  return { hop: { ...hopOf(entry, outcome, 0n), skipped }, outcome }
}

function hopOf({ service, name }: Entry, outcome: Outcome, charge: Micros): Hop {
  const ok = outcome.kind === 'done' || outcome.kind === 'partial'
  return {
    provider: service.id,
    action: name,
    ok,
    charged_cents: toCentsRoundedUp(charge),
    charged_micros: Number(charge),
    latency_ms: 5,
  }
}
