/** Runs one scenario of a client and compares its charge with the upstream's bill. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Gateway } from './bed/gateway.ts'
import { priceOf, type Upstream } from './bed/upstream.ts'
import { expect, type Driver, type Scenario } from './driver.ts'

export type Outcome = {
  readonly scenario: Scenario
  readonly kind: 'passed' | 'failed' | 'none'
  /** Why it failed, or why the client has no such scenario. */
  readonly reason: string
}
export type Run = {
  readonly driver: Driver
  readonly model: string
  readonly outcomes: readonly Outcome[]
}
export type StepOrder = {
  readonly gateway: Gateway
  readonly bills: readonly Upstream[]
  readonly driver: Driver
  readonly model: string
  readonly scenario: Scenario
}

const STEP_MS = 90_000
const SETTLE_MS = 30_000
const POLL_MS = 50

export async function runStep(order: StepOrder): Promise<Outcome> {
  const { driver, scenario } = order
  const step = driver.steps[scenario]
  if (typeof step === 'string') return { scenario, kind: 'none', reason: step }
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-client-'))
  try {
    await within(STEP_MS, perform(order, step, folder))
    return { scenario, kind: 'passed', reason: '' }
  } catch (error) {
    return {
      scenario,
      kind: 'failed',
      reason: error instanceof Error ? error.message : String(error),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

async function perform(
  { gateway, bills, driver, model, scenario }: StepOrder,
  step: (bed: never) => Promise<void>,
  folder: string,
): Promise<void> {
  const { key, id } = await createKey(gateway, driver, scenario)
  const before = bills.map(({ bills: all }) => all.length)
  const bed = {
    baseUrl: `${gateway.url}/api/llm/v1`,
    anthropicUrl: `${gateway.url}/api/llm`,
    mcpUrl: `${gateway.url}/mcp`,
    key,
    model,
    folder,
  }
  await step(bed as never)
  const billed = bills.flatMap(({ bills: all }, place) => all.slice(before[place]))
  await until(() => billed.every(({ isOver }) => isOver), 'the upstream to finish')
  const wanted = billed.reduce((sum, bill) => sum + priceOf(bill), 0)
  // The calls of these APIs are simulated, without an upstream of models.
  if (isSimulated(driver)) return
  let spent = -1
  await until(
    async () => {
      spent = await spentBy(gateway, id)
      return spent === wanted
    },
    () => `a charge of ${wanted} µ$ for ${billed.length} requests; it is ${spent} µ$`,
  )
  expect(scenario !== 'replay' || billed.length === 1, 'one request upstream', billed)
}

const isSimulated = ({ api }: Driver): boolean => api === 'mcp' || api === 'embeddings'

/** A key of its own for each scenario, so that its charges can be distinguished. */
async function createKey(
  gateway: Gateway,
  driver: Driver,
  scenario: Scenario,
): Promise<{ key: string; id: string }> {
  const { api, name } = driver
  const limits = scenario === '402' ? { ceiling_cents: 0, ceiling_period: 'total' } : {}
  // A client of MCP connects with a request, before its call.
  const rate = scenario === '429' ? { rate_limit_per_minute: api === 'mcp' ? 2 : 1 } : {}
  const created = await gateway.api('POST', '/api/v1/agents', {
    label: `${name}, ${scenario}`.slice(0, 100),
    ...(isSimulated(driver) ? { mode: 'test' } : {}),
    ...limits,
  })
  const id = String(created['id'])
  if (scenario === '429') {
    await gateway.api('PATCH', `/api/v1/agents/${id}`, rate)
    await gateway.api('GET', '/api/v1/balance', undefined, String(created['key']))
  }
  return { key: String(created['key']), id }
}

async function spentBy(gateway: Gateway, id: string): Promise<number> {
  const newest: unknown = await gateway.api('GET', '/api/v1/agents?limit=100')
  const key = (newest as { id: string; spent_micros: number }[]).find((one) => one.id === id)
  return key?.spent_micros ?? -1
}

async function until(
  isTrue: () => boolean | Promise<boolean>,
  what: string | (() => string),
): Promise<void> {
  const end = performance.now() + SETTLE_MS
  while (!(await isTrue())) {
    if (performance.now() > end)
      throw new Error(
        `Waited ${SETTLE_MS / 1000} s without a result for ${typeof what === 'string' ? what : what()}.`,
      )
    await new Promise((next) => setTimeout(next, POLL_MS))
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`It did not end within ${ms / 1000} s.`)), ms)
  })
  return await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
