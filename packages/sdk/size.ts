/** Builds the package and prints its size and the time of its import. `npx node packages/sdk/size.ts`. */
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const here = import.meta.dirname
const IMPORTS = 15

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`
const read = (pattern: string): Buffer =>
  Buffer.concat(globSync(pattern, { cwd: here }).map((name) => readFileSync(join(here, name))))

/** The import of a new process, measured inside it; the median of several. */
function importMs(): number {
  const script = `const start = performance.now(); await import('${join(here, 'dist/index.js')}'); console.log(performance.now() - start)`
  const times = Array.from({ length: IMPORTS }, () =>
    Number(
      execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }),
    ),
  )
  return times.toSorted((one, other) => one - other)[Math.floor(IMPORTS / 2)] ?? 0
}

execFileSync(process.execPath, [join(here, 'build.ts')])
const code = read('dist/*.js')
const types = read('dist/*.d.ts')
for (const line of [
  `code   ${kilobytes(code.length)}, ${kilobytes(gzipSync(code).length)} with gzip (not minified)`,
  `types  ${kilobytes(types.length)}, ${kilobytes(gzipSync(types).length)} with gzip`,
  `import ${importMs().toFixed(1)} ms (median of ${IMPORTS} new processes)`,
])
  process.stdout.write(`${line}\n`)
