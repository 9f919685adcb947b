/** A vendor that answers every request at once with the same small search result. Prints its port. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const ANSWER = JSON.stringify({
  requestId: 'bench',
  results: [{ id: 'https://example.com/', url: 'https://example.com/', title: 'An example', publishedDate: '2026-01-01', score: 0.5 }],
  costDollars: { total: 0.007 },
})
const HEADERS = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(ANSWER)) }

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => response.writeHead(200, HEADERS).end(ANSWER))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.stdout.write(`ready ${(server.address() as AddressInfo).port}\n`))
