/** A server that gives prepared answers in order, and records the requests. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { cleanUp } from '../../../test/harness/clean-up.ts'

export type Answer =
  | 'cut'
  | 'cut in the body'
  | 'silence'
  | {
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body: unknown
    }

export type ScriptedGateway = {
  readonly url: string
  readonly requests: {
    readonly url: string
    readonly headers: IncomingHttpHeaders
    readonly body: string
  }[]
}

/** The last answer repeats. */
export async function startScriptedGateway(
  answers: readonly Answer[],
  onRequest: () => void = () => {},
): Promise<ScriptedGateway> {
  const requests: ScriptedGateway['requests'] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const answer = answers[Math.min(requests.length, answers.length - 1)]
      requests.push({ url: request.url ?? '', headers: request.headers, body })
      onRequest()
      if (answer === undefined || answer === 'silence') return
      if (answer === 'cut') return void request.socket.destroy()
      if (answer === 'cut in the body')
        return void response
          .writeHead(200, { 'content-length': 1_000 })
          .write('{"ok":true,', () => request.socket.destroy())
      const { status = 200, headers = {}, body: given } = answer
      const answered = typeof given === 'string' ? given : JSON.stringify(given)
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(answered)
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  cleanUp(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

export const GOOD: Answer = {
  body: { ok: true, data: {}, charged_cents: 0, charged_micros: 0, request_id: 'req_1' },
}

export function refusal(
  status: number,
  error: { readonly code: string; readonly retryable?: boolean },
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const body = { ok: false, error: { message: 'No.', fix: 'Wait.', ...error }, request_id: 'req_1' }
  return { status, headers, body }
}
