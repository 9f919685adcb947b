/** Reads the pieces of tool calls, in the forms of all upstreams, and joins them to calls. */
import { fieldsOf, isFields, listedFields, type Fields } from '../../lib/json-fields.ts'
import { EMPTY_ARGUMENTS, StreamedCall, type CallPiece } from './streamed-call.ts'

/** The tool calls of a message or a delta. A single object counts as a list. */
export function callsIn({ tool_calls: calls }: Fields): readonly Fields[] {
  return isFields(calls) ? [calls] : listedFields(calls)
}

/** Arguments as text. Some upstreams send them as an object. */
export function argumentText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

function readPiece(call: Fields): CallPiece {
  const { index, id, custom, function: named } = call
  const { name, arguments: text, input } = fieldsOf(named ?? custom ?? call)
  const number = typeof index === 'string' && index !== '' ? Number(index) : index
  return {
    index: typeof number === 'number' && Number.isSafeInteger(number) ? number : null,
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : '',
    name: typeof name === 'string' ? name : '',
    text: argumentText(text ?? input),
    isCustom: named == null && custom != null,
  }
}

/**
 * The calls of one answer. A piece belongs to the call with its index, or with its id where the
 * index is missing or repeated. A piece without both belongs to the call before it.
 */
export class ToolCalls {
  /** In the order in which they began. */
  readonly all: StreamedCall[] = []
  readonly #byMark = new Map<string, StreamedCall>()
  #last: StreamedCall | undefined

  /** Adds the pieces of one event, and returns the call of each. */
  add(pieces: readonly Fields[]): readonly StreamedCall[] {
    const isList = pieces.length > 1
    return pieces.map((fields, place) => {
      const piece = readPiece(fields)
      const known = this.#find(piece, isList ? place : null)
      const call = known === undefined || isNext(known, piece) ? this.#begin(piece) : known
      call.add(piece)
      this.#mark(call, piece.id, place)
      return call
    })
  }

  /** Adds the calls of a whole message, each in one piece. */
  addWhole(calls: readonly Fields[]): void {
    for (const fields of calls) {
      const piece = readPiece(fields)
      this.#begin(piece).add(piece)
    }
  }

  #find({ index, id }: CallPiece, place: number | null): StreamedCall | undefined {
    const same = id === '' ? undefined : this.#byMark.get(`id ${id}`)
    // Some upstreams give several calls the same id.
    if (same !== undefined && (index === null || same.index === null || same.index === index))
      return same
    if (index !== null) return this.#byMark.get(`index ${index}`)
    return place === null ? this.#last : this.#byMark.get(`place ${place}`)
  }

  #begin(piece: CallPiece): StreamedCall {
    const call = new StreamedCall(piece)
    this.all.push(call)
    return call
  }

  #mark(call: StreamedCall, id: string, place: number): void {
    this.#last = call
    if (id !== '' && id === call.id) this.#byMark.set(`id ${id}`, call)
    this.#byMark.set(call.index === null ? `place ${place}` : `index ${call.index}`, call)
  }
}

/** Whether a piece begins another call than the one with the same index, id or place. */
function isNext(call: StreamedCall, { index, id, name, text }: CallPiece): boolean {
  // Some upstreams make another id for each piece.
  if (id !== '' && call.id !== '' && id !== call.id)
    return name !== '' || (call.isComplete && call.text !== EMPTY_ARGUMENTS)
  if (name === '' || call.name === '') return false
  if (name !== call.name) return call.text !== '' || index === null
  return call.isComplete && id === '' && (index === null || text.trim() !== '')
}
