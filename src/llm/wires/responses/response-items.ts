/** The events of one item of a streamed response. */
import { fieldsOf, type Fields } from '../../../lib/json-fields.ts'
import { callItem, messageItem, reasoningItem, textPart } from './response-of-completion.ts'

type NamedFields = readonly [type: string, fields: Fields]

type ItemFacts = {
  /** The caller's body. */
  readonly request: Fields
  /** `reasoning`, `text`, `refusal`, or `call` with its index. */
  readonly kind: string
  /** The first piece of a tool call. */
  readonly call: Fields
  readonly index: number
  readonly id: string
}

export class OpenItem {
  readonly #facts: ItemFacts
  #text = ''

  constructor(facts: ItemFacts) {
    this.#facts = facts
  }

  /** The item with all words so far. */
  get whole(): Fields {
    const { request, kind, call, id, index } = this.#facts
    if (kind === 'reasoning') return reasoningItem(`rs_${id}_${index}`, this.#text)
    if (kind === 'text' || kind === 'refusal')
      return messageItem(`msg_${id}_${index}`, [this.#part])
    const named = fieldsOf(call['function'] ?? call['custom'])
    const filled =
      call['custom'] == null
        ? { function: { ...named, arguments: this.#text } }
        : { custom: { ...named, input: this.#text } }
    return callItem(request, `fc_${id}_${index}`, { ...call, ...filled })
  }

  begin(): NamedFields[] {
    const { kind } = this.#facts
    const { whole } = this
    const added: NamedFields = [
      'response.output_item.added',
      { ...this.#place, item: { ...whole, ...emptyOf(kind), status: 'in_progress' } },
    ]
    if (kind === 'reasoning')
      return [
        added,
        [
          'response.reasoning_summary_part.added',
          { ...this.#named, summary_index: 0, part: { type: 'summary_text', text: '' } },
        ],
      ]
    return kind === 'text' || kind === 'refusal'
      ? [
          added,
          ['response.content_part.added', { ...this.#named, content_index: 0, part: this.#part }],
        ]
      : [added]
  }

  add(words: string): NamedFields[] {
    this.#text += words
    return [[`response.${this.#words}.delta`, { ...this.#named, ...this.#inner, delta: words }]]
  }

  end(): NamedFields[] {
    const { kind } = this.#facts
    const text = this.#text
    const name = kind === 'text' || kind === 'reasoning' ? 'text' : this.#fieldOfWords
    const done: NamedFields = [
      `response.${this.#words}.done`,
      { ...this.#named, ...this.#inner, [name]: text },
    ]
    const part: NamedFields[] =
      kind === 'reasoning'
        ? [
            [
              'response.reasoning_summary_part.done',
              { ...this.#named, summary_index: 0, part: { type: 'summary_text', text } },
            ],
          ]
        : kind === 'text' || kind === 'refusal'
          ? [['response.content_part.done', { ...this.#named, content_index: 0, part: this.#part }]]
          : []
    return [done, ...part, ['response.output_item.done', { ...this.#place, item: this.whole }]]
  }

  get #place(): Fields {
    return { output_index: this.#facts.index }
  }

  get #named(): Fields {
    return { ...this.#place, item_id: this.whole['id'] }
  }

  get #part(): Fields {
    return this.#facts.kind === 'refusal'
      ? { type: 'refusal', refusal: this.#text }
      : textPart(this.#text)
  }

  /** Further fields of a delta. */
  get #inner(): Fields {
    switch (this.#facts.kind) {
      case 'reasoning':
        return { summary_index: 0 }
      case 'text':
        return { content_index: 0, logprobs: [] }
      case 'refusal':
        return { content_index: 0 }
      default:
        return {}
    }
  }

  get #fieldOfWords(): string {
    if (this.#facts.kind === 'refusal') return 'refusal'
    return this.#facts.call['custom'] == null ? 'arguments' : 'input'
  }

  /** The name of the item's words in event types. */
  get #words(): string {
    const { kind, call } = this.#facts
    switch (kind) {
      case 'reasoning':
        return 'reasoning_summary_text'
      case 'text':
        return 'output_text'
      case 'refusal':
        return 'refusal'
      default:
        return call['custom'] == null ? 'function_call_arguments' : 'custom_tool_call_input'
    }
  }
}

function emptyOf(kind: string): Fields {
  if (kind === 'reasoning') return { summary: [] }
  return kind === 'text' || kind === 'refusal' ? { content: [] } : {}
}
