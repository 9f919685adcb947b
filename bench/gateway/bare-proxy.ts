/** The baseline: node:http in, undici out, without keys, checks or money. Takes the vendor's port and prints its own. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, request } from 'undici'

const vendor = `http://127.0.0.1:${process.argv[2] ?? ''}/search`
const dispatcher = new Agent({ connections: 256, keepAliveTimeout: 30_000 })

async function forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
  const answer = await request(vendor, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: Buffer.concat(chunks),
    dispatcher,
  })
  const text = await answer.body.text()
  response
    .writeHead(answer.statusCode, {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    })
    .end(text)
}

const server = createServer((incoming, response) => void forward(incoming, response))
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`ready ${(server.address() as AddressInfo).port}\n`),
)
