/**
 * An upstream of one dialect. It rejects what the dialect rejects, calls a tool, and answers with text
 * after the last result.
 */
import { fieldsOf, listedFields, type Fields } from '../../../src/lib/json-fields.ts'
import { refusalOf, tokensOf, WINDOW, type ServerDialect } from './dialect-rules.ts'
import { completion, event, startModelServer, stream, type Asked } from './model-upstream.ts'

export const THOUGHTS = 'I should look first.'
export const ANSWER = 'All done.'
const COMPLETION_TOKENS = 17

export type DialectServer = {
  readonly url: string
  readonly model: string
  readonly asked: readonly Asked[]
  /** The messages of all rejections. */
  readonly refused: readonly string[]
  /** The price of the last response in micro-dollars. */
  readonly lastCharge: bigint
}

/** `toolEnding`: the end of the name of the tool that it calls. */
export async function startDialectServer(
  dialect: ServerDialect,
  toolEnding: () => { readonly ending: string; readonly input: string },
): Promise<DialectServer> {
  const server = await startModelServer()
  const model = `${dialect.name}/model`
  const refused: string[] = []
  let lastCharge = 0n
  server.list = {
    data: [
      {
        id: model,
        context_length: WINDOW,
        architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] },
        pricing: { prompt: '0.000001', completion: '0.000002' },
      },
    ],
  }
  server.answerWith((asked) => {
    const { body, response } = asked
    const refusal = refusalOf(dialect, body)
    if (refusal !== null) {
      refused.push(refusal.message)
      response
        .writeHead(refusal.status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { message: refusal.message, type: 'invalid_request_error' } }))
      return
    }
    const usage = { prompt_tokens: tokensOf(body), completion_tokens: COMPLETION_TOKENS }
    lastCharge = BigInt(usage.prompt_tokens + 2 * usage.completion_tokens)
    const call = callFor(body, toolEnding())
    if (call === null && body['stream'] !== true) completion(asked, ANSWER, usage)
    else answer(asked, call, dialect, usage)
  })
  return {
    url: server.url,
    model,
    asked: server.asked,
    refused,
    get lastCharge() {
      return lastCharge
    },
  }
}

/** A call of the wanted tool; null if the conversation ends with the result of one. */
function callFor(
  { messages, tools }: Fields,
  { ending, input }: { readonly ending: string; readonly input: string },
): Fields | null {
  const isAnswered = listedFields(messages).some(({ role }) => role === 'tool')
  const tool = listedFields(tools).find((one) => String(nameIn(one)).includes(ending))
  if (isAnswered || tool === undefined) return null
  const name = nameIn(tool)
  return tool['type'] === 'custom'
    ? { index: 0, id: 'call_1', type: 'custom', custom: { name, input } }
    : {
        index: 0,
        id: 'call_1',
        type: 'function',
        function: { name, arguments: JSON.stringify({ input }) },
      }
}

const nameIn = ({ function: named, custom }: Fields): unknown => fieldsOf(named ?? custom)['name']

function answer(
  asked: Asked,
  call: Fields | null,
  { thoughts }: ServerDialect,
  usage: Fields,
): void {
  const thinking = thoughts === null ? {} : { [thoughts]: THOUGHTS }
  const message = call === null ? { content: ANSWER } : { content: null, tool_calls: [call] }
  const finish = call === null ? 'stop' : 'tool_calls'
  if (asked.body['stream'] === true)
    stream(asked, [
      event({ choices: [{ index: 0, delta: { role: 'assistant', ...thinking } }] }),
      event({ choices: [{ index: 0, delta: message, finish_reason: finish }] }),
      event({ choices: [], usage }),
      'data: [DONE]\n\n',
    ])
  else
    asked.response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        id: 'gen-1',
        choices: [{ index: 0, message: { ...thinking, ...message }, finish_reason: finish }],
        usage,
      }),
    )
}
