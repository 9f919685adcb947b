/** Writes the result of a run into docs/clients.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Conformance } from './conformance.ts'
import { SCENARIOS } from './driver.ts'
import type { Outcome, Run } from './run-step.ts'

const FILE = join(import.meta.dirname, '../docs/clients.md')
const [BEGIN, END] = ['<!-- npm run wires: begin -->', '<!-- npm run wires: end -->']
const MARKS = { passed: '✓', failed: '✗', none: '–' }

export type Results = {
  readonly runs: readonly Run[]
  /** Of agents on upstreams of all dialects. */
  readonly dialectRuns: readonly Run[]
  readonly versions: Readonly<Record<string, string>>
  readonly conformance: readonly Conformance[]
}

export function writeTable({ runs, dialectRuns, versions, conformance }: Results): void {
  const page = readFileSync(FILE, 'utf8')
  const [head, rest] = page.split(BEGIN)
  const tail = rest?.split(END)[1]
  if (head === undefined || tail === undefined)
    throw new Error(`${FILE} has no place for the table.`)
  writeFileSync(
    FILE,
    `${head}${BEGIN}\n${tableOf(runs, versions)}\n\n${dialectsOf(dialectRuns)}\n\n${linesOf(conformance)}\n${END}${tail}`,
  )
}

function tableOf(runs: readonly Run[], versions: Readonly<Record<string, string>>): string {
  const rows = runs.map(({ driver, model, outcomes }) => [
    driver.name,
    `${driver.package} ${versions[driver.package] ?? ''}`,
    wayOf(driver.api, model),
    ...outcomes.map(({ kind }) => MARKS[kind]),
  ])
  const head = ['Client', 'Package', 'API', ...SCENARIOS]
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return [...lines, '', ...reasonsOf(runs)].join('\n')
}

function wayOf(api: string, model: string): string {
  if (api === 'messages' || api === 'responses')
    return `${api}, ${model === 'sim/native' ? 'native' : 'translated'}`
  return api
}

/** A row for each dialect, with the agents that answer and call tools on it. */
function dialectsOf(runs: readonly Run[]): string {
  const agents = [...new Set(runs.map(({ driver }) => driver.name))]
  const rows = Map.groupBy(runs, ({ model }) => model)
    .entries()
    .map(([model, own]) => [
      model.replace('sim/', ''),
      ...agents.map((agent) => markOf(own.find(({ driver }) => driver.name === agent))),
    ])
  const head = ['Dialect', ...agents]
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function markOf(run: Run | undefined): string {
  return run?.outcomes.every(({ kind }) => kind === 'passed') === true ? MARKS.passed : MARKS.failed
}

/** One line for each reason, with the clients that it holds for. */
function reasonsOf(runs: readonly Run[]): string[] {
  const found = runs.flatMap(({ driver, outcomes }) =>
    outcomes.filter(({ kind }) => kind === 'none').map((outcome) => lineOf(driver.name, outcome)),
  )
  return [...new Set(found)]
}

const lineOf = (name: string, { scenario, reason }: Outcome): string =>
  `- ${name}, ${scenario}: ${reason}.`

/** The results of the conformance suite. An unexpected result fails the command. */
function linesOf(conformance: readonly Conformance[]): string {
  const rows = conformance.map(
    ({ revision, isExpected, passed, failed }) =>
      `| ${revision} | ${isExpected ? '✓' : '✗'} | ${passed.size} | ${failed.size} |`,
  )
  const head = '| MCP conformance suite | Result | Passed on the gateway | Listed with a reason |'
  return [head, '| --- | --- | --- | --- |', ...rows].join('\n')
}
