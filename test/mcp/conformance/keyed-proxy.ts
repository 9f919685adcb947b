/** Passes requests on with a key added: the conformance suite has no option for headers. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export type KeyedProxy = { readonly url: string; close(): void }

export async function startKeyedProxy(port: number, key: string): Promise<KeyedProxy> {
  const server = createServer((incoming, answer) => {
    const onward = request(
      {
        host: '127.0.0.1',
        port,
        path: incoming.url,
        method: incoming.method,
        headers: { ...incoming.headers, authorization: `Bearer ${key}` },
      },
      (reply) => {
        answer.writeHead(reply.statusCode ?? 502, reply.headers)
        reply.pipe(answer)
      },
    )
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
