import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '../../test/harness/clean-up.ts'
import { startMailServer } from '../../test/harness/vendors/mail-server.ts'
import { AppError } from '../errors/app-error.ts'
import { createSmtpMailer, type SmtpMailer } from './smtp-mailer.ts'

const server = await startMailServer()
const MAIL = {
  to: 'jo@example.com',
  subject: 'Hello',
  text: 'A link:\n\nhttps://gate.example/welcome?token=secret-of-the-link\n',
}

function mailerOf(
  smtpUrl = server.url,
  patience?: Parameters<typeof createSmtpMailer>[1],
): SmtpMailer {
  const mailer = createSmtpMailer({ smtpUrl, from: 'Tollgate <gate@example.com>' }, patience)
  cleanUp(() => mailer.close())
  return mailer
}

const withPassword = server.url.replace('//', '//gate:hunter%20two@')

async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof AppError && error.code === 'upstream_error', String(error))
  return `${error.message} ${error.fix}`
}

test('sends sender, recipient, subject and text unchanged, and prevents automatic replies', async () => {
  server.behave({})
  await mailerOf().send(MAIL)
  const mail = server.mails.pop()
  assert.deepEqual([mail?.from, mail?.to], ['gate@example.com', ['jo@example.com']])
  assert.match(mail?.headers ?? '', /^From: Tollgate <gate@example\.com>$/m)
  assert.match(mail?.headers ?? '', /^Subject: Hello\r?$/m)
  assert.match(mail?.headers ?? '', /^Auto-Submitted: auto-generated\r?$/m)
  assert.equal(mail?.text.trim().replaceAll('\r\n', '\n'), MAIL.text.trim())
})

test('sends to one recipient for any address, without extra headers or commands', async () => {
  server.behave({})
  for (const to of [
    'a,b@example.com',
    'a;b@example.com',
    '<a>b@example.com',
    '"a"<b@example.com',
    'a@b.example,c',
    'group:a@b.example;',
    `${'l'.repeat(64)}@${'d'.repeat(60)}.example`,
    'jörg@exämple.com',
    '用户@例子.com',
    'a@example.com\r\nBcc:b@c.example',
    'a@example.com\r\nRCPT TO:<b@c.example>',
  ]) {
    server.commands.length = 0
    const before = server.mails.length
    await mailerOf()
      .send({ ...MAIL, to })
      .catch((error: unknown) => assert.ok(error instanceof AppError))
    const recipients = server.commands.filter((line) => /^RCPT/i.test(line))
    assert.ok(recipients.length <= 1, `${to}: ${recipients.join()}`)
    for (const mail of server.mails.slice(before))
      assert.ok(!/^(bcc|cc):/im.test(mail.headers) && mail.to.length === 1, to)
  }
})

test("reports the server's error without the password, links or control characters", async () => {
  const proof = Buffer.from('\0gate\0hunter two').toString('base64')
  server.behave({ auth: `535 5.7.8 no: hunter two ${proof} \u0007bad` })
  const auth = await refusalOf(mailerOf(withPassword).send(MAIL))
  assert.match(auth, /535 5\.7\.8 no: \[hidden\] \[hidden\] +bad/)
  server.behave({ data: '554 spam: https://gate.example/welcome?token=secret-of-the-link' })
  const spam = await refusalOf(mailerOf().send(MAIL))
  assert.match(spam, /554 spam: https:\/\/gate\.example\/welcome\?token=\[hidden\]/)
  server.behave({ rcpt: '550 no such mailbox' })
  assert.match(await refusalOf(mailerOf().send(MAIL)), /550 no such mailbox/)
  for (const text of [auth, spam]) assert.ok(!/hunter|secret-of/.test(text))
})

test('fails in time if the server is away, silent or stops halfway', async () => {
  const patience = { connectMs: 50, greetingMs: 50, silenceMs: 50 }
  for (const behaviour of ['silent', 'hangs'] as const) {
    server.behave(behaviour)
    await refusalOf(mailerOf(server.url, patience).send(MAIL))
  }
  assert.match(await refusalOf(mailerOf('smtp://127.0.0.1:1').send(MAIL)), /ECONNREFUSED/)
})

test('drops an email that is being sent when the gateway stops', async () => {
  server.behave('hangs')
  const mailer = mailerOf()
  const sending = mailer.send(MAIL)
  mailer.close()
  await refusalOf(sending)
})

test('sends neither password nor email to a remote server without encryption', async () => {
  server.behave({})
  server.commands.length = 0
  // Another name of this machine, which counts as remote.
  const elsewhere = withPassword.replace('127.0.0.1', '0.0.0.0')
  await refusalOf(mailerOf(elsewhere).send(MAIL))
  assert.deepEqual(
    server.commands.filter((line) => /^(AUTH|MAIL)/.test(line)),
    [],
  )
})

test('verify signs in without sending, and reports a wrong password', async () => {
  server.behave({})
  server.commands.length = 0
  const before = server.mails.length
  await mailerOf(withPassword).verify()
  assert.deepEqual(
    [server.mails.length, server.commands.some((line) => line.startsWith('AUTH PLAIN'))],
    [before, true],
  )
  server.behave({ auth: '535 wrong' })
  assert.match(await refusalOf(mailerOf(withPassword).verify()), /535 wrong/)
})
