/** Runs the official conformance suite against a server. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-mcp-'))
  const command = [SUITE, 'server', '--url', url, '--requirements', of.revision]
  const files = ['--expected-failures', expectedFailuresFile(of), '-o', folder]
  const child = spawn(process.execPath, [...command, ...files], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_MS,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise((done) => child.on('close', done))
  rmSync(folder, { recursive: true, force: true })
  const start = output.indexOf('=== SUMMARY ===')
  if (start < 0) throw new Error(`The conformance suite did not end: ${output.slice(-2_000)}`)
  const summary = output.slice(start)
  const named = (mark: string): Set<string> =>
    new Set(
      [...summary.matchAll(new RegExp(`^${mark} (\\S+): `, 'gm'))].map(([, name = '']) => name),
    )
  return { isExpected: code === 0, passed: named('✓'), failed: named('✗'), summary }
}
