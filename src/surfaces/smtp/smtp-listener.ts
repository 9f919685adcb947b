import type { AddressInfo } from 'node:net'
import type { SMTPServer, SMTPServerSession } from 'smtp-server'
import type { Clock } from '../../lib/clock.ts'
import {
  findRecipient,
  receiveMessage,
  type Recipient,
} from '../../resources/inboxes/receiving/receive-message.ts'
import { SmtpRefusal } from '../../resources/inboxes/receiving/smtp-refusal.ts'
import type { InboxDeps } from '../../resources/inboxes/inbox-deps.ts'
import { endConnection, limitCommands } from './limit-commands.ts'
import { createMessageMemory, readMessage } from './read-message.ts'
import type { Certificate } from './self-signed-certificate.ts'
import { createSenderLimits } from './sender-limits.ts'

export type SmtpListener = {
  readonly port: number
  /** Uses another certificate for new connections. */
  renew(certificate: Certificate): void
  /** Ends after the messages in progress, at most 20 seconds later. */
  close(): Promise<void>
}

export type SmtpSettings = {
  readonly inboxes: InboxDeps
  /** Null for a server of this machine only, without encryption. */
  readonly certificate: Certificate | null
  /** Null for all addresses of this machine. */
  readonly host: string | null
  readonly port: number
  /** CIDR blocks of the operator, whose programs and forwarders may send more. */
  readonly ownNetworks: readonly string[]
  readonly now: Clock
  readonly onError: (error: unknown, what: string) => void
}

const MOST_CONNECTIONS = 200
const MOST_RECIPIENTS = 20
const MEMORY_BYTES = 200_000_000
const SILENCE_MS = 60_000
const MESSAGE_WITHIN_MS = 300_000
const CLOSE_WITHIN_MS = 20_000
const COMMAND_BYTES = 2_048
const MOST_UNKNOWN = 10

/** The state of a connection, and the recipients of its current message. */
type Visit = { unknown: number; recipients: Recipient[] }

/** An SMTP server for the inboxes. It never relays, and accepts a message only after it is stored. Rejects if it cannot listen. */
export async function openSmtpListener(settings: SmtpSettings): Promise<SmtpListener> {
  const { inboxes, certificate, now, onError } = settings
  const { domain, limits } = inboxes
  // Most gateways receive no email.
  const smtp = await import('smtp-server')
  const senders = createSenderLimits(now, settings.ownNetworks)
  const memory = createMessageMemory(Math.max(MEMORY_BYTES, 2 * limits.maxMessageBytes))
  const opened = new WeakSet<SMTPServerSession>()
  /** Connections whose message is being received or stored. */
  const busy = new Set<SMTPServerSession>()
  const visits = new WeakMap<SMTPServerSession, Visit>()
  const visitOf = (session: SMTPServerSession): Visit => {
    const visit = visits.get(session) ?? { unknown: 0, recipients: [] }
    visits.set(session, visit)
    return visit
  }

  async function accept(address: string, session: SMTPServerSession): Promise<void> {
    const visit = visitOf(session)
    // A client may have reset its transaction.
    if (session.envelope.rcptTo.length === 0) visit.recipients = []
    const from = session.envelope.mailFrom
    const size = Number(from === false || from.args === false ? 0 : (from.args['SIZE'] ?? 0))
    try {
      visit.recipients.push(await findRecipient(inboxes, address, Number.isFinite(size) ? size : 0))
    } catch (error) {
      if (error instanceof SmtpRefusal && error.responseCode === 550) {
        visit.unknown += 1
        if (visit.unknown >= MOST_UNKNOWN || !senders.spend(session.remoteAddress, 1))
          throw new SmtpRefusal(421, '4.7.0 Too many unknown recipients')
      }
      throw error
    }
  }

  async function receive(
    stream: Parameters<typeof readMessage>[0],
    session: SMTPServerSession,
  ): Promise<void> {
    const { remoteAddress, hostNameAppearsAs, envelope } = session
    const { recipients } = visitOf(session)
    const sender = envelope.mailFrom === false ? '' : envelope.mailFrom.address
    let release = (): void => undefined
    busy.add(session)
    try {
      const message = await readMessage(stream, memory, {
        maxBytes: limits.maxMessageBytes,
        withinMs: MESSAGE_WITHIN_MS,
      })
      release = message.release
      if (!senders.spend(remoteAddress, 1))
        throw new SmtpRefusal(450, '4.7.0 Too many messages; try again later')
      await receiveMessage(inboxes, recipients, message.raw, {
        ip: remoteAddress,
        helo: hostNameAppearsAs,
        sender,
      })
    } catch (error) {
      if (error instanceof SmtpRefusal && [421, 554].includes(error.responseCode))
        senders.blame(remoteAddress, sender)
      if (error instanceof SmtpRefusal && error.responseCode === 421) end(session, error.message)
      throw error
    } finally {
      release()
      busy.delete(session)
      visitOf(session).recipients = []
    }
  }

  /** Ends the connection of a message that is not read to its end. */
  function end(session: SMTPServerSession, text: string): void {
    for (const connection of server.connections)
      if (connection.session === session) endConnection(connection, text)
  }

  /** Runs a handler and gives its outcome to the server. Errors that the sender may not see are logged. */
  function answer(work: Promise<void>, done: (error?: Error | null) => void): void {
    work.then(
      () => done(),
      (error: unknown) => {
        const isOurs = error instanceof SmtpRefusal
        if (!isOurs || error.cause !== undefined)
          onError(isOurs ? error.cause : error, 'an email could not be stored')
        done(isOurs ? error : new SmtpRefusal(451, '4.3.0 Try again later'))
      },
    )
  }

  const server = new smtp.SMTPServer({
    name: domain,
    banner: 'Tollgate',
    logger: false,
    ...certificate,
    minVersion: 'TLSv1.2',
    size: limits.maxMessageBytes,
    disabledCommands: ['AUTH', 'VRFY', 'HELP', ...(certificate === null ? ['STARTTLS'] : [])],
    authOptional: true,
    disableReverseLookup: true,
    maxClients: MOST_CONNECTIONS,
    maxRecipients: MOST_RECIPIENTS,
    maxCommandLength: COMMAND_BYTES,
    socketTimeout: SILENCE_MS,
    closeTimeout: CLOSE_WITHIN_MS,
    onConnect: (session, done) => {
      opened.add(session)
      const mayStay = senders.open(session.remoteAddress)
      done(mayStay ? null : new SmtpRefusal(421, '4.7.0 Too many connections; try again later'))
    },
    onClose: (session) => {
      if (opened.has(session)) senders.close(session.remoteAddress)
    },
    onMailFrom: ({ address }, session, done) => {
      const mayStart = senders.mayStart(session.remoteAddress, address)
      done(
        mayStart ? null : new SmtpRefusal(450, '4.7.0 Too many hostile messages; try again later'),
      )
    },
    onRcptTo: ({ address }, session, done) => answer(accept(address, session), done),
    onData: (stream, session, done) => answer(receive(stream, session), done),
  })
  // Broken connections and handshakes of single clients.
  server.on('error', () => undefined)
  const stopLimits = limitCommands(server)
  await listen(server, settings)
  return {
    port: (server.server.address() as AddressInfo).port,
    renew: (renewed) => server.updateSecureContext(renewed),
    close: () =>
      new Promise((closed) => {
        stopLimits()
        server.close(() => closed())
        for (const connection of server.connections)
          if (!busy.has(connection.session)) endConnection(connection, '4.3.2 Shutting down')
      }),
  }
}

function listen(server: SMTPServer, { host, port }: SmtpSettings): Promise<void> {
  return new Promise((ready, fail) => {
    server.server.once('error', fail)
    server.listen(port, host ?? undefined, () => {
      server.server.off('error', fail)
      ready()
    })
  })
}
