/**
 * Assembles an answer of chat completions from its pieces, for the APIs that send one part after the
 * other: streams and whole answers alike.
 */
import { randomBytes } from 'node:crypto'
import { isFields, type Fields } from '../../lib/json-fields.ts'
import { wordsOf, type MessageWords } from '../stream/message-words.ts'
import { EMPTY_ARGUMENTS, type StreamedCall } from '../stream/streamed-call.ts'
import { callsIn, ToolCalls } from '../stream/tool-calls.ts'

export type PartKind = keyof MessageWords | 'call'

/** The head of a part. `id` and `name` are those of a call, and else empty. */
export type AnswerPart = {
  readonly kind: PartKind
  readonly id: string
  readonly name: string
  /** Whether the call has free text. */
  readonly isCustom: boolean
}

export type FilledPart = AnswerPart & { readonly text: string }

export type PartStep = {
  readonly type: 'start' | 'words' | 'stop'
  readonly part: AnswerPart
  /** Empty at the start and the stop. */
  readonly words: string
}

type Waiting = { readonly kind: keyof MessageWords; words: string } | StreamedCall

/** A call whose name never arrived, so that the client reports an unknown tool to the model. */
const UNNAMED = 'unnamed_tool'

export class AnswerAssembler {
  readonly #calls = new ToolCalls()
  #queuedCalls = 0
  /** The first one is open or begins next. The others wait until it has all its pieces. */
  readonly #queue: Waiting[] = []
  #open: AnswerPart | null = null
  readonly #ids = new Set<string>()

  /** Whether a call has begun. */
  get hasCalls(): boolean {
    return this.#ids.size > 0
  }

  /** Adds a delta of chat completions. */
  add(delta: Fields): PartStep[] {
    this.#addWords(wordsOf(delta))
    this.#calls.add(piecesIn(delta))
    return this.#advance(false)
  }

  /** Adds a whole message of chat completions. */
  addWhole(message: Fields): PartStep[] {
    this.#addWords(wordsOf(message))
    this.#calls.addWhole(piecesIn(message))
    return this.#advance(false)
  }

  end(): PartStep[] {
    return this.#advance(true)
  }

  #addWords(words: MessageWords): void {
    for (const kind of ['thoughts', 'text', 'refusal'] as const) {
      if (words[kind] === '') continue
      // Words pass calls that were only announced.
      const at = this.#queue.findLastIndex(hasBegun) + 1
      const last = this.#queue[at - 1]
      if (last !== undefined && 'words' in last && last.kind === kind) last.words += words[kind]
      else this.#queue.splice(at, 0, { kind, words: words[kind] })
    }
  }

  /** Sends the pieces of the first part, and begins the next one when it is over. */
  #advance(isEnd: boolean): PartStep[] {
    this.#queue.push(...this.#calls.all.slice(this.#queuedCalls))
    this.#queuedCalls = this.#calls.all.length
    const steps: PartStep[] = []
    for (let [first] = this.#queue; first !== undefined; [first] = this.#queue) {
      const isOver = isEnd || (isWhole(first) && this.#queue.slice(1).some(hasBegun))
      if (this.#open === null && hasStart(first, isOver)) {
        this.#open = this.#headOf(first)
        steps.push({ type: 'start', part: this.#open, words: '' })
      }
      if (this.#open !== null) {
        const words = takeWords(first, isOver)
        if (words !== '') steps.push({ type: 'words', part: this.#open, words })
        if (isOver) steps.push({ type: 'stop', part: this.#open, words: '' })
      }
      if (!isOver) break
      this.#open = null
      this.#queue.shift()
    }
    return steps
  }

  #headOf(first: Waiting): AnswerPart {
    if ('words' in first) return { kind: first.kind, id: '', name: '', isCustom: false }
    const { name, isCustom } = first
    const id = first.id === '' || this.#ids.has(first.id) ? newCallId() : first.id
    this.#ids.add(id)
    return { kind: 'call', id, name: name === '' ? UNNAMED : name, isCustom }
  }
}

/** The parts of a whole message of chat completions. */
export function partsOf(message: Fields): FilledPart[] {
  const assembler = new AnswerAssembler()
  const parts: FilledPart[] = []
  let text = ''
  for (const { type, part, words } of [...assembler.addWhole(message), ...assembler.end()]) {
    text = type === 'start' ? '' : text + words
    if (type === 'stop') parts.push({ ...part, text })
  }
  return parts
}

/** The calls of a message, or the one of the older form. */
function piecesIn(message: Fields): readonly Fields[] {
  const calls = callsIn(message)
  const { function_call: older } = message
  return calls.length === 0 && isFields(older) ? [{ function: older }] : calls
}

function hasBegun(part: Waiting): boolean {
  return 'words' in part || part.text !== ''
}

/** Whether a part can end when another one begins. */
function isWhole(part: Waiting): boolean {
  if ('words' in part) return true
  // The real arguments may follow the empty ones.
  return part.isComplete && part.text !== EMPTY_ARGUMENTS && part.name !== ''
}

function hasStart(part: Waiting, isOver: boolean): boolean {
  if ('words' in part) return true
  return part.name === '' ? isOver && part.text !== '' : isOver || part.text !== ''
}

function takeWords(part: Waiting, isEnd: boolean): string {
  if (!('words' in part)) return part.take(isEnd)
  const { words } = part
  part.words = ''
  return words
}

/** Ids of one conversation must differ, and some upstreams repeat those of their responses. */
function newCallId(): string {
  return `call_${randomBytes(16).toString('hex')}`
}
