/** An upstream of language models on this machine. It answers by script and writes a bill for each request. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerChat } from './chat-upstream.ts'
import { answerMessages } from './messages-upstream.ts'
import { refusalOf, type ServerDialect } from '../../test/harness/vendors/dialect-rules.ts'
import { answerResponses } from './responses-upstream.ts'
import { PROMPT_TOKENS, list, sendJson, type Asked, type Billed, type Fields } from './wire.ts'

/** In dollars per token. */
const PRICE = { prompt: '0.000003', completion: '0.000015' }
const CONTEXT_LENGTH = 200_000
const MICROS = { prompt: 3, completion: 15 }

export type Upstream = {
  readonly url: string
  readonly bills: readonly Billed[]
  close(): void
}

/** The price of a bill in micro-dollars. */
export const priceOf = (bill: Billed): number =>
  bill.promptTokens * MICROS.prompt + bill.completionTokens * MICROS.completion

/** With a dialect, it rejects what its servers reject. */
export async function startUpstream(
  models: readonly string[],
  dialect?: ServerDialect,
): Promise<Upstream> {
  const bills: Billed[] = []
  const server = createServer((incoming, response) => {
    respond(incoming, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined)
    })
  })
  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (incoming.url ?? '').replace(/\?.*/, '')
    if (path.endsWith('/models')) {
      sendJson(response, 200, { data: models.map(describeModel) })
      return
    }
    const [, id] = /\/generation\?id=(.*)$/.exec(incoming.url ?? '') ?? []
    if (id !== undefined) {
      sendRecord(response, bills, id)
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const body = (text === '' ? {} : JSON.parse(text)) as Fields
    const bill: Billed = {
      id: `gen-${bills.length + 1}`,
      path,
      promptTokens: PROMPT_TOKENS,
      completionTokens: 0,
      isOver: false,
    }
    const answer = answers.find(([end]) => path.endsWith(end))?.[1]
    if (answer === undefined) {
      sendJson(response, 404, { error: { message: `The upstream has no ${path}.` } })
      return
    }
    const refusal = dialect === undefined ? null : refusalOf(dialect, body, CONTEXT_LENGTH)
    if (refusal !== null) {
      sendJson(response, refusal.status, { error: { message: refusal.message } })
      return
    }
    bills.push(bill)
    response.once('close', () => {
      bill.isOver = true
    })
    await answer({ body, text, headers: incoming.headers, response, bill })
  }
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    bills,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const answers: readonly (readonly [string, (asked: Asked) => Promise<void> | void])[] = [
  ['/chat/completions', answerChat],
  ['/messages', answerMessages],
  ['/responses', answerResponses],
  ['/embeddings', answerEmbeddings],
]

/** The record of a generation exists once it has ended. */
function sendRecord(response: ServerResponse, bills: readonly Billed[], id: string): void {
  const bill = bills.find((one) => one.id === id && one.isOver)
  if (bill === undefined) sendJson(response, 404, { error: { message: 'No such generation.' } })
  else
    sendJson(response, 200, {
      data: {
        id,
        native_tokens_prompt: bill.promptTokens,
        native_tokens_completion: bill.completionTokens,
      },
    })
}

function answerEmbeddings({ body, bill, response }: Asked): void {
  const texts = typeof body['input'] === 'string' ? [body['input']] : list(body['input'])
  const vector = [0.5, -0.25, 0.125, 1]
  const embedding =
    body['encoding_format'] === 'base64'
      ? Buffer.from(new Float32Array(vector).buffer).toString('base64')
      : vector
  sendJson(response, 200, {
    object: 'list',
    model: body['model'],
    data: texts.map((_, index) => ({ object: 'embedding', index, embedding })),
    usage: { prompt_tokens: bill.promptTokens, total_tokens: bill.promptTokens },
  })
}

function describeModel(id: string): Fields {
  return {
    id,
    name: id,
    created: 1,
    context_length: CONTEXT_LENGTH,
    architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] },
    top_provider: { max_completion_tokens: 128_000 },
    supported_parameters: ['max_tokens', 'tools', 'tool_choice', 'response_format'],
    pricing: PRICE,
  }
}
