import pg from 'pg'

/** The columns of a row as text, in their order. */
export type Columns = readonly (string | null)[]

export type AnswerListener = {
  /** The server knows the statement by its name from now on. */
  parsed(): void
  row(columns: Columns): void
  failed(error: pg.DatabaseError): void
  /** Nothing more comes for this statement, and the next one's answer follows. */
  over(): void
}

const PARSED = 0x31
const ROW = 0x44
const FAILED = 0x45
const READY = 0x5a
// A letter and the length of all that follows it.
const HEAD_BYTES = 5

/** Reads what PostgreSQL answers to statements. What it tells besides (notices, settings that changed) is passed over. */
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
      this.#tell(bytes[start], bytes.subarray(start + HEAD_BYTES, end))
      start = end
    }
    this.#carry = start === bytes.length ? null : bytes.subarray(start)
  }

  #tell(kind: number | undefined, message: Buffer): void {
    switch (kind) {
      case ROW:
        return this.#listener.row(columnsOf(message))
      case READY:
        return this.#listener.over()
      case PARSED:
        return this.#listener.parsed()
      case FAILED:
        return this.#listener.failed(errorOf(message))
      default:
    }
  }
}

function columnsOf(message: Buffer): Columns {
  const columns: (string | null)[] = []
  for (let at = 2; at < message.length;) {
    const length = message.readInt32BE(at)
    const start = at + 4
    at = start + Math.max(0, length)
    columns.push(length < 0 ? null : message.toString('utf8', start, at))
  }
  return columns
}

/** Fields by their letters, each ended by a zero: https://www.postgresql.org/docs/18/protocol-error-fields.html */
function errorOf(message: Buffer): pg.DatabaseError {
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
