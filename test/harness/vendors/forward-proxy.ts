import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { cleanUp } from '../clean-up.ts'

export type ForwardProxy = {
  /** The host and port of the proxy. */
  readonly authority: string
  /** The targets of the tunnels so far, with the credentials that opened them. */
  readonly tunnels: { target: string; authorization: string }[]
}

/** An HTTP proxy on loopback that opens tunnels. It closes at the end of the test file. */
export async function startForwardProxy(): Promise<ForwardProxy> {
  const tunnels: ForwardProxy['tunnels'] = []
  const server = createServer((_request, response) => response.writeHead(405).end())
  server.on('connect', (request, client, head) => {
    const target = request.url ?? ''
    tunnels.push({ target, authorization: request.headers['proxy-authorization'] ?? '' })
    const [host = '', port = ''] = target.split(':')
    const upstream = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      upstream.write(head)
      client.pipe(upstream).pipe(client)
    })
    upstream.on('error', () => client.destroy())
    client.on('error', () => upstream.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(() => {
    server.closeAllConnections()
    server.close()
  })
  return { authority: `127.0.0.1:${(server.address() as AddressInfo).port}`, tunnels }
}
