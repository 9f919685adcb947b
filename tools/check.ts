/** `npm run check`: everything that is checked without a database, in seconds. Steps run side by side. */
import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const bin = (name: string): string => join(root, 'node_modules/.bin', name)
const node = (script: string, ...args: string[]): Command => [
  process.execPath,
  ['--disable-warning=ExperimentalWarning', join(root, script), ...args],
]

type Command = readonly [string, readonly string[]]
type Result = { readonly name: string; readonly isGood: boolean; readonly output: string }

/** The slowest first, so no slow step runs alone at the end. */
const STEPS: readonly (readonly [string, Command])[] = [
  [
    'lint',
    [
      bin('oxlint'),
      ['--type-aware', '--deny-warnings', 'src', 'test', 'tools', 'bench', 'packages'],
    ],
  ],
  ['prose', node('tools/prose.ts')],
  // Without types: `npm run wires` installs the clients and checks the types.
  ['lint of the clients', [bin('oxlint'), ['--deny-warnings', 'clients']]],
  ['structure', node('tools/structure.ts')],
  ['types', [bin('tsc'), ['-p', 'tsconfig.json']]],
  // With the library of browsers and without the types of Node.js.
  [
    'types of the SDK',
    [bin('tsc'), ['-p', 'packages/sdk/tsconfig.json', '--incremental', 'false']],
  ],
  // With the library of browsers and without the types of Node.js.
  [
    'types of the islands',
    [bin('tsc'), ['-p', 'src/surfaces/http/html/islands/tsconfig.json', '--incremental', 'false']],
  ],
  [
    'format',
    [bin('oxfmt'), ['--check', 'src', 'test', 'tools', 'bench', 'packages', 'clients', 'run.mjs']],
  ],
  ['boundaries', node('tools/boundaries.ts')],
  ['documents', node('tools/documents.ts')],
  ['dependencies', node('tools/dependencies.ts', '--check')],
  ['SQL manifests', node('tools/sql-manifests.ts', '--check')],
  ['vendor SDKs', node('tools/vendor-sdks.ts')],
  ['install scripts', node('tools/install-scripts.ts')],
]

function run(name: string, [command, args]: Command): Promise<Result> {
  const env = {
    ...process.env,
    PATH: `${join(process.execPath, '..')}:${process.env['PATH'] ?? ''}`,
  }
  const options = { cwd: root, env, maxBuffer: 64 * 1024 * 1024 }
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      // A command that cannot be started has printed nothing.
      const output = `${stdout}${stderr}` || (error?.message ?? '')
      resolve({ name, isGood: error === null, output })
    })
  })
}

const results: Result[] = []
async function report(step: readonly [string, Command]): Promise<void> {
  const result = await run(...step)
  results.push(result)
  process.stdout.write(`${result.isGood ? 'ok  ' : 'FAIL'} ${result.name}\n`)
  if (!result.isGood) process.stdout.write(`${result.output}\n`)
}

// It writes the types of the clients, which the lint and the compiler read.
await report(['reference', node('tools/reference.ts', '--check')])
const queue = [...STEPS]
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let step = queue.shift(); step !== undefined; step = queue.shift()) await report(step)
  }),
)
const failed = results.filter(({ isGood }) => !isGood).map(({ name }) => name)
process.stdout.write(
  `${results.length - failed.length} passed, ${failed.length} failed${failed.length === 0 ? '' : `: ${failed.join(', ')}`}\n`,
)
process.exit(failed.length === 0 ? 0 : 1)
