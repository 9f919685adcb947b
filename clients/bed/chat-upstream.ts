/** The chat-completions API of the simulated upstream. */
import { replyTo, wordsOf, type Reply } from './script.ts'
import { fields, list, sendJson, writeEndless, type Asked, type Fields } from './wire.ts'

export async function answerChat(asked: Asked): Promise<void> {
  const { body } = asked
  const forced = fields(fields(body['tool_choice'])['function'])['name']
  const reply = replyTo(JSON.stringify(list(body['messages'])), {
    hasToolResult: list(body['messages']).some((message) => fields(message)['role'] === 'tool'),
    forced: typeof forced === 'string' ? forced : null,
  })
  if (reply.kind !== 'endless') asked.bill.completionTokens = tokensOf(reply)
  if (body['stream'] === true) await stream(asked, reply)
  else sendJson(asked.response, 200, whole(asked, reply))
}

function tokensOf(reply: Reply): number {
  if (reply.kind === 'text') return wordsOf(reply.text).length
  return reply.kind === 'call' ? 7 : 0
}

const usageOf = ({ bill }: Asked): unknown => ({
  prompt_tokens: bill.promptTokens,
  completion_tokens: bill.completionTokens,
  total_tokens: bill.promptTokens + bill.completionTokens,
})

function whole(asked: Asked, reply: Reply): unknown {
  const message =
    reply.kind === 'call'
      ? { role: 'assistant', content: null, tool_calls: [toolCall(reply)] }
      : { role: 'assistant', content: reply.kind === 'text' ? reply.text : '' }
  return {
    id: asked.bill.id,
    system_fingerprint: 'simulated',
    object: 'chat.completion',
    created: 1,
    model: asked.body['model'],
    choices: [{ index: 0, message, finish_reason: finishReason(reply) }],
    usage: usageOf(asked),
  }
}

const toolCall = (reply: { readonly name: string; readonly input: string }): Fields => ({
  id: 'call_1',
  type: 'function',
  function: { name: reply.name, arguments: reply.input },
})

const finishReason = (reply: Reply): string => (reply.kind === 'call' ? 'tool_calls' : 'stop')

async function stream(asked: Asked, reply: Reply): Promise<void> {
  const { response, body } = asked
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (more: object): void => {
    const head = {
      id: asked.bill.id,
      system_fingerprint: 'simulated',
      object: 'chat.completion.chunk',
      created: 1,
    }
    response.write(`data: ${JSON.stringify({ ...head, model: body['model'], ...more })}\n\n`)
  }
  const delta = (content: object, finish_reason: string | null = null): void =>
    send({ choices: [{ index: 0, delta: content, finish_reason }] })
  delta({ role: 'assistant', content: '' })
  if (reply.kind === 'endless') await writeEndless(asked, (content) => delta({ content }))
  if (reply.kind === 'text') for (const content of wordsOf(reply.text)) delta({ content })
  if (reply.kind === 'call') delta({ tool_calls: [{ index: 0, ...toolCall(reply) }] })
  delta({}, finishReason(reply))
  send({ choices: [], usage: usageOf(asked) })
  response.end('data: [DONE]\n\n')
}
