import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Server } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { AppError } from '../../../errors/app-error.ts'
import { startGuardProxy, type GuardProxy } from '../../../upstream/guard-proxy.ts'
import type { Guard } from '../../../upstream/guard.ts'
import { bubblewrapArgs, type OwnBrowserFiles } from './bubblewrap.ts'
import { createCdpHub } from './cdp-hub.ts'
import { createCdpPipe } from './cdp-pipe.ts'
import type { Limits, SessionLimits } from './limits.ts'
import type { StartBrowser } from './own-browsers.ts'
import type { RunningBrowser } from './running-browser.ts'

export type OwnBrowserMachine = {
  /** The program bwrap. */
  readonly bubblewrap: string
  readonly files: () => Promise<OwnBrowserFiles>
  readonly guard: Guard
  readonly limits: Limits
  /** Folders below /usr that browsers must not see. */
  readonly hidden: readonly string[]
  /** A user for one browser; null if this process may not change users. */
  readonly takeUser: () => { readonly id: number | null; readonly release: () => void }
}

const START_TIMEOUT_MS = 20_000
const PROFILE_BYTES = 256 * 1024 * 1024
const MAX_LOG_CHARACTERS = 2_000
/** A download or a WebSocket of a page may be long. */
const PROXY_LIMITS = { idleMs: 5 * 60_000, maxBytes: 512 * 1024 * 1024 }

/** Starts browsers of this machine, each confined by bwrap. Their connections go through the guard. */
export function createStarter(machine: OwnBrowserMachine): StartBrowser {
  return async (session, signal) => {
    const ends = AbortSignal.any([signal, AbortSignal.timeout(START_TIMEOUT_MS)])
    const files = await machine.files()
    const user = machine.takeUser()
    const limits = await machine.limits.open(session).catch((cause: unknown) => {
      user.release()
      throw notStarted('', cause)
    })
    const args = bubblewrapArgs({
      files,
      userId: user.id,
      profileBytes: PROFILE_BYTES,
      hidden: machine.hidden,
    })
    const child = spawn('/bin/sh', ['-c', limits.script, machine.bubblewrap, ...args], {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', 'ipc'],
      env: {},
      cwd: '/',
    })
    const started = follow(child, limits, user.release)
    const abort = (): void => started.kill()
    ends.addEventListener('abort', abort, { once: true })
    if (ends.aborted) abort()
    try {
      return await connect(child, machine.guard, started)
    } catch (error) {
      started.kill()
      await started.ended
      signal.throwIfAborted()
      throw notStarted(started.log(), error)
    } finally {
      ends.removeEventListener('abort', abort)
    }
  }
}

type Started = {
  readonly ended: Promise<void>
  readonly kill: () => void
  readonly log: () => string
}

/** Releases what the browser used when its last process has ended. */
function follow(child: ChildProcess, limits: SessionLimits, releaseUser: () => void): Started {
  let log = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-MAX_LOG_CHARACTERS)
  })
  // bwrap ends with its parent, and the browser's processes end with bwrap.
  const kill = (): void => void child.kill('SIGKILL')
  const ended = (async (): Promise<void> => {
    if (child.pid !== undefined) limits.watch(child.pid, kill)
    await new Promise((resolve) => child.once('exit', resolve).once('error', resolve))
    for (const stream of child.stdio) stream?.destroy()
    await limits.remove()
    releaseUser()
  })()
  return { ended, kill, log: () => log }
}

async function connect(
  child: ChildProcess,
  guard: Guard,
  { ended, kill }: Started,
): Promise<RunningBrowser> {
  const listener = await Promise.race([listenerOf(child), ended])
  if (listener === undefined) throw new AppError('internal', 'The browser ended at its start.')
  const proxy: GuardProxy = await startGuardProxy(guard, { listener, ...PROXY_LIMITS })
  const closed = ended.then(() => proxy.close())
  const [, , , input, output] = child.stdio as unknown as [null, null, Readable, Writable, Readable]
  const hub = createCdpHub(createCdpPipe(input, output, kill))
  // Answers as soon as the browser is up.
  const first = await Promise.race([
    hub.connect({ receive: () => undefined, fail: () => undefined }),
    ended,
  ])
  if (first === undefined) throw new AppError('internal', 'The browser ended at its start.')
  first.close()
  return {
    hub,
    ended: closed,
    async end() {
      kill()
      await closed
    },
  }
}

async function listenerOf(child: ChildProcess): Promise<Server> {
  const [, listener] = (await once(child, 'message')) as [unknown, Server]
  child.disconnect()
  return listener
}

function notStarted(log: string, cause: unknown): AppError {
  return new AppError(
    'upstream_not_configured',
    'The browser cannot start on this gateway. Nothing was charged.',
    {
      cause: log === '' ? cause : log,
      fix: 'The operator can find the reason with ./tollgate doctor.',
    },
  )
}
