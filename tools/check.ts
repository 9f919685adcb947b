/** `npm run check`: types, lint, import boundaries, generated pages, links and words. Needs no database and takes seconds. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const bin = (name: string): string => join(root, 'node_modules/.bin', name)
const node = (script: string, ...args: string[]): [string, string[]] => [
  process.execPath,
  ['--disable-warning=ExperimentalWarning', join(root, script), ...args],
]

const STEPS: readonly (readonly [string, readonly [string, string[]]])[] = [
  ['types', [bin('tsc'), ['-p', 'tsconfig.json']]],
  ['lint', [bin('oxlint'), ['--type-aware', '--deny-warnings', 'src', 'test', 'tools', 'bench']]],
  ['format', [bin('oxfmt'), ['--check', 'src', 'test', 'tools', 'bench', 'run.mjs']]],
  ['boundaries', node('tools/boundaries.ts')],
  ['reference pages', node('tools/reference.ts', '--check')],
  ['dependencies', node('tools/dependencies.ts', '--check')],
  ['documents', node('tools/documents.ts')],
  ['SQL manifests', node('tools/sql-manifests.ts', '--check')],
  ['install scripts', node('tools/install-scripts.ts')],
]

let failures = 0
for (const [name, [command, args]] of STEPS) {
  const result = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(process.execPath, '..')}:${process.env['PATH'] ?? ''}` },
  })
  const isGood = result.status === 0
  process.stdout.write(`${isGood ? 'ok  ' : 'FAIL'} ${name}\n`)
  if (isGood) continue
  failures += 1
  process.stdout.write(
    `${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}\n`,
  )
}
process.stdout.write(`${STEPS.length - failures} passed, ${failures} failed\n`)
process.exit(failures === 0 ? 0 : 1)
