/** A job's tools for tests of handlers. The test defines the steps' outcomes; prices come from the catalog, and the budget is enforced. */
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
/** Outcomes by "service/action". A missing action is not configured. */
export type Answers = Readonly<Record<string, (input: Data) => Outcome | Promise<Outcome>>>
export type FakeJob = JobTools & {
  readonly steps: Step[]
  readonly reports: JobProgress[]
  /** The highest sum of spent and reserved money so far. */
  readonly peak: () => Micros
  /** Skips all further steps. */
  end(reason: 'cancelled' | 'deadline'): void
}

const catalog = createCatalog()
const validator = createValidator()

/** The stored results of a job's steps, which another worker reuses. */
export type StoredSteps = Map<string, Invocation>

/** After `diesAt` steps the worker is dead: no further step returns. */
export function fakeJob(
  answers: Answers,
  {
    budgetCents = 500,
    stored = new Map(),
    diesAt = Infinity,
    timeoutMs = 60_000,
  }: { budgetCents?: number; stored?: StoredSteps; diesAt?: number; timeoutMs?: number } = {},
): FakeJob {
  const steps: Step[] = []
  const reports: JobProgress[] = []
  const memo = new Map<string, Promise<Invocation>>()
  const total = wholeCents(budgetCents)
  let spent = [...stored.values()].reduce((sum, { hop }) => sum + BigInt(hop.charged_micros), 0n)
  let reserved = 0n
  let peak = 0n
  let ended: Skip | null = null

  async function make(entry: Entry, input: Data, name: string, key: string): Promise<Invocation> {
    const earlier = stored.get(key)
    if (earlier !== undefined) return earlier
    if (steps.length >= diesAt) return new Promise(() => {})
    const answer = answers[name]
    if (ended !== null) return skip(entry, ended)
    if (answer === undefined) return skip(entry, 'not_configured')
    const most = worstCase(entry.action, input)
    if (spent + reserved + most > total) return skip(entry, 'over_budget')
    reserved += most
    peak = spent + reserved > peak ? spent + reserved : peak
    steps.push({ name, input })
    const outcome = await answer(input)
    reserved -= most
    const charge = billable(entry.action, input, outcome)
    spent += charge
    const invocation = { hop: hopOf(entry, outcome, charge), outcome }
    stored.set(key, invocation)
    return invocation
  }

  const waived = new Map<Hop, bigint>()
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
    callId: '0'.repeat(32),
    signal: new AbortController().signal,
    timeoutMs,
    now: () => 0,
    isLive: (service, action) => answers[`${service}/${action}`] !== undefined,
    budget: { total, spent: () => spent, remaining: () => total - spent - reserved },
    waive(hop, charge = 0n) {
      spent -= (waived.get(hop) ?? BigInt(hop.charged_micros)) - charge
      waived.set(hop, charge)
    },
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

function skip(entry: Entry, skipped: Skip): Invocation {
  const outcome = failed('upstream_not_configured', 'Skipped.')
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
