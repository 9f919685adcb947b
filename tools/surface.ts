/**
 * Prints how the published surface differs from that of a git revision. `--since <revision>` is HEAD by default; `--print`
 * prints all facts of this checkout as JSON, with which a later version compares itself.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { services } from '../src/vendors/index.ts'
import { compareSurfaces, readSurface, recordOf, type Surface } from './reference/surface.ts'

const root = join(import.meta.dirname, '..')
const RECORD = 'docs/reference/surface.txt'
const MOST_LINES = 400
const MOST_BYTES = 256 * 1024 * 1024
const { values } = parseArgs({
  options: { since: { type: 'string', default: 'HEAD' }, print: { type: 'boolean' } },
})

const surface = readSurface(services)
if (values.print === true)
  process.stdout.write(JSON.stringify([...surface].map(([part, facts]) => [part, [...facts]])))
else process.stdout.write(`${report(values.since).join('\n')}\n`)

function report(since: string): string[] {
  const record = git('show', `${since}:${RECORD}`)
  if (record === null) return [`Git has no ${RECORD} of ${since}: the surface is not compared.`]
  if (record === recordOf(surface)) return [`The published surface is that of ${since}.`]
  const before = surfaceOf(since)
  if (before === null)
    return [
      `The published surface differs from ${since} in: ${changedParts(record).join(', ')}.`,
      `The sources of ${since} do not run with the packages of this checkout, so the facts are not compared.`,
    ]
  const changes = compareSurfaces(before, surface)
  const rest = changes.length - MOST_LINES
  return [
    `The published surface differs from ${since} in ${changes.length} facts:`,
    ...changes.slice(0, MOST_LINES),
    ...(rest > 0 ? [`… and ${rest} more`] : []),
  ]
}

/** The parts whose line in the record differs. */
function changedParts(record: string): string[] {
  const [old, own] = [record, recordOf(surface)].map((text) => text.split('\n'))
  const lines = [...(old ?? []), ...(own ?? [])].filter(
    (line) => !(old?.includes(line) === true && own?.includes(line) === true),
  )
  return [...new Set(lines.map((line) => line.split(' ', 1)[0] ?? ''))]
}

/** Runs this tool in a copy of the revision. Null if it fails there. */
function surfaceOf(revision: string): Surface | null {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-surface-'))
  try {
    const archive = execFileSync('git', ['archive', revision], { cwd: root, maxBuffer: MOST_BYTES })
    execFileSync('tar', ['xf', '-', '-C', folder], { input: archive })
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(folder, 'tools/surface.ts'), '--print'],
      { encoding: 'utf8', maxBuffer: MOST_BYTES },
    )
    if (status !== 0) return null
    const parts = JSON.parse(stdout) as [string, [string, string][]][]
    return new Map(parts.map(([part, facts]) => [part, new Map(facts)]))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Null: git has no such object. */
function git(...words: readonly string[]): string | null {
  const { status, stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout : null
}
