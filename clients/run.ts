/**
 * `npm run wires`: other projects' clients, unchanged, against a gateway and a simulated upstream. It writes the table
 * of docs/clients.md. `npm run wires -- NAME…` runs the clients whose name or package contains a word,
 * and `npm run wires -- conformance` only the conformance suite of MCP.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startGateway } from './bed/gateway.ts'
import { startUpstream } from './bed/upstream.ts'
import { runConformance, type Conformance } from './conformance.ts'
import { DRIVERS } from './drivers/index.ts'
import { SCENARIOS, type Driver } from './driver.ts'
import { runStep, type Outcome, type Run } from './run-step.ts'
import { writeTable } from './table.ts'

const words = process.argv.slice(2).map((word) => word.toLowerCase())
const drivers = DRIVERS.filter(
  ({ name, package: from }) =>
    words.length === 0 || words.some((word) => `${name} ${from}`.toLowerCase().includes(word)),
)

const native = await startUpstream(['sim/native'])
const chatOnly = await startUpstream(['sim/chat'])
const gateway = await startGateway(
  { NATIVE: native.url, CHAT: chatOnly.url },
  { upstreams: { native: { wires: ['chat', 'messages', 'responses'] } } },
)
const runs: Run[] = []
let conformance: readonly Conformance[] = []
try {
  for (const driver of drivers)
    for (const model of modelsOf(driver)) {
      const outcomes: Outcome[] = []
      for (const scenario of SCENARIOS)
        outcomes.push(
          await runStep({ gateway, bills: [native, chatOnly], driver, model, scenario }),
        )
      runs.push({ driver, model, outcomes })
      process.stdout.write(`${lineOf(driver, model, outcomes)}\n`)
    }
  if (words.length === 0 || words.includes('conformance')) {
    conformance = await runConformance(gateway)
    for (const { revision, isExpected, passed, failed: listed } of conformance)
      process.stdout.write(
        `MCP conformance, ${revision}: ${passed.size} passed, ${listed.size} listed, ${isExpected ? 'ok' : 'FAIL'}\n`,
      )
  }
} finally {
  await gateway.close()
  native.close()
  chatOnly.close()
}
const failed = [
  ...runs.flatMap(({ driver, model, outcomes }) =>
    outcomes
      .filter(({ kind }) => kind === 'failed')
      .map(({ scenario, reason }) => `${driver.name}, ${model}, ${scenario}: ${reason}`),
  ),
  ...conformance.filter(({ isExpected }) => !isExpected).map(({ summary }) => summary),
]
for (const line of failed) process.stdout.write(`\n${line}\n`)
if (words.length === 0) writeTable({ runs, versions: versions(), conformance })
process.exit(failed.length === 0 ? 0 : 1)

/** Native and translated; the chat API and MCP have only one way. */
function modelsOf({ api }: Driver): string[] {
  if (api === 'mcp') return ['none']
  if (api === 'embeddings') return ['text-embedding-3-small']
  if (api === 'chat') return ['sim/chat']
  return ['sim/native', 'sim/chat']
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
