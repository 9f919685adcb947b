import type { Mode } from './send-call.ts'

export type ChatMessage = {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

export type ChatRequest = {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly mode: Mode
  readonly mostCents: number
  readonly once: string
  readonly signal: AbortSignal
}

export type ChatEnd = {
  readonly requestId: string | null
  readonly promptTokens: number | null
  readonly completionTokens: number | null
}

/** The gateway rejected the request, or its stream ended with an error. */
export class ChatError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Usage = { readonly prompt_tokens?: number; readonly completion_tokens?: number }
type Chunk = {
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[]
  readonly usage?: Usage | null
  readonly error?: { readonly message?: string }
}

/** Streams one answer. `onText` gets its parts as they arrive. Throws ChatError, and the abort of `signal`. */
export async function streamChat(
  { model, messages, mode, mostCents, once, signal }: ChatRequest,
  onText: (text: string) => void,
): Promise<ChatEnd> {
  const response = await fetch(`/playground/${mode}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': once },
    body: JSON.stringify({
      model,
      messages,
      stream: true,
      stream_options: { include_usage: true },
      max_cost_cents: mostCents,
    }),
    signal,
  })
  if (!response.ok || response.body === null)
    throw new ChatError(response.status, await readMessage(response))
  let usage: Usage = {}
  for await (const chunk of readEvents(response.body)) {
    if (chunk.error !== undefined)
      throw new ChatError(response.status, chunk.error.message ?? 'The answer ended early.')
    const text = chunk.choices?.[0]?.delta?.content
    if (typeof text === 'string' && text !== '') onText(text)
    if (chunk.usage !== undefined && chunk.usage !== null) usage = chunk.usage
  }
  return {
    requestId: response.headers.get('x-request-id'),
    promptTokens: usage.prompt_tokens ?? null,
    completionTokens: usage.completion_tokens ?? null,
  }
}

async function readMessage(response: Response): Promise<string> {
  try {
    const { error } = (await response.json()) as Chunk
    return error?.message ?? `The gateway answered ${response.status}.`
  } catch {
    return `The gateway answered ${response.status}.`
  }
}

/** The data of server-sent events, until [DONE]. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<Chunk> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    rest += decoder.decode(value, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const data = /^data:\s*(.*)$/.exec(line.trimEnd())?.[1]
      if (data === '[DONE]') return
      if (data !== undefined && data !== '') yield JSON.parse(data) as Chunk
    }
  }
}

/** The charge of an answer in micro-dollars; null while it is unknown. */
export async function readCharge(mode: Mode, requestId: string): Promise<number | null> {
  try {
    const response = await fetch(`/playground/${mode}/calls/${requestId}`)
    const { data } = (await response.json()) as { data?: { charged_micros?: number | null } }
    return data?.charged_micros ?? null
  } catch {
    return null
  }
}
