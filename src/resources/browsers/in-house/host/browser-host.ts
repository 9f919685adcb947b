/** Reaches the browsers of other processes of this machine. */
import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { pipeline, type Duplex, type Readable } from 'node:stream'
import { AppError } from '../../../../errors/app-error.ts'
import { machineId } from '../../../../lib/machine/machine-id.ts'
import { onAnotherMachine } from '../../../boxes/on-another-machine.ts'
import { openRelay, relayStream, relayTo, socketPath } from '../../../boxes/relay.ts'
import { sweepHomes } from '../../../boxes/sweep-homes.ts'
import type { ShownPage } from '../view/page-list.ts'

/** `viewers` of a session that runs. */
export type BrowserReply = { readonly page: ShownPage | null; readonly viewers: number }
/** `find` does not wait for the browser. */
export type BrowserRequest = { readonly kind: 'find' | 'describe' | 'end' }
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** A running session, as other processes use it. */
export type HostedBrowser = {
  /** The frames for one viewer until the session ends. Null when the session has too many viewers. */
  watch(): Readable | null
  viewers(): number
  /** The page that the browser used last; null if it is unknown. */
  page(): Promise<ShownPage | null>
}

/** The sessions of this process, for the other ones. */
export type HostedBrowsers = {
  get(session: string): HostedBrowser | undefined
  /** Ends a session, and waits some seconds until its video is stored. */
  release(session: string): Promise<void>
}

export type BrowserHost = {
  /** The name of this process, stored with its sessions: "machine-process". */
  readonly name: string
  /** A folder for files of this process. Another process removes it after a crash. */
  readonly folder: string
  /** Answers other processes. `onUpgrade` accepts the sockets of clients that reached them. */
  serve(browsers: HostedBrowsers): void
  serveSockets(onUpgrade: Upgrade): void
  /**
   * Performs a request in the process `host`. Null if it does not run the session. Throws AppError
   * `upstream_busy` for another machine.
   */
  ask(host: string, session: string, request: BrowserRequest): Promise<BrowserReply | null>
  /** The frames for one viewer; null if the process does not run the session. */
  watch(host: string, session: string): Promise<Readable | null>
  /** The path of the socket of another process. Throws AppError `upstream_busy` for another machine. */
  pathOf(host: string): string
  close(): Promise<void>
}

const NAME = /^([0-9a-f]{8})-([0-9a-f]{8})$/
const SWEEP_EVERY_MS = 10_000
const ASK_TIMEOUT_MS = 10_000

/** Opens the socket of this process below `root`, and removes what ended processes left. */
export async function openBrowserHost(root: string): Promise<BrowserHost> {
  const machine = machineId()
  const homes = join(root, machine)
  const home = randomBytes(4).toString('hex')
  let hosted: HostedBrowsers = { get: () => undefined, release: async () => undefined }
  let accept: Upgrade = (_request, socket) => void socket.destroy()
  await mkdir(homes, { recursive: true, mode: 0o700 })

  async function perform(session: string, request: BrowserRequest): Promise<BrowserReply | null> {
    const found = hosted.get(session)
    if (found === undefined) return null
    if (request.kind === 'end') await hosted.release(session)
    const page = request.kind === 'describe' ? await found.page() : null
    return { page, viewers: found.viewers() }
  }

  // Before the folder of this process exists, so that no sweep takes it for an ended one.
  const relay = await openRelay(socketPath(homes, home), perform, {
    async onStream(session, response) {
      const stream = hosted.get(session)?.watch()
      if (stream === undefined) response.writeHead(204).end()
      else if (stream === null) throw tooManyViewers()
      else {
        response.flushHeaders()
        pipeline(stream, response, () => undefined)
      }
    },
    onUpgrade: (request, socket, head) => accept(request, socket, head),
  })
  const folder = join(homes, home)
  await mkdir(folder, { mode: 0o700 })
  await sweepHomes(homes, home)
  const sweep = (): void => void sweepHomes(homes, home).catch(() => undefined)
  const sweeper = setInterval(sweep, SWEEP_EVERY_MS).unref()

  let isClosed = false

  function pathOf(host: string): string {
    const [, itsMachine, itsHome = ''] = NAME.exec(host) ?? []
    if (itsMachine !== machine) throw onAnotherMachine('session')
    return socketPath(homes, itsHome)
  }

  return {
    name: `${machine}-${home}`,
    folder,
    pathOf,
    serve: (browsers) => void (hosted = browsers),
    serveSockets: (onUpgrade) => void (accept = onUpgrade),
    ask: (host, session, request) =>
      relayTo<BrowserReply>(pathOf(host), session, request, AbortSignal.timeout(ASK_TIMEOUT_MS)),
    async watch(host, session) {
      const stream = await relayStream(pathOf(host), session)
      return stream?.statusCode === 200 ? stream : null
    },
    async close() {
      if (isClosed) return
      isClosed = true
      clearInterval(sweeper)
      await rm(folder, { recursive: true, force: true })
      await relay.close()
    },
  }
}

export function tooManyViewers(): AppError {
  return new AppError('rate_limited', 'This session has too many viewers.', {
    fix: 'Close the live view in another window.',
    retryAfterSeconds: 10,
  })
}
