/** A gateway process as an operator runs it, on a throw-away data folder. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleOf, SERVICES } from '../../../bundle.mjs'
import { cleanUp } from '../clean-up.ts'

const root = join(import.meta.dirname, '../../..')

export type GatewayProcess = {
  readonly process: ChildProcess
  readonly url: string
  readonly output: () => string
  /** Sends the signal and resolves with the exit code, or null when the signal ended the process. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

export function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-start-'))
  // The PostgreSQL of a killed gateway exits a moment later and writes until then.
  cleanUp(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  return folder
}

type Command = 'both' | 'serve' | 'work' | 'launcher' | 'npm'

async function commandLineOf(command: Command): Promise<readonly [string, ...string[]]> {
  if (command === 'npm') return ['npm', 'start', '--silent']
  if (command === 'launcher') return [process.execPath, join(root, 'run.mjs'), 'start']
  const service = command === 'both' ? 'start' : command
  const script = (await bundleOf(service)) ?? join(root, SERVICES[service])
  return [process.execPath, '--disable-warning=ExperimentalWarning', script]
}

/** Resolves at the ready line. Rejects with the output when the process ends before it. */
export async function startGateway(
  environment: Readonly<Record<string, string>>,
  command: Command = 'both',
): Promise<GatewayProcess> {
  const [program, ...args] = await commandLineOf(command)
  const child = spawn(program, args, {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      TOLLGATE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      HOME: process.env['HOME'] ?? '',
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const ended = new Promise<number | null>((done) => child.on('exit', (code) => done(code)))
  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    return ended
  }
  cleanUp(() => end('SIGKILL'))
  return new Promise((ready, fail) => {
    const listen = (chunk: Buffer): void => {
      said += chunk.toString()
      const url = /^tollgate (?:worker )?ready on (\S+)$/m.exec(said)?.[1]
      if (url !== undefined) ready({ process: child, url, output: () => said, end })
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    // Wait until all output is read.
    child.on('close', (code) => fail(new Error(`ended with ${String(code)}: ${said}`)))
  })
}
