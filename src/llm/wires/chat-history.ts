/** Builds the messages of chat completions from the items of other APIs. */
import { listedFields, type Fields } from '../../lib/json-fields.ts'

/** A result whose only content follows in a message of the user. */
const SHOWN_NEXT = 'The result follows in the next message.'

export class ChatHistory {
  readonly #messages: Fields[] = []
  /** The media in the results of tools, which only messages of the user can have. */
  #media: Fields[] = []

  /** Adds the words of the user or of the system; none without content. */
  say(role: string, content: unknown): void {
    this.#showMedia()
    if (!isEmpty(content)) this.#messages.push({ role, content })
  }

  /** Adds thoughts, words and calls of the model. Those of one turn become one message. */
  answer({ thoughts, content, call }: Answer): void {
    this.#showMedia()
    const last = this.#messages.at(-1)
    const isNew = last?.['role'] !== 'assistant' || (content !== undefined && isSaid(last))
    const {
      content: words = null,
      thoughts: earlier,
      tool_calls: calls,
      ...message
    } = isNew ? { role: 'assistant' } : last
    const all = [earlier, thoughts].filter((one) => typeof one === 'string')
    const called = [...listedFields(calls), ...(call === undefined ? [] : [call])]
    if (!isNew) this.#messages.pop()
    this.#messages.push({
      ...message,
      content: content ?? words,
      ...(all.length === 0 ? {} : { thoughts: all.join('\n\n') }),
      ...(called.length === 0 ? {} : { tool_calls: called }),
    })
  }

  /** Adds the result of a call. */
  result(callId: unknown, text: string, media: readonly Fields[]): void {
    const content = text === '' && media.length > 0 ? SHOWN_NEXT : text
    this.#messages.push({ role: 'tool', tool_call_id: callId, content })
    this.#media.push(...media)
  }

  /** The messages, in which the results follow their calls. */
  get messages(): readonly Fields[] {
    this.#showMedia()
    const said = this.#messages.flatMap((message) => {
      const { role, content, tool_calls: calls } = message
      if (role !== 'assistant' || !isEmpty(content)) return [message]
      return calls === undefined ? [] : [{ ...message, content: null }]
    })
    return orderResults(said)
  }

  #showMedia(): void {
    const content = this.#media
    this.#media = []
    if (content.length > 0) this.#messages.push({ role: 'user', content })
  }
}

type Answer = {
  readonly thoughts?: string
  readonly content?: string
  readonly call?: Fields
}

const isEmpty = (content: unknown): boolean =>
  content === '' || content == null || (Array.isArray(content) && content.length === 0)

/** Whether an answer has words or calls, so that further words begin another one. */
const isSaid = ({ content, tool_calls: calls }: Fields): boolean =>
  calls !== undefined || (content !== null && content !== undefined)

/**
 * Upstreams reject a call without a result directly after it, and a result without a call. Clients
 * send both: interrupted calls, messages that arrived during a call, and shortened histories.
 */
function orderResults(messages: readonly Fields[]): Fields[] {
  const results = Map.groupBy(
    messages.entries().filter(([, { role }]) => role === 'tool'),
    ([, { tool_call_id: id }]) => id,
  )
  const placed = new Set<Fields>()
  const ordered: Fields[] = []
  for (const [place, message] of messages.entries()) {
    if (placed.has(message)) continue
    if (message['role'] === 'tool') {
      ordered.push({ role: 'user', content: `The result of a tool: ${String(message['content'])}` })
      continue
    }
    ordered.push(message)
    for (const { id } of listedFields(message['tool_calls'])) {
      const [, result] = results.get(id)?.find(([at, one]) => at > place && !placed.has(one)) ?? []
      if (result !== undefined) placed.add(result)
      ordered.push(result ?? { role: 'tool', tool_call_id: id, content: 'No result.' })
    }
  }
  return ordered
}
