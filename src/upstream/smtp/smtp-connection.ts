import { isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { SmtpReply } from '../../lib/mailbox-probe.ts'

/** `tls`: the encryption failed, and the connection is unusable. */
export class SmtpFailure extends Error {
  readonly reason: 'timeout' | 'closed' | 'protocol' | 'tls'

  constructor(reason: SmtpFailure['reason']) {
    super(reason)
    this.reason = reason
  }
}

/** RFC 5321 allows 512 bytes per line. Servers send up to some dozens of lines. */
const MAX_REPLY_BYTES = 16 * 1024
const QUIT_MS = 2_000

/**
 * The client's side of an SMTP session. A whole reply must arrive within `replyMs`, however slowly
 * its bytes do. Reads nothing between replies, so a server cannot fill memory.
 */
export class SmtpConnection {
  #socket: Socket
  readonly #replyMs: number
  #unread = ''
  #lines: string[] = []
  #size = 0

  constructor(socket: Socket, replyMs: number) {
    this.#socket = socket
    this.#replyMs = replyMs
    socket.pause().on('error', ignore)
  }

  /** Sends a line, which must have no line breaks. Rejects with SmtpFailure. */
  command(line: string): Promise<SmtpReply> {
    if (!this.#socket.destroyed) this.#socket.write(`${line}\r\n`)
    return this.read()
  }

  /** Rejects with SmtpFailure. */
  read(): Promise<SmtpReply> {
    return this.#within((resolve, reject) => {
      const onData = (chunk: Buffer): void => {
        this.#unread += chunk.toString('latin1')
        this.#takeReply(resolve, reject)
      }
      const socket = this.#socket.on('data', onData)
      this.#takeReply(resolve, reject)
      socket.resume()
      return () => socket.off('data', onData).pause()
    })
  }

  /** Encrypts the connection after the server agreed. Certificates of email servers are rarely verifiable. */
  async secure(host: string): Promise<void> {
    // Bytes before the encryption could come from another sender.
    if (this.#unread !== '') throw new SmtpFailure('protocol')
    this.#socket = connectTls({
      socket: this.#socket,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      rejectUnauthorized: false,
    }).on('error', ignore)
    try {
      await this.#within<void>((resolve) => {
        const socket = this.#socket.once('secureConnect', resolve)
        return () => socket.off('secureConnect', resolve)
      })
    } catch {
      throw new SmtpFailure('tls')
    }
    this.#socket.pause()
  }

  /** Sends QUIT, and closes the connection within two seconds. */
  close(): void {
    const socket = this.#socket
    if (socket.destroyed) return
    const timer = setTimeout(() => socket.destroy(), QUIT_MS)
    socket.once('close', () => clearTimeout(timer))
    socket.resume().end('QUIT\r\n')
  }

  /** Ends the connection without QUIT. */
  destroy(): void {
    this.#socket.destroy()
  }

  /** `begin` returns a function that undoes it. */
  #within<Value>(
    begin: (resolve: (value: Value) => void, reject: (failure: SmtpFailure) => void) => () => void,
  ): Promise<Value> {
    const { promise, resolve, reject } = Promise.withResolvers<Value>()
    const socket = this.#socket
    const timer = setTimeout(() => reject(new SmtpFailure('timeout')), this.#replyMs)
    const onClose = (): void => reject(new SmtpFailure('closed'))
    socket.on('close', onClose)
    const undo = begin(resolve, reject)
    if (socket.destroyed) onClose()
    return promise.finally(() => {
      clearTimeout(timer)
      socket.off('close', onClose)
      undo()
    })
  }

  #takeReply(resolve: (reply: SmtpReply) => void, reject: (failure: SmtpFailure) => void): void {
    for (let end = this.#unread.indexOf('\n'); end >= 0; end = this.#unread.indexOf('\n')) {
      const line = this.#unread.slice(0, end).replace(/\r$/, '')
      this.#unread = this.#unread.slice(end + 1)
      this.#size += end + 1
      const [, code, mark, text = ''] = /^([2-5]\d\d)([ -]|$)(.*)$/.exec(line) ?? []
      if (code === undefined || this.#size > MAX_REPLY_BYTES)
        return reject(new SmtpFailure('protocol'))
      this.#lines.push(text)
      if (mark === '-') continue
      resolve({ code: Number(code), text: this.#lines.join(' ') })
      this.#lines = []
      this.#size = 0
      return
    }
    if (this.#size + this.#unread.length > MAX_REPLY_BYTES) reject(new SmtpFailure('protocol'))
  }
}

const ignore = (): void => undefined
