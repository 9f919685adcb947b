/**
 * Usage: `node listen.ts PORT`, started with an IPC channel inside the network of a browser. Opens the
 * only port of that network and passes it to the gateway, whose guard answers there.
 */
import { createServer } from 'node:net'

const server = createServer()
server.listen(Number(process.argv[2]), '127.0.0.1', () =>
  process.send?.('listening', server, undefined, () => process.exit(0)),
)
