/** Runs the official conformance suite against a server. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const PACKAGE = join(import.meta.dirname, '../../../node_modules/@modelcontextprotocol/conformance')
const SUITE = join(PACKAGE, 'dist/index.js')
const LONGEST_MS = 180_000

export type Revision = '2025-11-25' | '2026-07-28'
export type SuiteOrder = {
  readonly url: string
  readonly revision: Revision
  /** The server, which names the file of its expected failures: `<server>.<revision>.yml`. */
  readonly server: 'product' | 'fixtures'
}
export type SuiteResult = {
  /** Whether only expected scenarios and checks failed, and all of those did. */
  readonly isExpected: boolean
  /** Names of scenarios. Those that the revision does not require are included. */
  readonly passed: ReadonlySet<string>
  readonly failed: ReadonlySet<string>
  /** The summary as printed. */
  readonly summary: string
}

export const expectedFailuresFile = ({ server, revision }: Omit<SuiteOrder, 'url'>): string =>
  join(import.meta.dirname, `${server}.${revision}.yml`)

/** The scenarios that a revision requires of servers, frozen at its release. */
export function requiredScenarios(revision: Revision): readonly string[] {
  const text = readFileSync(join(PACKAGE, 'requirements', `${revision}.yaml`), 'utf8')
  const [, section = ''] = /^server:\n((?: {2}- .*\n)+)/m.exec(text) ?? []
  const names = [...section.matchAll(/^ {2}- (\S+)$/gm)].map(([, name = '']) => name)
  if (names.length === 0) throw new Error(`The suite requires no scenarios of ${revision}.`)
  return names
}

/** Runs every scenario of a revision. Rejects when the suite does not end in time. */
export async function runSuite({ url, ...of }: SuiteOrder): Promise<SuiteResult> {
  const expected = ['--expected-failures', expectedFailuresFile(of)]
  const { code, output } = await spawnSuite(url, ['--requirements', of.revision, ...expected])
  const start = output.indexOf('=== SUMMARY ===')
  if (start < 0) throw new Error(`The conformance suite did not end: ${output.slice(-2_000)}`)
  const summary = output.slice(start)
  const named = (line: RegExp): readonly string[] =>
    [...summary.matchAll(line)].map(([, name = '']) => name)
  // A listed scenario that only warns has the mark of a passed one. A check is listed as `scenario:check`.
  const failed = new Set([...named(/^✗ (\S+): /gm), ...named(/^ +~ ([^\s:]+)/gm)])
  // A scenario without checks was not applicable.
  const passed = new Set(named(/^✓ (\S+): [1-9]/gm).filter((name) => !failed.has(name)))
  return { isExpected: code === 0, passed, failed, summary }
}

export type Checks = { readonly passed: readonly string[]; readonly failed: readonly string[] }

/** The checks of one scenario of 2026-07-28, also of an extension. */
export async function runScenario(url: string, scenario: string): Promise<Checks> {
  const named = ['--scenario', scenario, '--spec-version', '2026-07-28', '--force']
  const { output } = await spawnSuite(url, named)
  const plain = stripVTControlCharacters(output)
  const withStatus = (status: string): string[] =>
    [...plain.matchAll(new RegExp(`^\\S+ \\[(\\S+) *\\] ${status} `, 'gm'))].map(
      ([, id = '']) => id,
    )
  return { passed: withStatus('SUCCESS'), failed: withStatus('FAILURE') }
}

async function spawnSuite(
  url: string,
  args: readonly string[],
): Promise<{ code: unknown; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-mcp-'))
  const command = [SUITE, 'server', '--url', url, ...args, '-o', folder]
  const child = spawn(process.execPath, command, {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_MS,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise((done) => child.on('close', done))
  rmSync(folder, { recursive: true, force: true })
  return { code, output }
}
