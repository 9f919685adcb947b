/** An upstream of language models. The test controls its answers, down to single bytes. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cleanUp } from '../clean-up.ts'

export type Asked = {
  readonly model: string
  /** Such as "/v1/messages". */
  readonly path: string
  /** The body as it arrived. */
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: IncomingMessage['headers']
  readonly response: ServerResponse
  readonly closed: Promise<void>
}

export type ModelServer = {
  readonly url: string
  readonly asked: Asked[]
  /** The answer of GET /models; null answers 500. */
  list: unknown
  /** More pages of the list, by path and query. */
  readonly pages: Map<string, unknown>
  listRequests: number
  /** The answers of GET /generation, by id. */
  readonly records: Map<string, { readonly status: number; readonly body: unknown }>
  readonly recordRequests: string[]
  answerWith(answer: (asked: Asked) => void): void
}

const PRICES = {
  'maker/small': ['0.0000001', '0.0000005'],
  'maker/large': ['0.000004', '0.00002'],
} as const

export function listOf(
  prices: Readonly<Record<string, readonly [string, string] | null>> = PRICES,
  more: Readonly<Record<string, unknown>> = {},
) {
  return {
    data: Object.entries(prices).map(([id, price]) => ({
      id,
      name: id,
      created: 1,
      ...(price === null ? {} : { pricing: { prompt: price[0], completion: price[1] } }),
      ...more,
    })),
  }
}

export async function startModelServer(): Promise<ModelServer> {
  let answer: (asked: Asked) => void = ({ response }) => response.writeHead(500).end()
  const server = createServer((incoming, response) => void respond(incoming, response))
  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    if (/\/models(\?|$)/.test(incoming.url ?? '')) {
      model.listRequests += 1
      const further = model.pages.get(incoming.url ?? '')
      if (further !== undefined) {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(further))
        return
      }
      response
        .writeHead(model.list === null ? 500 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(model.list))
      return
    }
    const [, id] = /\/generation\?id=(.*)$/.exec(incoming.url ?? '') ?? []
    if (id !== undefined) {
      model.recordRequests.push(id)
      const { status, body } = model.records.get(id) ?? {
        status: 404,
        body: { detail: 'Not Found' },
      }
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      return
    }
    if (incoming.method === 'GET') {
      response.writeHead(404).end()
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const body = JSON.parse(text) as Record<string, unknown>
    const asked: Asked = {
      model: String(body['model']),
      path: incoming.url ?? '',
      text,
      body,
      headers: incoming.headers,
      response,
      closed: new Promise((closed) => response.once('close', closed)),
    }
    model.asked.push(asked)
    answer(asked)
  }
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  cleanUp(() => {
    server.close()
    server.closeAllConnections()
  })
  const model: ModelServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: [],
    list: listOf(),
    pages: new Map(),
    listRequests: 0,
    records: new Map(),
    recordRequests: [],
    answerWith(next) {
      answer = next
    },
  }
  return model
}

export type Usage = {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly cost?: number
} & Readonly<Record<string, unknown>>

export function completion(asked: Asked, text: string, usage: Usage | null): void {
  const body = {
    id: 'gen-1',
    object: 'chat.completion',
    created: 1,
    model: asked.model,
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    ...(usage === null ? {} : { usage }),
  }
  asked.response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

export function event(fields: Readonly<Record<string, unknown>>): string {
  return `data: ${JSON.stringify({ id: 'gen-1', object: 'chat.completion.chunk', created: 1, model: 'maker/small', ...fields })}\n\n`
}

export const say = (content: string): string =>
  event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })

/** The events of a complete answer: role, words, finish reason, usage and end mark. */
export function eventsOf(words: readonly string[], usage: Usage | null): string[] {
  return [
    event({
      choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
    }),
    ...words.map(say),
    event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    ...(usage === null ? [] : [event({ choices: [], usage })]),
    'data: [DONE]\n\n',
  ]
}

export function stream(asked: Asked, events: readonly string[]): void {
  asked.response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const one of events) asked.response.write(one)
  asked.response.end()
}
