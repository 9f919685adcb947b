/** Runs a client's command without a terminal. */
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

export const bin = (path: string): string => join(import.meta.dirname, '../node_modules', path)

export type Run = { readonly exitCode: number | null; readonly output: string }

export type Command = {
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly folder: string
  /** Interrupts the command. */
  readonly signal?: AbortSignal
}

/** The output and exit code of a command, which has its own home folder. */
export function run({ file, args, env, folder, signal }: Command): Promise<Run> {
  const home = join(folder, 'home')
  const work = join(folder, 'work')
  for (const each of [home, work]) mkdirSync(each, { recursive: true })
  const child = spawn(file, args, {
    cwd: work,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, LANG: 'C.UTF-8', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  signal?.addEventListener('abort', () => child.kill('SIGINT'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  return new Promise((done, fail) => {
    child.on('error', fail)
    child.on('close', (exitCode) => done({ exitCode, output }))
  })
}
