/**
 * A vendor that answers every request with the same small search result, immediately or after the milliseconds of
 * its first argument. Prints its port. It implements only
 * the necessary HTTP on bare sockets, because it shares a core with the database and must not be the bottleneck.
 */
import { createServer, type AddressInfo } from 'node:net'
import { readMessages } from './http-messages.ts'

const BODY = JSON.stringify({
  requestId: 'bench',
  results: [
    {
      id: 'https://example.com/',
      url: 'https://example.com/',
      title: 'An example',
      publishedDate: '2026-01-01',
      score: 0.5,
    },
  ],
  costDollars: { total: 0.007 },
})
const ANSWER = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(BODY)}\r\nconnection: keep-alive\r\nkeep-alive: timeout=60\r\n\r\n${BODY}`,
)

const DELAY_MS = Number(process.argv[2] ?? 0)

const server = createServer({ noDelay: true }, (socket) => {
  socket.on(
    'data',
    readMessages(() => {
      if (DELAY_MS === 0) socket.write(ANSWER)
      else setTimeout(() => socket.write(ANSWER), DELAY_MS)
    }),
  )
  socket.on('error', () => socket.destroy())
})
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`ready ${(server.address() as AddressInfo).port}\n`),
)
