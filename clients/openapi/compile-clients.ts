/**
 * Generates clients from /openapi.json of a started gateway with three generators, and compiles a program for each. Also
 * checks a program with the types of the Python SDK; the tests of packages/sdk compile one with those of the TypeScript SDK.
 * `npm run wires -- openapi` runs it alone.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeClientTypes } from '../../tools/reference/client-types.ts'
import { startGateway } from '../bed/gateway.ts'

const folder = import.meta.dirname
const MOST_OUTPUT = 64 * 1024 * 1024
const generated = join(folder, 'generated')
const document = join(generated, 'openapi.json')

type Generator = {
  readonly name: string
  /** Below node_modules. */
  readonly program: string
  readonly words: readonly string[]
  /** The file with the types. */
  readonly types: string
}

const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    program: 'openapi-typescript/bin/cli.js',
    words: [document, '-o', join(generated, 'openapi-typescript.d.ts')],
    types: 'openapi-typescript.d.ts',
  },
  {
    name: '@hey-api/openapi-ts',
    program: '@hey-api/openapi-ts/bin/run.js',
    words: [
      '-i',
      document,
      '-o',
      join(generated, 'hey-api'),
      '-p',
      '@hey-api/client-fetch',
      '@hey-api/sdk',
      '@hey-api/typescript',
    ],
    types: 'hey-api/types.gen.ts',
  },
  {
    name: 'orval',
    program: 'orval/dist/bin/orval.mjs',
    words: ['--input', document, '--output', join(generated, 'orval.ts'), '--client', 'fetch'],
    types: 'orval.ts',
  },
]

/** Throws the error of a generator or of a type checker. */
export async function compileClients(): Promise<void> {
  rmSync(generated, { recursive: true, force: true })
  mkdirSync(generated)
  writeFileSync(document, await readDocument())
  for (const { name, program, words, types } of GENERATORS) {
    const seconds = measure([join(folder, 'node_modules', program), ...words])
    const megabytes = (statSync(join(generated, types)).size / 1e6).toFixed(1)
    process.stdout.write(`${name}: ${seconds} s, types of ${megabytes} MB\n`)
  }
  const compiler = join(folder, '../../node_modules/typescript/bin/tsc')
  process.stdout.write(`Compiled the three programs in ${measure([compiler, '-p', folder])} s\n`)
  writeClientTypes()
  const pyright = join(folder, 'node_modules/pyright/index.js')
  const seconds = measure([pyright, '-p', folder])
  process.stdout.write(`Checked the program of the Python SDK in ${seconds} s\n`)
}

async function readDocument(): Promise<string> {
  const gateway = await startGateway({}, { upstreams: {} })
  try {
    const response = await fetch(`${gateway.url}/openapi.json`)
    if (!response.ok) throw new Error(`GET /openapi.json answered ${response.status}.`)
    return await response.text()
  } finally {
    await gateway.close()
  }
}

/** The seconds of a program that ends with 0. */
function measure(words: readonly string[]): string {
  const start = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: MOST_OUTPUT,
  })
  if (status !== 0) throw new Error(`${words.join(' ')} failed:\n${stdout}${stderr}`)
  return ((performance.now() - start) / 1000).toFixed(1)
}
