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
  const changes = compareSurfaces(surfaceOf(since), surface)
  const rest = changes.length - MOST_LINES
  return [
    `The published surface differs from ${since} in ${changes.length} facts:`,
    ...changes.slice(0, MOST_LINES),
    ...(rest > 0 ? [`… and ${rest} more`] : []),
  ]
}

/** Runs this tool in a copy of the revision. */
function surfaceOf(revision: string): Surface {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-surface-'))
  try {
    const archive = execFileSync('git', ['archive', revision], { cwd: root, maxBuffer: MOST_BYTES })
    execFileSync('tar', ['xf', '-', '-C', folder], { input: archive })
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    const printed = execFileSync(process.execPath, [join(folder, 'tools/surface.ts'), '--print'], {
      encoding: 'utf8',
      maxBuffer: MOST_BYTES,
    })
    const parts = JSON.parse(printed) as [string, [string, string][]][]
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
