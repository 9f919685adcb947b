/**
 * A second baseline that does less than `bare-proxy.ts`: `dispatch` of undici in place of `request`, without streams or
 * promises. Takes the vendor's port and prints its own.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent } from 'undici'

const origin = `http://127.0.0.1:${process.argv[2] ?? ''}`
const dispatcher = new Agent({ connections: 256, keepAliveTimeout: 30_000 })
const headers = { 'content-type': 'application/json' }

function forward(body: Buffer, response: ServerResponse): void {
  const parts: Buffer[] = []
  let status = 502
  dispatcher.dispatch(
    { origin, path: '/search', method: 'POST', headers, body },
    {
      onRequestStart() {},
      onResponseStart(_controller, statusCode) {
        status = statusCode
      },
      onResponseData(_controller, part) {
        parts.push(part)
      },
      onResponseEnd: () => end(response, status, Buffer.concat(parts)),
      onResponseError: () => end(response, 502, Buffer.alloc(0)),
    },
  )
}

function end(response: ServerResponse, status: number, body: Buffer): void {
  response.writeHead(status, { ...headers, 'content-length': body.length }).end(body)
}

const server = createServer((incoming: IncomingMessage, response) => {
  const parts: Buffer[] = []
  incoming.on('data', (part: Buffer) => parts.push(part))
  incoming.on('end', () => forward(Buffer.concat(parts), response))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`ready ${(server.address() as AddressInfo).port}\n`),
)
