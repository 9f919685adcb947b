/** An email server that answers to recipients as the test chooses, and accepts no message. */
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { createSelfSignedCertificate } from '../../../src/surfaces/smtp/self-signed-certificate.ts'
import { cleanUp } from '../clean-up.ts'

export type RecipientRules = {
  /** Sent on connection; null sends nothing. */
  readonly greeting: string | null
  readonly extensions: readonly string[]
  /** The reply to a recipient. */
  readonly rcpt: (email: string) => string
  /** The reply to a line instead of the usual one; undefined for the usual one. */
  readonly line: (line: string, socket: Socket) => string | undefined
}

export type RecipientServer = {
  readonly port: number
  /** Every line that clients sent. */
  readonly lines: string[]
  /** Whether the last session was encrypted. */
  isEncrypted(): boolean
  openSockets(): number
  behave(rules: Partial<RecipientRules>): void
}

const USUAL: RecipientRules = {
  greeting: '220 mx.example ESMTP',
  extensions: ['PIPELINING'],
  rcpt: () => '250 2.1.5 ok',
  line: () => undefined,
}

export async function startRecipientServer(
  start: Partial<RecipientRules> = {},
): Promise<RecipientServer> {
  let rules = { ...USUAL, ...start }
  let isEncrypted = false
  const lines: string[] = []
  const sockets = new Set<Socket>()
  const certificate = createSelfSignedCertificate('mx.example', Date.now())
  const secureContext = createSecureContext(certificate)

  const server = createServer((socket) => {
    sockets.add(socket)
    isEncrypted = false
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    if (rules.greeting !== null) socket.write(`${rules.greeting}\r\n`)
    converse(socket)
  })

  function converse(socket: Socket): void {
    let unread = ''
    const onData = (chunk: Buffer): void => {
      const parts = (unread + chunk.toString()).split('\r\n')
      unread = parts.pop() ?? ''
      for (const line of parts) {
        lines.push(line)
        const reply = rules.line(line, socket) ?? usualReply(line)
        if (reply !== '') socket.write(`${reply}\r\n`)
        if (line === 'QUIT') socket.end()
        if (line === 'STARTTLS' && reply.startsWith('220')) {
          socket.off('data', onData)
          const secure = new TLSSocket(socket, { isServer: true, secureContext })
          secure.on('error', () => {}).on('secure', () => (isEncrypted = true))
          converse(secure)
          return
        }
      }
    }
    socket.on('data', onData)
  }

  function usualReply(line: string): string {
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'EHLO') {
      const texts = ['mx.example', ...rules.extensions]
      return texts
        .map((text, place) => `250${place === texts.length - 1 ? ' ' : '-'}${text}`)
        .join('\r\n')
    }
    if (verb === 'RCPT') return rules.rcpt(/<(.*)>/.exec(line)?.[1] ?? '')
    if (verb === 'STAR') return rules.extensions.includes('STARTTLS') ? '220 go on' : '502 no'
    return verb === 'DATA' ? '554 no messages' : verb === 'QUIT' ? '221 bye' : '250 2.0.0 ok'
  }

  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  cleanUp(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return {
    port: (server.address() as AddressInfo).port,
    lines,
    isEncrypted: () => isEncrypted,
    openSockets: () => sockets.size,
    behave: (change) => void (rules = { ...USUAL, ...change }),
  }
}
