/** Builds the package and prints its size and the time to start a command. `npx node packages/cli/size.ts`. */
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const here = import.meta.dirname
const STARTS = 15

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`

/** Several new processes, after one that fills the cache of compiled code. The fastest had the least other load. */
function startTimes(command: string, words: readonly string[]): string {
  const times = Array.from({ length: STARTS + 1 }, () => {
    const startedMs = performance.now()
    execFileSync(command, words, { stdio: 'ignore' })
    return performance.now() - startedMs
  })
  const sorted = times.slice(1).toSorted((one, other) => one - other)
  const median = sorted[Math.floor(STARTS / 2)] ?? 0
  return `${median.toFixed(0)} ms, the fastest ${(sorted[0] ?? 0).toFixed(0)} ms`
}

execFileSync(process.execPath, [join(here, 'build.ts')])
const code = Buffer.concat(
  globSync('dist/**/*.js', { cwd: here }).map((name) => readFileSync(join(here, name))),
)
const main = join(here, 'dist/packages/cli/src/main.js')
for (const line of [
  `code                 ${kilobytes(code.length)}, ${kilobytes(gzipSync(code).length)} with gzip (not minified)`,
  `node alone           ${startTimes(process.execPath, ['-e', '0'])} (median of ${STARTS} new processes)`,
  `package              ${startTimes(process.execPath, [main, 'help'])}`,
  `./tollgate           ${startTimes(join(here, '../../tollgate'), ['help', 'run'])}, the launcher included`,
])
  process.stdout.write(`${line}\n`)
