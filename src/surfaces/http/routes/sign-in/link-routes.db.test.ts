import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { openAppBed } from '../../../../../test/harness/beds/app.ts'
import { cookieOf, formIn, secretsIn, sendForm } from '../../../../../test/harness/clients/forms.ts'
import {
  startMailServer,
  type ReceivedMail,
} from '../../../../../test/harness/vendors/mail-server.ts'
import { closeAccount } from '../../../../accounts/close-account.ts'
import { createAccount } from '../../../../accounts/create-account.ts'
import { SIGN_IN_LIMITS } from '../../../../auth/attempts.ts'
import { createAccountLink } from '../../../../auth/create-account-link.ts'
import { parsePublicId, publicId } from '../../../../lib/ids.ts'
import { createLink } from '../../../../auth/sign-in-link.ts'
import { REQUEST_LIMITS, LinkSender, SENDING_LIMITS } from '../../../../auth/link-sender.ts'
import type { Mail, Mailer, AuthServices } from '../../../../auth/auth-services.ts'
import { createSmtpMailer } from '../../../../auth/smtp-mailer.ts'

const server = await startMailServer()
const smtp = createSmtpMailer({ smtpUrl: server.url, from: 'gate@example.com' })
/** Emails are sent after it resolves. */
let begin: Promise<void> = Promise.resolve()
const mailer: Mailer = { send: (mail) => begin.then(() => smtp.send(mail)), close: smtp.close }
const lines: string[] = []
let logged = Promise.withResolvers<void>()
const open = await openPages({ signUp: true, mailer })
const closed = await openPages({ signUp: false, mailer })
const withoutMail = await openPages({ signUp: false, mailer: null })
const PASSWORD = 'four words in a row'

function takeLine(line: string): void {
  lines.push(line)
  logged.resolve()
  logged = Promise.withResolvers()
}

async function waitForLog(words: string): Promise<void> {
  while (!lines.some((line) => line.includes(words))) await logged.promise
}

type Pages = Awaited<ReturnType<typeof openPages>>

async function openPages(people: Partial<AuthServices>) {
  const bed = await openAppBed({ people, log: takeLine })
  let visits = 0
  return {
    ...bed,
    visit: (url: string, cookie = ''): Promise<LightMyRequestResponse> =>
      bed.app.inject({ method: 'GET', url, headers: { cookie } }),
    /** Sends from a new network address by default. */
    send: (
      url: string,
      fields: Record<string, string>,
      headers: Record<string, string> = {},
      remoteAddress = `10.0.${(visits += 1) >> 8}.${visits & 255}`,
    ): Promise<LightMyRequestResponse> =>
      sendForm(bed.app, { url, fields, headers, remoteAddress }),
  }
}

/** Returns the email that `work` sends to an address. */
async function emailFrom(email: string, work: () => Promise<unknown>): Promise<ReceivedMail> {
  const before = server.mails.length
  await work()
  return server.mailTo(email, before)
}

function tokenIn({ text }: ReceivedMail): string {
  return /\/welcome\?token=([\w-]{43})\s/.exec(text)?.[1] ?? assert.fail(text)
}

async function requestLink(
  { send }: Pages,
  email: string,
  form = '/sign-in/link',
): Promise<string> {
  return tokenIn(await emailFrom(email, () => send(form, { email })))
}

async function accountsOf({ database }: Pages, email: string): Promise<bigint | undefined> {
  const { rows } = await database.query<{ balance_micros: bigint }>(
    "select balance_micros from accounts join wallets on account_id = accounts.id and mode = 'live' where lower(email) = lower($1)",
    [email],
  )
  assert.ok(rows.length <= 1)
  return rows[0]?.balance_micros
}

const withoutAddress = (body: string, email: string): string => body.replaceAll(email, '…')

describe('requesting a link', () => {
  test('answers every address alike, but sends email only to those that can sign in', async () => {
    await createAccount(
      { database: closed.database, now: closed.clock },
      { email: 'gone@gate.example.com', tier: 'personal' },
    )
    await closeAccount(closed.database, 'gone@gate.example.com')
    const answers = new Set<string>()
    const before = server.mails.length
    for (const email of [
      'unknown@gate.example.com',
      'gone@gate.example.com',
      'MINE@gate.example.com',
    ]) {
      const { statusCode, headers, body } = await closed.send('/sign-in/link', { email })
      const { date: _date, 'content-length': _length, ...facts } = headers
      answers.add(JSON.stringify([statusCode, facts, withoutAddress(body, email)]))
    }
    assert.equal(answers.size, 1)
    const known = await server.mailTo('mine@gate.example.com', before)
    assert.deepEqual(known.to, ['mine@gate.example.com'])
    // By now all earlier requests are complete.
    await requestLink(closed, 'stranger@gate.example.com')
    assert.deepEqual(
      server.mails.slice(before).map(({ to }) => to[0]),
      ['mine@gate.example.com', 'stranger@gate.example.com'],
    )
  })

  test('rejects special-use domains, whether or not an account has such an address', async () => {
    await createAccount(
      { database: closed.database, now: closed.clock },
      { email: 'owner@localhost', tier: 'personal' },
    )
    const before = server.mails.length
    for (const [bed, form] of [
      [open, '/sign-up'],
      [open, '/sign-in/link'],
      [closed, '/sign-in/link'],
    ] as const) {
      for (const email of [
        'owner@localhost',
        'anonymous-buyers@house.invalid',
        'jo@corp.test',
        'jo@a.b.example',
        'jo@host.local',
        'jo@abc.onion',
        'jo@vm.internal',
      ]) {
        const { statusCode, body } = await bed.send(form, { email })
        assert.deepEqual(
          [statusCode, /reserved for special use/.test(body)],
          [400, true],
          `${form} ${email}`,
        )
      }
    }
    assert.equal(server.mails.length, before)
  })

  test('does not wait for the SMTP server', async () => {
    const [late, before] = [Promise.withResolvers<void>(), server.mails.length]
    begin = late.promise
    assert.equal(
      (await open.send('/sign-in/link', { email: 'mine@gate.example.com' })).statusCode,
      200,
    )
    assert.equal(server.mails.length, before)
    late.resolve()
    await server.mailTo('mine@gate.example.com', before)
  })

  test('sends an email with sender, purpose, expiry and advice to ignore it', async () => {
    const mail = await emailFrom('reads@people.example.com', () =>
      open.send('/sign-up', { email: 'reads@people.example.com' }),
    )
    for (const words of [
      'https://gate.example',
      'create an account',
      'works once and expires in one hour',
      'If you did not request it, ignore this email: no account will be created',
    ])
      assert.ok(mail.text.replaceAll('\r\n', '\n').includes(words), `${words} in ${mail.text}`)
    assert.match(
      (
        await emailFrom('mine@gate.example.com', () =>
          open.send('/sign-in/link', { email: 'mine@gate.example.com' }),
        )
      ).text,
      /your account does not change/,
    )
  })

  test('limits emails to five per recipient and sixty per network address and hour', async () => {
    const email = 'many@people.example.com'
    for (let count = 0; count < REQUEST_LIMITS.forEmail; count += 1) await requestLink(open, email)
    const refused = await open.send('/sign-in/link', { email: email.toUpperCase() })
    assert.deepEqual(
      [
        refused.statusCode,
        Number(refused.headers['retry-after']) > 0,
        refused.body.includes('role="alert"'),
        refused.body.includes(email.toUpperCase()),
      ],
      [429, true, true, true],
    )
    const codes = new Set<number>()
    for (let count = 0; count < REQUEST_LIMITS.fromAddress; count += 1)
      codes.add(
        (
          await closed.send(
            '/sign-in/link',
            { email: `n${count}@people.example.com` },
            {},
            '192.0.2.9',
          )
        ).statusCode,
      )
    assert.deepEqual(
      [
        ...codes,
        (await closed.send('/sign-in/link', { email: 'last@people.example.com' }, {}, '192.0.2.9'))
          .statusCode,
      ],
      [200, 429],
    )
    open.clock.advance(REQUEST_LIMITS.windowMs)
    await requestLink(open, email)
  })

  test('rejects an invalid address on the page without sending email', async () => {
    const before = server.mails.length
    for (const email of [
      '',
      'jo',
      'a@b@c',
      'mine@gate.example.com>',
      'a@example.com\r\nBcc: b@example.com',
      `${'x'.repeat(250)}@example.com`,
      'a b@example.com',
      '"><script>@x y',
    ]) {
      const { statusCode, body } = await open.send('/sign-in/link', { email })
      assert.deepEqual(
        [statusCode, body.includes('role="alert"'), body.includes('<script>')],
        [400, true, false],
        email,
      )
    }
    assert.equal(server.mails.length, before)
    assert.equal(
      (
        await open.send(
          '/sign-in/link',
          { email: 'a@example.com' },
          { origin: 'https://elsewhere.example' },
        )
      ).statusCode,
      400,
    )
  })

  test('sends email to long and international addresses', async () => {
    const long = `${'l'.repeat(64)}@${'d'.repeat(60)}.example.com`
    for (const [email, to] of [
      [long, long],
      ['jörg@people.example.com', 'jörg@people.example.com'],
      ['用户@例子.com', '用户@例子.com'],
      ['jo@例子.com', 'jo@xn--fsqu00a.com'],
    ] as const) {
      const mail = await emailFrom(to, () => open.send('/sign-up', { email }))
      assert.deepEqual(mail.to, [to])
    }
  })

  test('redirects disabled forms to the sign-in page', async () => {
    for (const [pages, path] of [
      [withoutMail, '/sign-in/link'],
      [withoutMail, '/sign-up'],
      [closed, '/sign-up'],
    ] as const) {
      const { statusCode, headers } = await pages.visit(path)
      assert.deepEqual([statusCode, headers.location], [303, '/sign-in'])
    }
    const texts = await Promise.all(
      [open, closed, withoutMail].map(async ({ visit }) => (await visit('/sign-in')).body),
    )
    assert.deepEqual(
      texts.map((body) =>
        [
          'href="/sign-in/link"',
          'href="/sign-up"',
          'Ask the operator of this gateway for a sign-in link.',
        ].map((part) => body.includes(part)),
      ),
      [
        [true, true, false],
        [true, false, false],
        [false, false, true],
      ],
    )
    assert.equal((await closed.send('/sign-up', { email: 'a@b.example' })).statusCode, 405)
  })
})

describe('a link', () => {
  test('limits attempts to a hundred per network address in 15 minutes', async () => {
    const codes = new Set<number>()
    for (let count = 0; count < SIGN_IN_LIMITS.fromAddress; count += 1)
      codes.add(
        (
          await open.send(
            '/welcome',
            { token: 'A'.repeat(43), password: PASSWORD },
            {},
            '192.0.2.77',
          )
        ).statusCode,
      )
    const token = await requestLink(open, 'later@people.example.com')
    const late = await open.send('/welcome', { token, password: PASSWORD }, {}, '192.0.2.77')
    assert.deepEqual([...codes, late.statusCode, late.headers['retry-after']], [403, 429, '900'])
    assert.equal((await open.send('/welcome', { token, password: PASSWORD })).statusCode, 200)
  })

  test('sets a password, shows a new account its keys once and signs in', async () => {
    const email = 'new@people.example.com'
    const token = await requestLink(open, email, '/sign-up')
    const shown = await open.visit(`/welcome?token=${token}`)
    assert.deepEqual(
      [
        shown.statusCode,
        shown.body.includes(email),
        shown.body.includes(`name="token" value="${token}"`),
      ],
      [200, true, true],
    )
    const created = await open.send('/welcome', { token, password: PASSWORD })
    const [key] = /tg_live_[0-9A-Za-z]{38}/.exec(created.body) ?? []
    assert.deepEqual(
      [
        created.statusCode,
        /tg_test_[0-9A-Za-z]{38}/.test(created.body),
        created.headers['cache-control'],
      ],
      [200, true, 'no-store'],
    )
    assert.ok(
      created.body
        .replaceAll(/<[^>]*>/g, '')
        .includes(
          `export TOLLGATE_KEY=${key}\n\ncurl -s https://gate.example/api/run/core/onescrape`,
        ),
    )
    assert.equal(
      (await open.get('/api/v1/balance', { authorization: `Bearer ${key}` })).statusCode,
      200,
    )
    assert.ok((await open.visit('/balance', cookieOf(created))).body.includes('Available'))
    assert.equal((await open.send('/sign-in', { email, password: PASSWORD })).statusCode, 303)
    assert.equal(await accountsOf(open, email), 2_000_000n)
    for (const used of [
      await open.visit(`/welcome?token=${token}`),
      await open.send('/welcome', { token, password: PASSWORD }),
    ])
      assert.deepEqual(
        [
          used.statusCode,
          used.body.includes('tg_'),
          used.body.includes(email),
          used.body.includes('href="/sign-in/link"'),
        ],
        [403, false, false, true],
      )
  })

  test('returns the same keys and session for a resubmitted form, but not for another form', async () => {
    const email = 'double@people.example.com'
    const token = await requestLink(open, email, '/sign-up')
    const shown = await open.visit(`/welcome?token=${token}`)
    const { once = '', ...hidden } = formIn(shown, /^\/welcome$/).hidden
    assert.ok(shown.body.includes(`name="email" type="email" value="${email}"`))
    const form = { ...hidden, once, email, password: PASSWORD }
    const [one, two] = await Promise.all([open.send('/welcome', form), open.send('/welcome', form)])
    for (const click of [one, two, await open.send('/welcome', form)])
      assert.deepEqual(
        [click.statusCode, secretsIn(click), cookieOf(click)],
        [200, secretsIn(one), cookieOf(one)],
      )
    assert.deepEqual([secretsIn(one).length, await accountsOf(open, email)], [2, 2_000_000n])
    assert.ok((await open.visit('/balance', cookieOf(two))).body.includes('Available'))
    for (const other of [
      { password: 'four other words' },
      { once: once.replace(/.$/, once.endsWith('A') ? 'E' : 'A') },
      { once: '' },
      { email: 'mine@gate.example.com' },
    ]) {
      const refused = await open.send('/welcome', { ...form, ...other })
      assert.deepEqual(
        [
          refused.statusCode,
          refused.headers['set-cookie'],
          secretsIn(refused),
          refused.body.includes(email),
        ],
        [403, undefined, [], false],
        JSON.stringify(other),
      )
    }
    const again = await open.visit(`/welcome?token=${token}`, cookieOf(one))
    assert.deepEqual(
      [
        again.statusCode,
        again.body.includes(`already signed in as <bdi class="given">${email}`),
        again.body.includes('href="/balance">Open'),
      ],
      [403, true, true],
    )
    const { rows } = await open.database.query<{ line: string }>(
      "select answers::text as line from answers where route = 'POST /welcome'",
    )
    for (const secret of [
      once,
      token,
      PASSWORD,
      ...secretsIn(one),
      cookieOf(one).split('=')[1] ?? '',
    ])
      assert.ok(
        rows.length > 0 && !rows.some(({ line }) => line.includes(secret)),
        'no secret of the browser is in the database',
      )
  })

  test('does not sign in again by a resubmitted form after another link ended all sessions', async () => {
    const email = 'evicted@people.example.com'
    const [first, second] = [
      await requestLink(open, email, '/sign-up'),
      await requestLink(open, email),
    ]
    const form = { token: first, once: 'o'.repeat(43), email, password: PASSWORD }
    assert.equal((await open.send('/welcome', form)).statusCode, 200)
    assert.equal(
      (await open.send('/welcome', { ...form, token: second })).statusCode,
      403,
      'one link invalidates all others',
    )
    assert.equal(
      (
        await open.send('/welcome', {
          token: await requestLink(open, email),
          email,
          password: 'four other words',
        })
      ).statusCode,
      303,
    )
    assert.ok(
      (await open.visit('/balance', cookieOf(await open.send('/welcome', form)))).body.includes(
        'action="/sign-in"',
      ),
    )
  })

  test('opens the balance of an existing account without new keys or credit', async () => {
    const created = await open.send('/welcome', {
      token: await requestLink(open, 'stranger@gate.example.com'),
      password: PASSWORD,
    })
    assert.deepEqual(
      [created.statusCode, created.headers.location, created.body.includes('tg_')],
      [303, '/balance', false],
    )
    assert.ok((await open.visit('/balance', cookieOf(created))).body.includes('Available'))
    assert.equal(await accountsOf(open, 'stranger@gate.example.com'), 2_000_000n)
  })

  test('creates one account with one welcome credit for concurrent links of an address', async () => {
    const email = 'twice@people.example.com'
    const tokens = [await requestLink(open, email), await requestLink(open, email.toUpperCase())]
    const answers = await Promise.all(
      [...tokens, ...tokens].map((token) => open.send('/welcome', { token, password: PASSWORD })),
    )
    assert.equal(answers.filter(({ body }) => body.includes('tg_live_')).length, 1)
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other),
      [200, 403, 403, 403],
    )
    assert.equal(await accountsOf(open, email), 2_000_000n)
  })

  test('creates its account within its hour, even after sign-up was closed', async () => {
    const email = 'late@people.example.com'
    const token = await createLink(
      { database: closed.database, now: closed.clock },
      { email, makesAccount: true, seconds: 3600 },
    )
    assert.ok(
      (await closed.send('/welcome', { token, password: PASSWORD })).body.includes('tg_live_'),
    )
    const next = await createLink(
      { database: closed.database, now: closed.clock },
      { email: `x${email}`, makesAccount: true, seconds: 3600 },
    )
    closed.clock.advance(3600_000)
    assert.equal(
      (await closed.send('/welcome', { token: next, password: PASSWORD })).statusCode,
      403,
    )
  })

  test('shows why a password was rejected, without repeating it, and stays valid', async () => {
    const token = await requestLink(open, 'picky@people.example.com')
    const refused = await open.send('/welcome', { token, password: 'short-one' })
    assert.deepEqual(
      [
        refused.statusCode,
        refused.body.includes('role="alert"'),
        refused.body.includes('short-one'),
      ],
      [400, true, false],
    )
    assert.equal(
      (
        await open.send(
          '/welcome',
          { token, password: PASSWORD },
          { origin: 'https://elsewhere.example' },
        )
      ).statusCode,
      400,
    )
    assert.equal((await open.send('/welcome', { token, password: PASSWORD })).statusCode, 200)
  })

  test('never appears in the log or a Referer, even if its email fails', async () => {
    const token = await requestLink(open, 'quiet@people.example.com')
    const shown = await open.visit(`/welcome?token=${token}`)
    assert.equal(shown.headers['referrer-policy'], 'strict-origin')
    assert.ok(!/(?:href|src|action)="[^"]*token/.test(shown.body))
    const { statusCode } = await open.visit(`/welcome?token=${token}&token=${token}`)
    await open.send(`/welcome?token=${token}`, { token: `${token}x`, password: PASSWORD })
    await open.app.inject({ method: 'PUT', url: `/welcome?token=${token}` })
    await open.visit(`/welcome%?token=${token}`)
    server.behave({ data: '554 rejected for content' })
    await emailFrom('quiet@people.example.com', () =>
      open.send('/sign-in/link', { email: 'quiet@people.example.com' }),
    )
    await waitForLog('554 rejected for content')
    server.behave({})
    assert.equal(statusCode, 403)
    assert.deepEqual(
      lines.filter(
        (line) =>
          line.includes(token) ||
          server.mails.some((mail) => line.includes(/token=(\S+)/.exec(mail.text)?.[1] ?? token)),
      ),
      [],
    )
  })
})

describe('after the daily welcome credits are used up', () => {
  test('creates accounts without credit, announces it on each page and logs it', async () => {
    const poor = await openPages({ signUp: true, welcomeCreditsPerDay: 1, mailer })
    const welcomeOf = async (email: string) =>
      poor.visit(`/welcome?token=${await requestLink(poor, email, '/sign-up')}`)
    const make = async (email: string) =>
      poor.send('/welcome', {
        token: await requestLink(poor, email, '/sign-up'),
        password: PASSWORD,
      })
    const none = /starts without credit/
    for (const page of [
      await poor.visit('/sign-up'),
      await welcomeOf('a@poor.example.com'),
      await make('a@poor.example.com'),
    ])
      assert.deepEqual([page.body.includes('$2.00 of credit'), none.test(page.body)], [true, false])
    const before = lines.length
    const created = await make('b@poor.example.com')
    for (const page of [
      await poor.visit('/sign-up'),
      await poor.send('/sign-up', { email: 'none' }),
      await welcomeOf('c@poor.example.com'),
      created,
    ])
      assert.deepEqual([page.body.includes('$2.00'), none.test(page.body)], [false, true])
    assert.deepEqual(
      [await accountsOf(poor, 'a@poor.example.com'), await accountsOf(poor, 'b@poor.example.com')],
      [2_000_000n, 0n],
    )
    assert.match(created.body.replaceAll(/<[^>]*>/g, ''), /export TOLLGATE_KEY=tg_test_/)
    const logs = lines.slice(before).filter((line) => line.includes('without welcome credit'))
    assert.deepEqual([logs.length, logs[0]?.includes('b@poor.example.com')], [1, false])
  })
})

describe('the sender of links', () => {
  const mail = {
    database: open.database,
    now: open.clock,
    signUp: true,
    publicUrl: 'https://gate.example',
  }

  test('limits emails per hour and reports the rest to the operator', async () => {
    const [sent, reports] = [[] as Mail[], [] as unknown[]]
    const sender = new LinkSender(
      {
        ...mail,
        mailer: { send: async (one) => void sent.push(one), close() {} },
        report: (error) => void reports.push(error),
      },
      { ...SENDING_LIMITS, inAll: 3 },
    )
    for (let count = 0; count < 5; count += 1)
      sender.request({
        email: `s${count}@people.example.com`,
        next: '',
        address: `192.0.2.${count}`,
      })
    await sender.drain()
    assert.deepEqual([sent.length, reports.length], [3, 2])
  })

  test('sends no link to the first address of an account that its person has left', async () => {
    const sent: Mail[] = []
    await open.database.query(
      "insert into accounts (id, email, tier, created_at) values (gen_random_uuid(), 'left@people.example.com', 'personal', now())",
    )
    const sender = new LinkSender({
      ...mail,
      mailer: { send: async (one) => void sent.push(one), close() {} },
      report: (error) => assert.fail(String(error)),
    })
    for (const name of ['left', 'open'])
      sender.request({ email: `${name}@people.example.com`, next: '', address: '192.0.2.1' })
    await sender.drain()
    assert.deepEqual(
      sent.map(({ to }) => to),
      ['open@people.example.com'],
    )
  })

  test('sends a few emails concurrently, queues some and drops the rest', async () => {
    const [gate, full, reports] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      [] as unknown[],
    ]
    let [now, most, sent] = [0, 0, 0]
    const send = async (): Promise<void> => {
      now += 1
      most = Math.max(most, now)
      if (now === 4) full.resolve()
      await gate.promise
      now -= 1
      sent += 1
    }
    const sender = new LinkSender({
      ...mail,
      mailer: { send, close() {} },
      report: (error) => void reports.push(error),
    })
    for (let count = 0; count < 300; count += 1)
      sender.request({
        email: `w${count}@people.example.com`,
        next: '',
        address: `192.0.2.${count}`,
      })
    await full.promise
    gate.resolve()
    await sender.drain()
    assert.deepEqual([most, sent, reports.length], [4, 204, 96])
  })

  test('drains its queue, but waits for a hanging server only for a limited time', async () => {
    const [gate, under, reports] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      [] as unknown[],
    ]
    const sent: Mail[] = []
    const send = async (one: Mail): Promise<void> => {
      under.resolve()
      await gate.promise
      sent.push(one)
    }
    const deps = {
      ...mail,
      mailer: { send, close() {} },
      report: (error: unknown) => void reports.push(error),
    }
    const working = new LinkSender(deps)
    for (let count = 0; count < 6; count += 1)
      working.request({
        email: `d${count}@people.example.com`,
        next: '',
        address: `192.0.2.${count}`,
      })
    await under.promise
    const hanging = new LinkSender(deps, { ...SENDING_LIMITS, drainMs: 1 })
    for (let count = 0; count < 6; count += 1)
      hanging.request({
        email: `h${count}@people.example.com`,
        next: '',
        address: `192.0.2.${count}`,
      })
    await hanging.drain()
    assert.deepEqual([sent.length, reports.length], [0, 2])
    const drained = working.drain()
    gate.resolve()
    await drained
    assert.equal(sent.filter(({ to }) => to.startsWith('d')).length, 6)
  })

  test('is drained when the gateway stops', async () => {
    const ending = await openPages({ signUp: true, mailer })
    const [late, before] = [Promise.withResolvers<void>(), server.mails.length]
    begin = late.promise
    await ending.send('/sign-in/link', { email: 'at-the-end@people.example.com' })
    const closing = ending.app.close()
    late.resolve()
    await closing
    assert.equal(
      server.mails.slice(before).filter(({ to }) => to[0] === 'at-the-end@people.example.com')
        .length,
      1,
    )
  })

  test('sends email for equivalent characters to the address of the account only', async () => {
    const sent: Mail[] = []
    const sender = new LinkSender({
      ...mail,
      mailer: { send: async (one) => void sent.push(one), close() {} },
      report: assert.ifError,
    })
    await createAccount(
      { database: open.database, now: open.clock },
      { email: 'kim@people.example.com', tier: 'personal' },
    )
    sender.request({ email: '\u212Aim@people.example.com', next: '', address: '192.0.2.1' })
    sender.request({ email: 'k\u0130m@people.example.com', next: '', address: '192.0.2.1' })
    await sender.drain()
    assert.deepEqual(
      sent.map(({ to }) => to),
      ['kim@people.example.com', 'kim@people.example.com'],
    )
    const token = await createLink(mail, {
      email: 'k\u0130m@people.example.com',
      makesAccount: true,
      seconds: 60,
    })
    assert.equal((await open.send('/welcome', { token, password: PASSWORD })).statusCode, 403)
  })
})

test('a link of an operator opens its account for a person of several, also after a double click', async () => {
  const email = 'of-two@people.example.com'
  const { database, clock } = closed
  const deps = { database, now: clock }
  const { account } = await createAccount(deps, { email, tier: 'personal' })
  const other = await createAccount(deps, {
    email: 'other-of-two@people.example.com',
    tier: 'personal',
  })
  const otherId = parsePublicId('account', other.account.id)
  const { rows } = await database.query<{ id: string }>('select id from people where email = $1', [
    email,
  ])
  const personId = rows[0]?.id ?? ''
  await database.query(
    "insert into members (account_id, person_id, role, joined_at, last_seen_at) values ($1, $2, 'viewer', $3, $3)",
    [otherId, personId, new Date(clock() + 60_000)],
  )
  const { token } = await createAccountLink(deps, account.id)
  const shown = await closed.visit(`/welcome?token=${token}`)
  const form = { ...formIn(shown, /^\/welcome$/).hidden, email, password: PASSWORD }
  const entered = await closed.send('/welcome', form)
  assert.equal(entered.statusCode, 303, entered.body)
  const accountOf = async () =>
    (
      await database.query<{ id: string }>(
        'select account_id as id from page_sessions where person_id = $1',
        [personId],
      )
    ).rows.map(({ id }) => publicId('account', id))
  assert.deepEqual(await accountOf(), [account.id])
  // The other account was used since, and all accounts can be closed.
  await database.query(
    'update members set last_seen_at = $2 where person_id = $1 and account_id = $3',
    [personId, new Date(clock() + 120_000), otherId],
  )
  assert.equal(cookieOf(await closed.send('/welcome', form)), cookieOf(entered))
  for (const id of [account.id, other.account.id]) await closeAccount(database, id)
  assert.equal((await closed.send('/welcome', form)).statusCode, 403)
})
