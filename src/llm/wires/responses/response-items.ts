/** The events of one item of a streamed response. */
import type { Fields } from '../../../lib/json-fields.ts'
import type { AnswerPart, PartKind } from '../answer-assembler.ts'
import { contentPart, itemOf } from './response-of-completion.ts'

export type NamedFields = readonly [type: string, fields: Fields]

type ItemFacts = {
  /** The caller's body. */
  readonly request: Fields
  readonly part: AnswerPart
  readonly index: number
  /** The part of the response's id after its prefix. */
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
    const { request, part, id, index } = this.#facts
    return itemOf(request, { ...part, text: this.#text }, `${id}_${index}`)
  }

  begin(): NamedFields[] {
    const { kind } = this.#facts.part
    const { whole } = this
    const added: NamedFields = [
      'response.output_item.added',
      { ...this.#place, item: { ...whole, ...emptyOf(kind), status: 'in_progress' } },
    ]
    if (kind === 'thoughts')
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
    const { kind } = this.#facts.part
    const text = this.#text
    const name = kind === 'text' || kind === 'thoughts' ? 'text' : this.#fieldOfWords
    const done: NamedFields = [
      `response.${this.#words}.done`,
      { ...this.#named, ...this.#inner, [name]: text },
    ]
    const part: NamedFields[] =
      kind === 'thoughts'
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
    return contentPart(this.#facts.part.kind, this.#text)
  }

  /** Further fields of a delta. */
  get #inner(): Fields {
    switch (this.#facts.part.kind) {
      case 'thoughts':
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
    const { kind, isCustom } = this.#facts.part
    if (kind === 'refusal') return 'refusal'
    return isCustom ? 'input' : 'arguments'
  }

  /** The name of the item's words in event types. */
  get #words(): string {
    const { kind, isCustom } = this.#facts.part
    switch (kind) {
      case 'thoughts':
        return 'reasoning_summary_text'
      case 'text':
        return 'output_text'
      case 'refusal':
        return 'refusal'
      default:
        return isCustom ? 'custom_tool_call_input' : 'function_call_arguments'
    }
  }
}

function emptyOf(kind: PartKind): Fields {
  if (kind === 'thoughts') return { summary: [] }
  return kind === 'text' || kind === 'refusal' ? { content: [] } : {}
}
