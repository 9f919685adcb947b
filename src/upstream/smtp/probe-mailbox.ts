import type { Socket } from 'node:net'
import type { MailboxProbe, ProbeRequest, ProbeResult, SmtpReply } from '../../lib/mailbox-probe.ts'
import { isGuardRefusal, type Guard } from '../guard.ts'
import { SmtpConnection, SmtpFailure } from './smtp-connection.ts'

export const SMTP_PORT = 25

export type MailboxProbeDeps = {
  /** Of a guard whose public port is 25. */
  readonly guard: Pick<Guard, 'connect'>
  readonly port: number
  /** The name of this gateway for EHLO. */
  readonly name: string
  /** The time to connect. */
  readonly connectMs: number
  /** The time of each reply. The request's signal limits the whole session. */
  readonly replyMs: number
}

const READY = 220
const OK = 250

/** Names recipients to email servers with an empty sender. Never sends DATA. */
export function createMailboxProbe(deps: MailboxProbeDeps): MailboxProbe {
  return async (request) => {
    const result = await open(deps, request, true)
    // Some servers offer an encryption that fails. RFC 3207 leaves the next step to the client.
    return result === 'tls_failed' ? toResult(await open(deps, request, false)) : result
  }
}

function toResult(result: ProbeResult | 'tls_failed'): ProbeResult {
  return result === 'tls_failed' ? { kind: 'no_session', reply: null } : result
}

async function open(
  deps: MailboxProbeDeps,
  request: ProbeRequest,
  isEncrypted: boolean,
): Promise<ProbeResult | 'tls_failed'> {
  const { name, replyMs } = deps
  const socket = await connect(deps, request)
  if ('isRefused' in socket) return { kind: 'unreachable', ...socket }
  const connection = new SmtpConnection(socket, replyMs)
  try {
    const result = await converse(connection, request, { name, isEncrypted })
    connection.close()
    return result
  } catch (error) {
    connection.destroy()
    if (!(error instanceof SmtpFailure)) throw error
    return error.reason === 'tls' ? 'tls_failed' : { kind: 'no_session', reply: null }
  }
}

async function connect(
  { guard, port, connectMs }: MailboxProbeDeps,
  { host, signal }: ProbeRequest,
): Promise<Socket | { readonly isRefused: boolean }> {
  // The signal ends an open connection, too, so the limit of connecting is a signal of its own.
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), connectMs)
  try {
    return await guard.connect(host, port, AbortSignal.any([signal, late.signal]))
  } catch (error) {
    return { isRefused: isGuardRefusal(error) }
  } finally {
    clearTimeout(timer)
  }
}

async function converse(
  connection: SmtpConnection,
  { host, recipient, decoy }: ProbeRequest,
  { name, isEncrypted }: { readonly name: string; readonly isEncrypted: boolean },
): Promise<ProbeResult> {
  const greeting = await connection.read()
  if (greeting.code !== READY) return { kind: 'no_session', reply: greeting }
  let hello = await connection.command(`EHLO ${name}`)
  if (hello.code >= 500) hello = await connection.command(`HELO ${name}`)
  if (hello.code !== OK) return { kind: 'no_session', reply: hello }
  if (isEncrypted && offers(hello, 'STARTTLS')) {
    const agreed = await connection.command('STARTTLS')
    if (agreed.code === READY) {
      await connection.secure(host)
      hello = await connection.command(`EHLO ${name}`)
      if (hello.code !== OK) return { kind: 'no_session', reply: hello }
    }
  }
  const isInternational = !/^\p{ASCII}*$/u.test(recipient)
  if (isInternational && !offers(hello, 'SMTPUTF8')) return { kind: 'unsupported' }
  const sender = `MAIL FROM:<>${isInternational ? ' SMTPUTF8' : ''}`
  const ready = await connection.command(sender)
  if (ready.code !== OK) return { kind: 'no_session', reply: ready }
  const answer = await connection.command(`RCPT TO:<${recipient}>`)
  return {
    kind: 'answered',
    recipient: answer,
    decoy: isAccepted(answer) && decoy !== null ? await nameDecoy(connection, decoy) : null,
  }
}

/** In an envelope of its own, because servers accept one recipient from an empty sender. */
async function nameDecoy(connection: SmtpConnection, decoy: string): Promise<SmtpReply | null> {
  try {
    const steps = [await connection.command('RSET'), await connection.command('MAIL FROM:<>')]
    return steps.every(isAccepted) ? await connection.command(`RCPT TO:<${decoy}>`) : null
  } catch (error) {
    if (error instanceof SmtpFailure) return null
    throw error
  }
}

function isAccepted({ code }: SmtpReply): boolean {
  return code >= 250 && code < 260
}

/** The first word of the lines of the reply, of which the first is the server's name. */
function offers({ text }: SmtpReply, extension: string): boolean {
  return text.toUpperCase().split(/\s+/).includes(extension)
}
