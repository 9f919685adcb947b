import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCatalog } from '../../catalog/index.ts'
import { done } from '../../catalog/vocabulary/outcome.ts'
import type { Invocation } from '../../catalog/vocabulary/handlers.ts'
import type { JobControl } from '../../jobs/control.ts'
import type { KnownStep } from '../../jobs/steps.ts'
import { systemClock } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { cents } from '../../lib/money.ts'
import { createBudget } from './job-budget.ts'
import { createJobSteps, type Repeat } from './job-steps.ts'

const entry = createCatalog().findAction('contactfind', 'linkedin-contacts')
const input = { profile: 'https://www.linkedin.com/in/ana', include_phone: false }
const bought = (): Promise<Invocation> =>
  Promise.resolve({
    hop: {
      provider: 'contactfind',
      action: 'linkedin-contacts',
      ok: true,
      charged_cents: 10,
      charged_micros: 100_000,
      latency_ms: 5,
    },
    outcome: done({ profile: {} }),
  })

type Facts = {
  readonly known?: JobControl['known']
  readonly finish?: JobControl['finish']
  readonly repeat?: Repeat
  readonly repeatsLeft?: boolean
}

function stepsWithin(
  total: bigint,
  { known = new Map(), finish = async () => {}, repeat = 'bought', repeatsLeft = true }: Facts = {},
) {
  const control: JobControl = {
    known,
    signal: new AbortController().signal,
    stopReason: null,
    stopped: new Promise(() => {}),
    begin: async (_name, key = newId(systemClock())) => key,
    repeat: async () => repeatsLeft,
    finish,
    persist: (work) => work(),
    report: () => ({ progress: null, spent: 0n }),
  }
  const budget = createBudget(total)
  return {
    budget,
    steps: createJobSteps({ control, budget, repeatOf: async () => repeat, now: systemClock }),
  }
}

/** The stored steps of a former worker, by name. An interrupted step has no result. */
async function written(
  make: (steps: ReturnType<typeof stepsWithin>['steps']) => Promise<unknown>,
  { isCutOff = false } = {},
): Promise<JobControl['known']> {
  const known = new Map<string, KnownStep>()
  const { steps } = stepsWithin(cents('100'), {
    finish: async (name, invocation) =>
      void known.set(name, {
        vendorKey: newId(systemClock()),
        invocation: isCutOff ? null : invocation,
      }),
  })
  await make(steps)
  return known
}

test('fails a step with an answer that is nested too deeply, uncharged, and continues the job', async () => {
  let deep: unknown = 'word'
  for (let depth = 0; depth < 50_000; depth += 1) deep = [deep]
  const kept: string[] = []
  const { budget, steps } = stepsWithin(cents('20'), {
    finish: async (_, invocation) => void kept.push(JSON.stringify(invocation)),
  })
  const { outcome, hop } = await steps.maker.once(entry, input, async () => ({
    ...(await bought()),
    outcome: done({ deep }),
  }))
  assert.deepEqual(
    [outcome.kind === 'failed' && outcome.code, hop.ok, hop.charged_micros, budget.spent()],
    ['upstream_error', false, 0, 0n],
  )
  assert.deepEqual(
    kept.map((text) => (JSON.parse(text) as Invocation).outcome),
    [outcome],
  )
})

const neverMade = (): Promise<Invocation> => Promise.reject(new Error('it is not made again'))

test('lists the steps of a multi-source action uncharged, so that the lines add up', async () => {
  const { budget, steps } = stepsWithin(cents('20'))
  const inner: Invocation[] = []
  const composite = async (): Promise<Invocation> => {
    inner.push(await steps.maker.inner.once(entry, input, bought))
    return {
      hop: {
        provider: 'core',
        action: 'onesearch',
        ok: true,
        charged_cents: 5,
        charged_micros: 50_000,
        latency_ms: 9,
      },
      outcome: done({}),
    }
  }
  await steps.maker.once(createCatalog().findAction('core', 'onesearch'), { query: 'x' }, composite)
  assert.deepEqual(
    steps.hops().map(({ provider, ok, charged_micros: micros }) => [provider, ok, micros]),
    [
      ['contactfind', true, 0],
      ['core', true, 50_000],
    ],
  )
  assert.equal(budget.spent(), cents('5'))
  assert.equal(inner[0]?.hop.charged_cents, 10, 'the action gets the list price')
})

test('runs a step that is requested twice once, and charges the first request', async () => {
  const { budget, steps } = stepsWithin(cents('20'))
  let times = 0
  const make = () => ((times += 1), bought())
  const both = await Promise.all([
    steps.maker.once(entry, input, make),
    steps.maker.once(entry, input, make),
  ])
  const later = await steps.maker.once(entry, input, make)
  assert.equal(times, 1)
  assert.deepEqual(
    [...both, later].map(({ hop }) => hop.charged_cents),
    [10, 0, 0],
  )
  assert.deepEqual(later.outcome, both[0].outcome)
  assert.equal(budget.spent(), cents('10'))

  // A waiver by the second request does not change the charge of the first.
  steps.waive(later.hop)
  assert.equal(budget.spent(), cents('10'))
  steps.waive(both[0].hop)
  assert.equal(budget.spent(), 0n)
})

test('lists a partly waived step at its remaining charge', async () => {
  const { budget, steps } = stepsWithin(cents('20'))
  const { hop } = await steps.maker.once(entry, input, bought)
  steps.waive(hop, cents('3'))
  assert.deepEqual([budget.spent(), budget.remaining()], [cents('3'), cents('17')])
  assert.deepEqual(
    steps
      .hops()
      .map(({ ok, charged_cents: inCents, charged_micros: micros }) => [ok, inCents, micros]),
    [[true, 3, 30_000]],
  )
})

test('uses the result and the charge of a step that a former worker finished', async () => {
  const known = await written((steps) => steps.maker.once(entry, input, bought))
  const { budget, steps } = stepsWithin(cents('20'), { known })
  assert.equal(budget.spent(), cents('10'))
  assert.deepEqual(await steps.maker.once(entry, input, neverMade), await bought())
  assert.deepEqual([budget.spent(), steps.hops()], [cents('10'), [(await bought()).hop]])
})

test('charges no steps of a multi-source action to the job, also of a former worker', async () => {
  const known = await written((steps) => steps.maker.inner.once(entry, input, bought))
  assert.equal(known.size, 1)
  const { budget, steps } = stepsWithin(cents('20'), { known })
  await steps.maker.inner.once(entry, input, neverMade)
  assert.deepEqual(
    [budget.spent(), steps.hops().map(({ charged_micros: micros }) => micros)],
    [0n, [0]],
  )
})

test('runs the steps of a multi-source action without a budget of their own', async () => {
  const { budget, steps } = stepsWithin(cents('1'))
  const { hop } = await steps.maker.inner.once(entry, input, bought)
  assert.deepEqual([hop.skipped, budget.spent(), budget.remaining()], [undefined, 0n, cents('1')])
})

test('runs an interrupted step again with its vendor key, and charges it once', async () => {
  const known = await written((steps) => steps.maker.once(entry, input, bought), { isCutOff: true })
  const [begun] = known.values()
  for (const repeat of ['free', 'bought'] as const) {
    const { budget, steps } = stepsWithin(cents('20'), { known, repeat })
    const keys: string[] = []
    await steps.maker.once(entry, input, (key) => (keys.push(key), bought()))
    assert.deepEqual([keys, budget.spent()], [[begun?.vendorKey], cents('10')])
  }
})

for (const [what, facts] of [
  ['was made again too often', { repeatsLeft: false }],
  ['may have paid a merchant', { repeat: 'in_doubt' }],
] as const) {
  test(`gives up an interrupted step that ${what}, and charges no later steps`, async () => {
    const known = new Map(
      await written((steps) => steps.maker.once(entry, input, bought), { isCutOff: true }),
    )
    const [name] = known.keys()
    const { budget, steps } = stepsWithin(cents('40'), {
      known,
      ...facts,
      finish: async (step, invocation) =>
        void known.set(step, { vendorKey: newId(systemClock()), invocation }),
    })
    const { outcome } = await steps.maker.once(entry, input, neverMade)
    assert.equal(outcome.kind === 'failed' && outcome.code, 'job_interrupted')
    assert.equal(
      (await steps.maker.once(entry, { ...input, include_phone: true }, bought)).hop.charged_micros,
      0,
    )
    assert.equal(budget.spent(), 0n)
    // The next worker reads that the step was given up, and does the same.
    assert.ok(known.get(name ?? '')?.invocation)
    const next = stepsWithin(cents('40'), { known })
    await next.steps.maker.once(
      entry,
      { ...input, profile: 'https://www.linkedin.com/in/ben' },
      bought,
    )
    assert.equal(next.budget.spent(), 0n)
  })
}

test('charges the finished steps of former workers after another step was given up', async () => {
  const finished = await written((steps) => steps.maker.once(entry, input, bought))
  const cutOff = await written(
    (steps) => steps.maker.once(entry, { ...input, include_phone: true }, bought),
    { isCutOff: true },
  )
  const { budget, steps } = stepsWithin(cents('40'), {
    known: new Map([...finished, ...cutOff]),
    repeat: 'in_doubt',
  })
  await steps.maker.once(entry, { ...input, include_phone: true }, neverMade)
  await steps.maker.once(entry, input, neverMade)
  assert.equal(budget.spent(), cents('10'))
})

test('stores the result of a step before the job uses it', async () => {
  const writing = Promise.withResolvers<void>()
  const { steps } = stepsWithin(cents('20'), { finish: () => writing.promise })
  let isTold = false
  const asking = steps.maker.once(entry, input, bought).then(() => (isTold = true))
  await new Promise((turn) => setImmediate(turn))
  assert.equal(isTold, false)
  writing.resolve()
  await asking
})

test('lists a waived step uncharged, and returns its charge once', async () => {
  const { budget, steps } = stepsWithin(cents('20'))
  const { hop } = await steps.maker.once(entry, input, bought)
  steps.waive(hop)
  steps.waive(hop)
  assert.deepEqual(
    [budget.spent(), budget.remaining(), steps.hops().map(({ charged_micros: micros }) => micros)],
    [0n, cents('20'), [0]],
  )
})

test('rejects a charge above the reserved amount as a bug, and spends nothing', async () => {
  const { budget, steps } = stepsWithin(cents('20'))
  const tooMuch = async (): Promise<Invocation> => ({
    ...(await bought()),
    hop: { ...(await bought()).hop, charged_micros: 100_001 },
  })
  await assert.rejects(steps.maker.once(entry, input, tooMuch), /reserved/)
  assert.equal(budget.spent(), 0n)
})
