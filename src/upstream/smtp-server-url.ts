import { isThisMachine } from '../lib/machine/this-machine.ts'

/** The operator's SMTP server, from SMTP_URL. */
export type SmtpServer = {
  readonly host: string
  readonly port: number
  readonly isSecure: boolean
  readonly isThisMachine: boolean
  readonly user: string
  readonly password: string
  /** The password in every form in which a server could quote it. */
  readonly secrets: readonly string[]
}

/** Timeouts of the connection, of the server's greeting, and of silence afterwards. */
export type SmtpTimeouts = {
  readonly connectMs: number
  readonly greetingMs: number
  readonly silenceMs: number
}

const PLAIN_PORT = 587
const SECURE_PORT = 465

/** Reads smtp://user:password@host:port, or smtps://. */
export function readSmtpServer(smtpUrl: string): SmtpServer {
  const url = new URL(smtpUrl)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isSecure = url.protocol === 'smtps:'
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  return {
    host,
    port: url.port === '' ? (isSecure ? SECURE_PORT : PLAIN_PORT) : Number(url.port),
    isSecure,
    isThisMachine: isThisMachine(url.hostname),
    user,
    password,
    // Plain, and as sent (RFC 4616, and line by line).
    secrets:
      password === ''
        ? []
        : [`\0${user}\0${password}`, password].flatMap((secret) => [
            secret,
            Buffer.from(secret).toString('base64'),
          ]),
  }
}

/** Loads nodemailer with the first email, because most processes send none. `onCommand` gets each line that is sent, without passwords. */
export async function openSmtpTransport(
  server: SmtpServer,
  timeouts: SmtpTimeouts,
  onCommand?: (line: string) => void,
) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    host: server.host,
    port: server.port,
    secure: server.isSecure,
    // Connections within this machine need no encryption, and its certificates are rarely
    // verifiable.
    requireTLS: !server.isThisMachine,
    tls: { rejectUnauthorized: !server.isThisMachine },
    ...(server.user === '' ? {} : { auth: { user: server.user, pass: server.password } }),
    forceAuth: server.user !== '',
    connectionTimeout: timeouts.connectMs,
    dnsTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.silenceMs,
    ...(onCommand === undefined ? {} : { logger: commandLogger(onCommand), transactionLog: true }),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

function commandLogger(onCommand: (line: string) => void) {
  const ignore = (): void => undefined
  return {
    level: ignore,
    trace: ignore,
    debug: (entry: unknown, line: unknown) => {
      if ((entry as { readonly tnx?: unknown }).tnx === 'client') onCommand(String(line))
    },
    info: ignore,
    warn: ignore,
    error: ignore,
    fatal: ignore,
  }
}

/** The server's words about a failure, without secrets. */
export function readSmtpReason(error: unknown, scrubbed: (words: string) => string): string {
  const { response, message } = error as { response?: unknown; message?: unknown }
  const words = typeof response === 'string' ? response : String(message)
  return scrubbed(words)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
}
