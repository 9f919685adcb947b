/**
 * `npm run wires`: other projects' clients, unchanged, against a gateway and a simulated upstream. It writes the table
 * of docs/clients.md. `npm run wires -- NAME…` runs the clients whose name or package contains a word,
 * and `npm run wires -- conformance` only the conformance suite of MCP. Codex and Claude Code also run
 * on upstreams of all dialects of chat completions; `dialect` as one of the words runs only those.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startGateway } from './bed/gateway.ts'
import { startUpstream } from './bed/upstream.ts'
import { runConformance, type Conformance } from './conformance.ts'
import { SERVER_DIALECTS } from '../test/harness/vendors/dialect-rules.ts'
import { claudeCode } from './drivers/claude-code.ts'
import { codex } from './drivers/codex.ts'
import { DRIVERS } from './drivers/index.ts'
import { SCENARIOS, type Driver, type Scenario } from './driver.ts'
import { runStep, type Outcome, type Run } from './run-step.ts'
import { writeTable } from './table.ts'

const AGENTS = [codex, claudeCode]
const asked = process.argv.slice(2).map((word) => word.toLowerCase())
const isOnlyDialects = asked.includes('dialect')
const words = asked.filter((word) => word !== 'dialect')
const drivers = DRIVERS.filter(
  ({ name, package: from }) =>
    words.length === 0 || words.some((word) => `${name} ${from}`.toLowerCase().includes(word)),
)

const native = await startUpstream(['sim/native'])
const chatOnly = await startUpstream(['sim/chat'])
const dialects = await Promise.all(
  SERVER_DIALECTS.map(async (dialect) => ({
    dialect,
    upstream: await startUpstream([modelOf(dialect.name)], dialect),
  })),
)
const bills = [native, chatOnly, ...dialects.map(({ upstream }) => upstream)]
const gateway = await startGateway(
  {
    NATIVE: native.url,
    CHAT: chatOnly.url,
    ...Object.fromEntries(
      dialects.map(({ dialect, upstream }) => [dialect.name.toUpperCase(), upstream.url]),
    ),
  },
  {
    upstreams: {
      native: { wires: ['chat', 'messages', 'responses'] },
      ...Object.fromEntries(dialects.map(({ dialect: { name } }) => [name, { dialect: name }])),
    },
  },
)
const runs: Run[] = []
const dialectRuns: Run[] = []
let conformance: readonly Conformance[] = []
try {
  for (const driver of drivers)
    for (const model of modelsOf(driver)) {
      if (isOnlyDialects) continue
      const outcomes = await outcomesOf(driver, model, SCENARIOS)
      runs.push({ driver, model, outcomes })
    }
  for (const { dialect } of dialects)
    for (const driver of drivers.filter((one) => AGENTS.includes(one))) {
      const model = modelOf(dialect.name)
      const outcomes = await outcomesOf(driver, model, ['answer', 'tool call'])
      dialectRuns.push({ driver, model, outcomes })
    }
  if ((words.length === 0 && !isOnlyDialects) || words.includes('conformance')) {
    conformance = await runConformance(gateway)
    for (const { revision, isExpected, passed, failed: listed } of conformance)
      process.stdout.write(
        `MCP conformance, ${revision}: ${passed.size} passed, ${listed.size} listed, ${isExpected ? 'ok' : 'FAIL'}\n`,
      )
  }
} finally {
  await gateway.close()
  for (const upstream of bills) upstream.close()
}
const failed = [
  ...[...runs, ...dialectRuns].flatMap(({ driver, model, outcomes }) =>
    outcomes
      .filter(({ kind }) => kind === 'failed')
      .map(({ scenario, reason }) => `${driver.name}, ${model}, ${scenario}: ${reason}`),
  ),
  ...conformance.filter(({ isExpected }) => !isExpected).map(({ summary }) => summary),
]
for (const line of failed) process.stdout.write(`\n${line}\n`)
if (asked.length === 0) writeTable({ runs, dialectRuns, versions: versions(), conformance })
process.exit(failed.length === 0 ? 0 : 1)

/** Native and translated; the chat API and MCP have only one way. */
function modelsOf({ api }: Driver): string[] {
  if (api === 'mcp') return ['none']
  if (api === 'embeddings') return ['text-embedding-3-small']
  if (api === 'chat') return ['sim/chat']
  return ['sim/native', 'sim/chat']
}

/** Runs the scenarios one after the other. */
async function outcomesOf(
  driver: Driver,
  model: string,
  scenarios: readonly Scenario[],
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const scenario of scenarios)
    outcomes.push(await runStep({ gateway, bills, driver, model, scenario }))
  process.stdout.write(`${lineOf(driver, model, outcomes)}\n`)
  return outcomes
}

function modelOf(dialect: string): string {
  return `sim/${dialect}`
}

function lineOf({ name }: Driver, model: string, outcomes: readonly Outcome[]): string {
  const marks = { passed: 'ok', failed: 'FAIL', none: '-' }
  return `${name}, ${model}: ${outcomes.map(({ scenario, kind }) => `${scenario} ${marks[kind]}`).join(', ')}`
}

function versions(): Readonly<Record<string, string>> {
  const file = join(import.meta.dirname, 'package.json')
  const { dependencies } = JSON.parse(readFileSync(file, 'utf8')) as {
    dependencies: Record<string, string>
  }
  return dependencies
}
