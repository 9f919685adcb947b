/** A vendor of WebSockets: a local server whose messages the test controls. Plain requests go to an inner vendor. */
import type { IncomingMessage } from 'node:http'
import { WebSocketServer, type WebSocket } from 'ws'
import { cleanUp } from '../clean-up.ts'
import { startVendor, type TestVendor } from './vendor.ts'

export type Refusal = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}
export type WebSocketVendor = {
  readonly url: string
  /** The requested upgrades. */
  readonly asked: IncomingMessage[]
  /** Sets the vendor's side of the next conversations. */
  converseWith(converse: (socket: WebSocket, request: IncomingMessage) => void): void
  /** Rejects upgrades for this reason, or leaves them unanswered. */
  refuseWith(refusal: Refusal | 'hang'): void
}

export async function startWebSocketVendor(vendor?: TestVendor): Promise<WebSocketVendor> {
  const { server, url } = vendor ?? (await startVendor())
  const asked: IncomingMessage[] = []
  let decide: (socket: WebSocket, request: IncomingMessage) => void = () => {}
  let refusal: Refusal | 'hang' | null = null
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    asked.push(request)
    socket.on('error', () => socket.destroy())
    if (refusal === 'hang') return
    if (refusal === null) {
      sockets.handleUpgrade(request, socket, head, (opened) => decide(opened, request))
      return
    }
    const { status, headers = {}, body = {} } = refusal
    const text = JSON.stringify(body)
    const lines = Object.entries({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
      connection: 'close',
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} No\r\n${lines.join('')}\r\n${text}`)
  })
  const open = new Set<{ destroy(): void }>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  cleanUp(() => {
    for (const socket of open) socket.destroy()
  })
  return {
    url,
    asked,
    converseWith(converse) {
      refusal = null
      decide = converse
    },
    refuseWith(reason) {
      refusal = reason
    },
  }
}
