import type { Socket } from 'node:net'
import type pg from 'pg'
import { AnswerReader, type AnswerListener, type Columns } from './answer-reader.ts'
import { encodeStatement, type Statement } from './statement-bytes.ts'

type PendingStatement = {
  /** The statement's name, until the server has stored it. */
  newName: string | null
  readonly rows: Columns[]
  error: Error | null
  readonly timer: NodeJS.Timeout
  readonly resolve: (rows: readonly Columns[]) => void
  readonly reject: (error: Error) => void
}

/**
 * A connection that pipelines prepared statements: it sends each before the last is answered, and
 * each has its own transaction. `pg` opens the connection (address, TLS, password); then this class
 * uses its socket. The objects and events that `pg` creates for every statement cost more than the
 * rest of a flush of the ledger.
 */
export class StatementPipeline implements AnswerListener {
  readonly #client: pg.Client
  readonly #timeoutMs: number
  readonly #names = new Set<string>()
  readonly #pending: PendingStatement[] = []
  readonly #lost = Promise.withResolvers<void>()
  #reason = new Error('The connection to the database is closed.')

  /** A result that takes longer than `timeoutMs` counts as a broken connection. */
  constructor(client: pg.Client, timeoutMs: number) {
    this.#client = client
    this.#timeoutMs = timeoutMs
  }

  /** Resolves when the connection has ended, for any reason. */
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

  /**
   * Returns the rows. Rejects with the database's error, or when the connection breaks or times
   * out.
   */
  query(statement: Statement): Promise<readonly Columns[]> {
    return new Promise((resolve, reject) => {
      if (!this.#socket.writable) throw this.#reason
      const isParsed = this.#names.has(statement.name)
      const bytes = encodeStatement(statement, isParsed)
      const timer = setTimeout(
        () => reject(new Error(`The database did not answer within ${this.#timeoutMs} ms.`)),
        this.#timeoutMs,
      )
      this.#pending.push({
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

  /** Closes the connection immediately. */
  cut(): void {
    this.#socket.destroy()
  }

  /** Call it when no statement is pending. */
  end(): Promise<void> {
    return this.#client.end()
  }

  parsed(): void {
    const [first] = this.#pending
    if (first !== undefined) first.newName = null
  }

  row(columns: Columns): void {
    this.#pending[0]?.rows.push(columns)
  }

  failed(error: pg.DatabaseError): void {
    const [first] = this.#pending
    if (first !== undefined) first.error = error
  }

  over(): void {
    const first = this.#pending.shift()
    if (first === undefined) return
    clearTimeout(first.timer)
    if (first.newName !== null) this.#names.delete(first.newName)
    if (first.error === null) first.resolve(first.rows)
    else first.reject(first.error)
  }

  // The server sends its reason before it closes.
  #closed(): void {
    for (const { timer, error, reject } of this.#pending.splice(0)) {
      clearTimeout(timer)
      reject(error ?? this.#reason)
    }
    this.#lost.resolve()
  }

  get #socket(): Socket {
    return this.#client.connection.stream as Socket
  }
}
