// Runs pieces of code that share their variables. Requests are lines of JSON on standard input.
import { writeSync } from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { createInterface } from 'node:readline'
import { format, inspect, types } from 'node:util'
import { createContext, runInContext } from 'node:vm'

type Request = { readonly code: string; readonly language: string; readonly mark: string }

const GLOBALS = [
  'AbortController',
  'AbortSignal',
  'Buffer',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'URLSearchParams',
  'atob',
  'btoa',
  'clearInterval',
  'clearTimeout',
  'crypto',
  'fetch',
  'performance',
  'process',
  'queueMicrotask',
  'setImmediate',
  'setInterval',
  'setTimeout',
  'structuredClone',
]

function write(descriptor: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length;)
    try {
      at += writeSync(descriptor, bytes, at)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
    }
}

const print =
  (descriptor: number) =>
  (...values: unknown[]): void =>
    write(descriptor, `${format(...values)}\n`)

const globals = globalThis as unknown as Readonly<Record<string, unknown>>
const context = createContext({
  ...Object.fromEntries(GLOBALS.map((name) => [name, globals[name]])),
  require: createRequire(`${process.cwd()}/code.js`),
  console: { log: print(1), info: print(1), debug: print(1), warn: print(2), error: print(2) },
})
runInContext('globalThis.global = globalThis', context)

async function run({ code, language }: Request): Promise<void> {
  const source = language === 'typescript' ? stripTypeScriptTypes(code) : code
  const value: unknown = await runInContext(source, context, { filename: 'code.js' })
  if (value !== undefined) print(1)(inspect(value))
}

function describe(error: unknown): string {
  return types.isNativeError(error) ? (error.stack ?? error.message) : inspect(error)
}

async function answer(request: Request): Promise<void> {
  let status = 0
  try {
    await run(request)
  } catch (error) {
    status = 1
    write(2, `${describe(error)}\n`)
  }
  for (const descriptor of [1, 2]) write(descriptor, `${request.mark}${status}\n`)
}

process.on('uncaughtException', (error) => write(2, `${describe(error)}\n`))
let last = Promise.resolve()
createInterface({ input: process.stdin, crlfDelay: Infinity, terminal: false }).on(
  'line',
  (line) => {
    last = last.then(() => answer(JSON.parse(line) as Request))
  },
)
