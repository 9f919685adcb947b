import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { WebSocketServer, type WebSocket } from 'ws'
import type {
  OwnBrowser,
  OwnBrowsers,
} from '../../../../resources/browsers/in-house/own-browsers.ts'
import { limitMessageTime } from './message-deadline.ts'
import { reject, rejectError } from './reject-socket.ts'
import { relaySocket } from './relay-socket.ts'
import { createSendBudget, type SendBudget } from './send-budget.ts'

export type BrowserSocketDeps = {
  readonly browsers: OwnBrowsers
  /** Connections that the limit on connections does not close. */
  readonly busySockets: WeakSet<object>
}

const ADDRESS = /^\/browsers\/([\w-]{1,64})\/cdp\?token=([\w-]{1,64})$/
/** The process in a token. */
const PROCESS = /^([0-9a-f]{8}-[0-9a-f]{8})-/
/** Parsing a message blocks the process. */
const LONGEST_MESSAGE_BYTES = 1024 * 1024
/** A client that answers no ping until the next one is gone. */
const PING_EVERY_MS = 30_000

const GOING_AWAY = 1001
const POLICY_VIOLATION = 1008

/** Whether a request asks for a socket of a browser. Other requests with an Upgrade header are answered without one. */
export function isBrowserSocket({ url = '' }: Pick<IncomingMessage, 'url'>): boolean {
  return url.startsWith('/browsers/')
}

/** Connects clients of the Chrome DevTools Protocol to in-house browsers. The token in the URL authorizes them. */
export function serveBrowserSockets(app: FastifyInstance, deps: BrowserSocketDeps): void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LONGEST_MESSAGE_BYTES,
    perMessageDeflate: false,
    clientTracking: true,
  })
  const budgets = new WeakMap<OwnBrowser, SendBudget>()
  const budgetOf = (session: OwnBrowser): SendBudget => {
    const budget = budgets.get(session) ?? createSendBudget()
    budgets.set(session, budget)
    return budget
  }
  const relayed = new Set<Duplex>()
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    try {
      const path = pathOf(deps, request)
      if (path === null) return accept(request, socket, head)
      deps.busySockets.add(request.socket)
      relayed.add(socket.once('close', () => relayed.delete(socket)))
      relaySocket(path, request, socket, head).catch(() =>
        reject(socket, '503 Service Unavailable', SILENT),
      )
    } catch (error) {
      rejectError(socket, error)
    }
  })
  // Clients that reached another process of this machine.
  deps.browsers.host?.serveSockets(accept)
  function accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy())
    const { session, token } = readAddress(request)
    const found = deps.browsers.find(session, token)
    if (found === undefined) return reject(socket, '404 Not Found', UNKNOWN)
    const leave = found.join()
    if (leave === null) return reject(socket, '429 Too Many Requests', FULL)
    socket.once('close', leave)
    deps.busySockets.add(request.socket)
    connect(found, budgetOf(found), socket, (client) =>
      sockets.handleUpgrade(request, socket, head, (opened) => client(opened)),
    ).catch(() => reject(socket, '503 Service Unavailable', SILENT))
  }
  app.addHook('preClose', async () => {
    for (const socket of relayed) socket.destroy()
    for (const socket of sockets.clients) {
      socket.close(GOING_AWAY, 'The gateway stops.')
      setTimeout(() => socket.terminate(), 1_000).unref()
    }
  })
}

function readAddress({ url = '' }: IncomingMessage): { session: string; token: string } {
  const [, session = '', token = ''] = ADDRESS.exec(url) ?? []
  return { session, token }
}

/**
 * The socket of the other process that runs the session; null for a session of this process. Throws AppError
 * `upstream_busy` for another machine.
 */
function pathOf({ browsers }: BrowserSocketDeps, request: IncomingMessage): string | null {
  const { session, token } = readAddress(request)
  const { host } = browsers
  const name = PROCESS.exec(token)?.[1]
  if (host === undefined || name === undefined || name === host.name) return null
  return browsers.find(session, token) === undefined ? host.pathOf(name) : null
}

/** Opens the browser's side first, so that no message of the client waits for it. */
async function connect(
  { browser }: OwnBrowser,
  budget: SendBudget,
  raw: Duplex,
  upgrade: (opened: (socket: WebSocket) => void) => void,
): Promise<void> {
  let socket: WebSocket | undefined
  const fail = (reason: string): void => socket?.close(POLICY_VIOLATION, reason)
  const connection = await browser.hub.connect({
    receive(text) {
      if (socket !== undefined) budget.send(socket, Buffer.from(text))
    },
    fail,
  })
  raw.once('close', () => connection.close())
  if (raw.destroyed) return connection.close()
  upgrade((opened) => {
    socket = opened
    budget.add(opened)
    limitMessageTime(opened, raw)
    opened.on('message', (bytes, isBinary) => {
      if (opened.readyState !== opened.OPEN) return
      if (isBinary) return fail('The DevTools protocol has no binary messages.')
      connection.send(bytes.toString('utf8'))
    })
    opened.on('error', () => opened.terminate())
    pingUntilClosed(opened)
    void browser.ended.then(() => opened.close(GOING_AWAY, 'The session has ended.'))
  })
}

function pingUntilClosed(socket: WebSocket): void {
  let isAnswered = true
  const timer = setInterval(() => {
    if (!isAnswered) socket.terminate()
    isAnswered = false
    socket.ping()
  }, PING_EVERY_MS).unref()
  socket.on('pong', () => (isAnswered = true))
  socket.on('close', () => clearInterval(timer))
}

const UNKNOWN = 'The session has ended, or the token is wrong.'
const FULL = 'The session has as many clients as allowed. Close another one.'
const SILENT = 'The browser does not answer. Try again, or open another session.'
