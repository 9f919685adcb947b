import type { Socket } from 'node:net'
import type pg from 'pg'
import { AnswerReader, type AnswerListener, type Columns } from './answer-reader.ts'
import { statementBytes, type Statement } from './statement-bytes.ts'

type PendingStatement = {
  /** What the server is to know the statement by, until it does. */
  newName: string | null
  readonly rows: Columns[]
  error: Error | null
  readonly timer: NodeJS.Timeout
  readonly resolve: (rows: readonly Columns[]) => void
  readonly reject: (error: Error) => void
}

/**
 * A connection for prepared statements, each sent before the last is answered and with a transaction of its own.
 * `pg` opens it (address, TLS, password); from then on its socket is spoken to here, because what `pg` does for every
 * statement (a copy of its description, an emitter, a description of the columns, a message object and an event for each
 * part of the answer) costs more than all else that a flush of the ledger needs.
 */
export class StatementLine implements AnswerListener {
  readonly #client: pg.Client
  readonly #timeoutMs: number
  readonly #names = new Set<string>()
  readonly #asked: PendingStatement[] = []
  readonly #lost = Promise.withResolvers<void>()
  #reason = new Error('The connection to the database is closed.')

  /** An answer that takes longer than `timeoutMs` counts as a broken connection. */
  constructor(client: pg.Client, timeoutMs: number) {
    this.#client = client
    this.#timeoutMs = timeoutMs
  }

  /** Resolves when the connection is gone, whoever ended it. */
  get lost(): Promise<void> {
    return this.#lost.promise
  }

  async connect(): Promise<void> {
    await this.#client.connect()
    const socket = this.#socket
    const reader = new AnswerReader(this)
    socket.removeAllListeners('data')
    socket.on('data', (chunk) => reader.push(chunk))
    socket.on('error', (error) => (this.#reason = error))
    socket.once('close', () => this.#closed())
  }

  /** The rows of the answer. Rejects with the database's error, or with another one when the connection breaks or falls silent. */
  ask(statement: Statement): Promise<readonly Columns[]> {
    return new Promise((resolve, reject) => {
      if (!this.#socket.writable) throw this.#reason
      const isParsed = this.#names.has(statement.name)
      const bytes = statementBytes(statement, isParsed)
      const timer = setTimeout(
        () => reject(new Error(`The database did not answer within ${this.#timeoutMs} ms.`)),
        this.#timeoutMs,
      )
      this.#asked.push({
        newName: isParsed ? null : statement.name,
        rows: [],
        error: null,
        timer,
        resolve,
        reject,
      })
      if (statement.name !== '') this.#names.add(statement.name)
      this.#socket.write(bytes)
    })
  }

  /** At once, whatever is under way. */
  cut(): void {
    this.#socket.destroy()
  }

  /** To be called when nothing is under way. */
  end(): Promise<void> {
    return this.#client.end()
  }

  parsed(): void {
    const [first] = this.#asked
    if (first !== undefined) first.newName = null
  }

  row(columns: Columns): void {
    this.#asked[0]?.rows.push(columns)
  }

  failed(error: pg.DatabaseError): void {
    const [first] = this.#asked
    if (first !== undefined) first.error = error
  }

  over(): void {
    const first = this.#asked.shift()
    if (first === undefined) return
    clearTimeout(first.timer)
    if (first.newName !== null) this.#names.delete(first.newName)
    if (first.error === null) first.resolve(first.rows)
    else first.reject(first.error)
  }

  // The server says why it closes before it does.
  #closed(): void {
    for (const { timer, error, reject } of this.#asked.splice(0)) {
      clearTimeout(timer)
      reject(error ?? this.#reason)
    }
    this.#lost.resolve()
  }

  get #socket(): Socket {
    return this.#client.connection.stream as Socket
  }
}
