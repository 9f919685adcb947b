/** The used part of `ws`, which has no types of its own. */
declare module 'ws' {
  import type { ClientRequest, IncomingMessage } from 'node:http'
  import type { LookupFunction } from 'node:net'
  import type { Duplex } from 'node:stream'

  export class WebSocket {
    constructor(
      url: string,
      options: {
        headers: Readonly<Record<string, string>>
        maxPayload: number
        perMessageDeflate: false
        followRedirects: false
        autoPong: false
        closeTimeout: number
        lookup?: LookupFunction
        ca?: string
      },
    )
    on(event: 'open', listener: () => void): this
    on(event: 'message', listener: (bytes: Buffer, isBinary: boolean) => void): this
    on(event: 'ping' | 'pong', listener: (bytes: Buffer) => void): this
    on(event: 'close', listener: (code: number) => void): this
    on(event: 'error', listener: (error: Error) => void): this
    on(
      event: 'unexpected-response',
      listener: (request: ClientRequest, response: IncomingMessage) => void,
    ): this
    readonly OPEN: number
    readonly readyState: number
    /** Number of bytes queued but not yet sent. */
    readonly bufferedAmount: number
    /** A Buffer is a text with `binary: false`. */
    send(message: string | Buffer, options?: { readonly binary: boolean }): void
    ping(bytes?: Buffer): void
    pong(bytes: Buffer): void
    close(code?: number, reason?: string): void
    /** Closes without a closing handshake. */
    terminate(): void
  }

  export class WebSocketServer {
    constructor(options: {
      noServer: true
      maxPayload?: number
      perMessageDeflate?: false
      clientTracking?: true
    })
    /** Open sockets, with `clientTracking`. */
    readonly clients: ReadonlySet<WebSocket>
    handleUpgrade(
      request: IncomingMessage,
      socket: Duplex,
      head: Buffer,
      opened: (socket: WebSocket) => void,
    ): void
  }
}
