/** The baseline: pipes bytes from node:http to undici, without keys, prices or money. Takes the upstream's port and prints its own. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, request } from 'undici'

const upstream = `http://127.0.0.1:${process.argv[2] ?? ''}/v1/chat/completions`
const dispatcher = new Agent({ keepAliveTimeout: 30_000 })

async function forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
  const answer = await request(upstream, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: Buffer.concat(chunks),
    dispatcher,
  })
  const type = String(answer.headers['content-type'])
  if (type.startsWith('text/event-stream')) {
    response.writeHead(answer.statusCode, { 'content-type': type })
    answer.body.pipe(response)
    return
  }
  const text = await answer.body.text()
  response
    .writeHead(answer.statusCode, {
      'content-type': type,
      'content-length': String(Buffer.byteLength(text)),
    })
    .end(text)
}

const server = createServer((incoming, response) => void forward(incoming, response))
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`ready ${(server.address() as AddressInfo).port}\n`),
)
