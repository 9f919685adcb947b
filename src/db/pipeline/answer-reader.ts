import pg from 'pg'

/** The columns of a row as text, in their order. */
export type Columns = readonly (string | null)[]

export type AnswerListener = {
  /** The server has stored the named statement. */
  parsed(): void
  row(columns: Columns): void
  failed(error: pg.DatabaseError): void
  /** The result is complete. The next statement's result follows. */
  over(): void
}

const PARSED = 0x31
const ROW = 0x44
const FAILED = 0x45
const READY = 0x5a
// A letter and the length of the rest.
const HEAD_BYTES = 5

/** Reads PostgreSQL's results of statements. Other messages, such as notices, are skipped. */
export class AnswerReader {
  readonly #listener: AnswerListener
  #carry: Buffer | null = null

  constructor(listener: AnswerListener) {
    this.#listener = listener
  }

  push(chunk: Buffer): void {
    const bytes = this.#carry === null ? chunk : Buffer.concat([this.#carry, chunk])
    let start = 0
    while (start + HEAD_BYTES <= bytes.length) {
      const end = start + 1 + bytes.readUInt32BE(start + 1)
      if (end > bytes.length) break
      this.#dispatch(bytes[start], bytes.subarray(start + HEAD_BYTES, end))
      start = end
    }
    this.#carry = start === bytes.length ? null : bytes.subarray(start)
  }

  #dispatch(kind: number | undefined, message: Buffer): void {
    switch (kind) {
      case ROW:
        return this.#listener.row(readColumns(message))
      case READY:
        return this.#listener.over()
      case PARSED:
        return this.#listener.parsed()
      case FAILED:
        return this.#listener.failed(readError(message))
      default:
    }
  }
}

function readColumns(message: Buffer): Columns {
  const columns: (string | null)[] = []
  for (let at = 2; at < message.length;) {
    const length = message.readInt32BE(at)
    const start = at + 4
    at = start + Math.max(0, length)
    columns.push(length < 0 ? null : message.toString('utf8', start, at))
  }
  return columns
}

/**
 * Fields begin with a letter and end with a zero:
 * https://www.postgresql.org/docs/18/protocol-error-fields.html
 */
function readError(message: Buffer): pg.DatabaseError {
  const fields = new Map(
    message
      .toString('utf8')
      .split('\0')
      .map((field) => [field.charAt(0), field.slice(1)]),
  )
  const error = new pg.DatabaseError(
    fields.get('M') ?? 'The database refused the statement.',
    message.length,
    'error',
  )
  return Object.assign(error, {
    severity: fields.get('S'),
    code: fields.get('C'),
    detail: fields.get('D'),
    hint: fields.get('H'),
    where: fields.get('W'),
    table: fields.get('t'),
    constraint: fields.get('n'),
  })
}
