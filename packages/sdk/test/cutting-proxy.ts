/** A proxy that cuts the first answers in their bodies. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { cleanUp } from '../../../test/harness/clean-up.ts'

export type CuttingProxy = {
  readonly url: string
  /** The idempotency keys of the requests, in order. */
  readonly keys: (string | undefined)[]
  cuts(): number
}

/** `afterBytes` are the bytes that pass before each cut. Later answers pass. */
export async function startCuttingProxy(
  behind: string,
  afterBytes: readonly number[],
): Promise<CuttingProxy> {
  const left = [...afterBytes]
  const keys: CuttingProxy['keys'] = []
  const server = createServer((incoming, response) => {
    void (async () => {
      const key = incoming.headers['idempotency-key']
      keys.push(typeof key === 'string' ? key : undefined)
      const answer = await fetch(`${behind}${incoming.url}`, {
        method: 'POST',
        headers: {
          authorization: incoming.headers.authorization ?? '',
          'content-type': 'application/json',
          ...(typeof key === 'string' ? { 'idempotency-key': key } : {}),
        },
        body: await buffer(incoming),
      })
      const bytes = Buffer.from(await answer.arrayBuffer())
      const type = answer.headers.get('content-type') ?? ''
      response.writeHead(answer.status, { 'content-type': type })
      const end = answer.ok ? left.shift() : undefined
      if (end === undefined) return void response.end(bytes)
      response.write(bytes.subarray(0, end), () => incoming.socket.destroy())
    })()
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  cleanUp(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys,
    cuts: () => afterBytes.length - left.length,
  }
}
