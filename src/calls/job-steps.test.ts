import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCatalog } from '../catalog/index.ts'
import { done } from '../catalog/outcome.ts'
import type { Invocation } from '../catalog/handlers.ts'
import type { JobControl } from '../jobs/control.ts'
import { systemClock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { cents } from '../lib/money.ts'
import { createBudget } from './job-budget.ts'
import { createJobSteps } from './job-steps.ts'

const entry = createCatalog().findAction('contactfind', 'linkedin-contacts')
const input = { profile: 'https://www.linkedin.com/in/ana', include_phone: false }
const bought = (): Promise<Invocation> =>
  Promise.resolve({ hop: { provider: 'contactfind', action: 'linkedin-contacts', ok: true, charged_cents: 10, charged_micros: 100_000, latency_ms: 5 }, outcome: done({ profile: {} }) })

function stepsWithin(total: bigint) {
  const control: JobControl = {
    known: new Map(),
    signal: new AbortController().signal,
    stopReason: null,
    stopped: new Promise(() => {}),
    begin: async () => newId(systemClock()),
    finish: async () => {},
    onceThere: (work) => work(),
    report: () => ({ progress: null, spent: 0n }),
  }
  const budget = createBudget(total)
  return { budget, steps: createJobSteps({ control, budget, isRepeatable: () => false, now: systemClock }) }
}

test('a composite’s own steps stand in the receipt unpaid: its price covers them, and the lines come to what the job spends', async () => {
  const { budget, steps } = stepsWithin(cents('20'))
  const inner: Invocation[] = []
  const composite = async (): Promise<Invocation> => {
    inner.push(await steps.maker.inner.once(entry, input, bought))
    return { hop: { provider: 'core', action: 'onesearch', ok: true, charged_cents: 5, charged_micros: 50_000, latency_ms: 9 }, outcome: done({}) }
  }
  await steps.maker.once(createCatalog().findAction('core', 'onesearch'), { query: 'x' }, composite)
  assert.deepEqual(steps.hops().map(({ provider, ok, charged_micros: micros }) => [provider, ok, micros]), [['contactfind', true, 0], ['core', true, 50_000]])
  assert.equal(budget.spent(), cents('5'))
  assert.equal(inner[0]?.hop.charged_cents, 10, 'the composite is told the list price')
})

test('a step that is asked for twice is made once and charged to who asked first', async () => {
  const { budget, steps } = stepsWithin(cents('20'))
  let times = 0
  const make = () => ((times += 1), bought())
  const both = await Promise.all([steps.maker.once(entry, input, make), steps.maker.once(entry, input, make)])
  const later = await steps.maker.once(entry, input, make)
  assert.equal(times, 1)
  assert.deepEqual([...both, later].map(({ hop }) => hop.charged_cents), [10, 0, 0])
  assert.deepEqual(later.outcome, both[0].outcome)
  assert.equal(budget.spent(), cents('10'))

  // Of no use to the second, it is still paid for by the first.
  steps.waive(later.hop)
  assert.equal(budget.spent(), cents('10'))
  steps.waive(both[0].hop)
  assert.equal(budget.spent(), 0n)
})
