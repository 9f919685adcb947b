/** An email server that stores the emails it receives, or fails as the test chooses. */
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { cleanUp } from '../clean-up.ts'

export type ReceivedMail = {
  readonly from: string
  readonly to: readonly string[]
  readonly headers: string
  readonly text: string
}

/**
 * - `silent`: sends no greeting.
 * - `hangs`: stops responding when an email begins.
 * - otherwise the reply to a command, such as `{ rcpt: '550 no' }`.
 */
export type MailServerFault =
  | 'silent'
  | 'hangs'
  | { readonly [command in 'auth' | 'rcpt' | 'data']?: string }

export type MailServer = {
  readonly url: string
  readonly mails: ReceivedMail[]
  /** Every line that a client sent, except the lines of emails. */
  readonly commands: string[]
  behave(fault: MailServerFault): void
  /** Resolves with the first email to an address, skipping the `after` emails received first. */
  mailTo(email: string, after: number): Promise<ReceivedMail>
}

export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const commands: string[] = []
  const sockets = new Set<Socket>()
  let fault: MailServerFault = {}
  let arrived = Promise.withResolvers<void>()

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    if (fault !== 'silent') converse(socket)
  })

  function converse(socket: Socket): void {
    let unread = ''
    let data: string | null = null
    let [from, to] = ['', [] as string[]]
    const say = (line: string): void => void socket.write(`${line}\r\n`)
    const reply = (command: 'auth' | 'rcpt' | 'data', usual: string): void =>
      say((fault === 'silent' || fault === 'hangs' ? undefined : fault[command]) ?? usual)

    function takeLine(line: string): void {
      if (data !== null) return takeData(line)
      commands.push(line)
      const verb = line.slice(0, 4).toUpperCase()
      if (verb === 'EHLO') say('250-mail.example\r\n250-AUTH PLAIN\r\n250 SMTPUTF8')
      else if (verb === 'AUTH') reply('auth', '235 welcome')
      else if (verb === 'MAIL') {
        if (fault === 'hangs') return
        ;[from, to] = [inBrackets(line), []]
        say('250 ok')
      } else if (verb === 'RCPT') {
        to.push(inBrackets(line))
        reply('rcpt', '250 ok')
      } else if (verb === 'DATA') {
        data = ''
        say('354 go on')
      } else say(verb === 'QUIT' ? '221 bye' : verb === 'STAR' ? '502 no' : '250 ok')
    }

    function takeData(line: string): void {
      if (line !== '.') {
        data += `${line.replace(/^\./, '')}\r\n`
        return
      }
      const [headers = '', body = ''] = (data ?? '').split(/\r\n\r\n([^]*)/)
      data = null
      mails.push({
        from,
        to,
        headers,
        text: /quoted-printable/i.test(headers) ? unquoted(body) : body,
      })
      reply('data', '250 taken')
      arrived.resolve()
      arrived = Promise.withResolvers()
    }

    socket.on('data', (chunk) => {
      const lines = (unread + chunk.toString()).split('\r\n')
      unread = lines.pop() ?? ''
      for (const line of lines) takeLine(line)
    })
    say('220 mail.example')
  }

  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  cleanUp(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    commands,
    behave(next) {
      fault = next
    },
    async mailTo(email, after) {
      for (;;) {
        const mail = mails
          .slice(after)
          .find(({ to }) => to.some((one) => one.toLowerCase() === email.toLowerCase()))
        if (mail !== undefined) return mail
        await arrived.promise
      }
    },
  }
}

function inBrackets(line: string): string {
  return /<(.*)>/.exec(line)?.[1] ?? ''
}

function unquoted(text: string): string {
  return Buffer.from(
    text
      .replaceAll('=\r\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    'latin1',
  ).toString()
}
