/** A vendor as a local HTTP server. The test sets its answers and reads its requests. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cleanUp } from '../clean-up.ts'

export type VendorRequest = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
}
export type VendorReply =
  | {
      readonly status?: number
      readonly headers?: Record<string, string | string[]>
      readonly body?: unknown
    }
  | 'hang'
  | 'reset'

export type TestVendor = {
  readonly url: string
  readonly server: Server
  readonly requests: VendorRequest[]
  /** Sets the next answers. */
  answerWith(reply: (request: VendorRequest) => VendorReply | Promise<VendorReply>): void
}

function bodyOf(text: string, contentType = ''): unknown {
  if (text === '') return undefined
  return contentType.includes('json') ? (JSON.parse(text) as unknown) : text
}

export async function startVendor(): Promise<TestVendor> {
  const requests: VendorRequest[] = []
  let decide: (request: VendorRequest) => VendorReply | Promise<VendorReply> = () => ({
    status: 200,
    body: {},
  })

  const server = createServer((incoming, response) => void respond(incoming, response))
  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const request = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: bodyOf(text, incoming.headers['content-type']),
    }
    requests.push(request)
    const reply = await decide(request)
    if (reply === 'hang') return
    if (reply === 'reset') {
      incoming.socket.destroy()
      return
    }
    const body =
      typeof reply.body === 'string' || Buffer.isBuffer(reply.body)
        ? reply.body
        : JSON.stringify(reply.body ?? {})
    response
      .writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
      .end(body)
  }

  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  cleanUp(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    requests,
    answerWith(reply) {
      decide = reply
    },
  }
}
