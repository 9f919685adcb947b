/** The events of one item of a streamed response. */
import type { Fields } from '../../../lib/json-fields.ts'
import type { AnswerPart, PartKind } from '../answer-assembler.ts'
import { contentPart, itemOf, type ItemFacts } from './response-of-completion.ts'

export type NamedFields = readonly [type: string, fields: Fields]

type OpenItemFacts = ItemFacts & {
  readonly part: AnswerPart
  readonly index: number
  /** The part of the response's id after its prefix. */
  readonly id: string
}

export class OpenItem {
  readonly #facts: OpenItemFacts
  #text = ''

  constructor(facts: OpenItemFacts) {
    this.#facts = facts
  }

  /** The item with all words so far. */
  get whole(): Fields {
    const { part, id, index } = this.#facts
    return itemOf(this.#facts, { ...part, text: this.#text }, `${id}_${index}`)
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
    if (this.#isWhole) return []
    return [[`response.${this.#words}.delta`, { ...this.#named, ...this.#inner, delta: words }]]
  }

  end(): NamedFields[] {
    const { tools, part: head } = this.#facts
    const { kind } = head
    const ended: NamedFields = ['response.output_item.done', { ...this.#place, item: this.whole }]
    if (this.#call === 'client') return [ended]
    const text = tools.wordsOf({ ...head, text: this.#text })
    const words = { ...this.#named, ...this.#inner }
    const name = kind === 'text' || kind === 'thoughts' ? 'text' : this.#fieldOfWords
    const done: NamedFields = [`response.${this.#words}.done`, { ...words, [name]: text }]
    const late: NamedFields[] = this.#isWhole
      ? [[`response.${this.#words}.delta`, { ...words, delta: text }]]
      : []
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
    return [...late, done, ...part, ended]
  }

  get #call() {
    const { tools, part } = this.#facts
    return part.kind === 'call' ? tools.kindOf(part) : null
  }

  /** Whether the words follow at the end, because they are inside of the arguments. */
  get #isWhole(): boolean {
    return this.#call === 'client' || (this.#call === 'custom' && !this.#facts.part.isCustom)
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
    if (this.#facts.part.kind === 'refusal') return 'refusal'
    return this.#call === 'custom' ? 'input' : 'arguments'
  }

  /** The name of the item's words in event types. */
  get #words(): string {
    switch (this.#facts.part.kind) {
      case 'thoughts':
        return 'reasoning_summary_text'
      case 'text':
        return 'output_text'
      case 'refusal':
        return 'refusal'
      default:
        return this.#call === 'custom' ? 'custom_tool_call_input' : 'function_call_arguments'
    }
  }
}

function emptyOf(kind: PartKind): Fields {
  if (kind === 'thoughts') return { summary: [] }
  return kind === 'text' || kind === 'refusal' ? { content: [] } : {}
}
