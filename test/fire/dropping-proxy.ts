/** A proxy in front of gateways that drops answers after the gateway has sent them. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, request } from 'undici'
import { cleanUp } from '../harness/clean-up.ts'

export type DroppingProxy = {
  readonly url: string
  /** Every answer that gateways gave, those that were lost among them. */
  readonly passed: {
    readonly idempotencyKey: string
    readonly status: number
    readonly text: string
    readonly dropped: boolean
  }[]
}

/** `drops` decides whether the n-th answer is lost: sometimes before its first byte, sometimes in its body. */
export async function startDroppingProxy(
  urls: readonly string[],
  drops: (answer: number) => boolean,
): Promise<DroppingProxy> {
  const passed: DroppingProxy['passed'] = []
  const dispatcher = new Agent({ connections: null })
  let turn = 0

  async function forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
    turn += 1
    const idempotencyKey = String(incoming.headers['idempotency-key'])
    const answer = await request(`${urls[turn % urls.length]}${incoming.url}`, {
      method: 'POST',
      headers: {
        authorization: incoming.headers.authorization,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: Buffer.concat(chunks),
      dispatcher,
    })
    const text = await answer.body.text()
    const dropped = drops(passed.length)
    passed.push({ idempotencyKey, status: answer.statusCode, text, dropped })
    if (!dropped) response.writeHead(answer.statusCode, answer.headers).end(text)
    else if (passed.length % 2 === 0) incoming.socket.destroy()
    else
      response
        .writeHead(answer.statusCode, { 'content-length': text.length })
        .write(text.slice(0, 40), () => incoming.socket.destroy())
  }

  const server = createServer((incoming, response) => void forward(incoming, response))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  cleanUp(async () => {
    server.close()
    server.closeAllConnections()
    await dispatcher.destroy()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, passed }
}
