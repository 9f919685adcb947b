import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { openAppBed } from '../../../../../test/harness/beds/app.ts'
import { formIn, sendForm } from '../../../../../test/harness/clients/forms.ts'
import { startMailServer } from '../../../../../test/harness/vendors/mail-server.ts'
import { TEST_PASSWORD_COST } from '../../../../../test/harness/password-cost.ts'
import { createAccount } from '../../../../accounts/create-account.ts'
import { signInByLink, createLink } from '../../../../auth/sign-in-link.ts'
import { createSmtpMailer } from '../../../../auth/smtp-mailer.ts'
import { nextPage } from './next-page.ts'

const [EMAIL, PASSWORD] = ['ines@example.com', 'four words in a row']
const mail = await startMailServer()
const { app, database, clock } = await openAppBed({
  people: {
    signUp: true,
    mailer: createSmtpMailer({ smtpUrl: mail.url, from: 'gate@example.com' }),
  },
})
let visits = 0
const { live } = await createAccount({ database, now: clock }, { email: EMAIL, tier: 'personal' })
await signInByLink(
  { database, now: clock, passwordCost: TEST_PASSWORD_COST },
  await createLink({ database, now: clock }, { email: EMAIL, makesAccount: false, seconds: 60 }),
  PASSWORD,
)

const open = (url: string, cookie = ''): Promise<LightMyRequestResponse> =>
  app.inject({ url, headers: { cookie } })
const send = (url: string, fields: Record<string, string>): Promise<LightMyRequestResponse> =>
  app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  })
const cookieOf = ({ headers }: LightMyRequestResponse): string =>
  String(headers['set-cookie']).split(';', 1)[0] ?? ''

/** The next pages in the forms and passkey elements of a sign-in page. */
function nextsOf({ body }: LightMyRequestResponse): string[] {
  return [
    ...new Set(
      [...body.matchAll(/(?:name="next" value|data-next)="([^"]*)"/g)].map(([, next = '']) =>
        next.replaceAll('&amp;', '&'),
      ),
    ),
  ]
}

describe('after signing in', () => {
  for (const page of [
    '/balance',
    '/balance?status=held&from=2026-01-01',
    '/balance/transactions?kind=topup',
    '/calls?charge=pending',
    '/calls/req_0123456789abcdef',
    '/webhooks/whk_0123456789abcdef',
    '/keys',
    '/changes',
    '/keys?mode=test',
    `/keys/${live.id}`,
    '/account',
    '/account?done=password',
  ]) {
    test(`opens ${page} after sign-in by password or key, also after a failed attempt`, async () => {
      assert.deepEqual(nextsOf(await open(page)), [page])
      const refused = [
        await send('/sign-in', { email: EMAIL, password: 'wrong', next: page }),
        await send('/balance/sign-in', { key: 'wrong', next: page }),
      ]
      assert.deepEqual(refused.map(nextsOf), [[page], [page]])
      const taken = [
        await send('/sign-in', { email: EMAIL, password: PASSWORD, next: page }),
        await send('/balance/sign-in', { key: live.key, next: page }),
      ]
      // Only holders can open the account page.
      assert.deepEqual(
        taken.map(({ headers }) => headers.location),
        [page, page.startsWith('/account') ? '/balance' : page],
      )
    })
  }

  for (const named of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/keys//evil.example',
    '/keys\\@evil.example',
    '/keys/../api',
    '/keys\n//evil.example',
    '/balance#x',
    '/balance.evil.example',
    '@evil.example',
    'javascript:alert(1)',
    '/balance?a="><script>',
    '/welcome?token=x',
    '/balance/sign-out',
    '',
  ]) {
    test(`opens the balance for ${JSON.stringify(named)}`, async () => {
      assert.equal(nextPage(named), '/balance')
      assert.deepEqual(
        nextsOf(await open(`/sign-in?${new URLSearchParams({ next: named }).toString()}`)),
        ['/balance'],
      )
      assert.equal(
        (await send('/sign-in', { email: EMAIL, password: PASSWORD, next: named })).headers
          .location,
        '/balance',
      )
      assert.equal(
        (await send('/balance/sign-in', { key: live.key, next: named })).headers.location,
        '/balance',
      )
    })
  }
})

describe('an email link', () => {
  const linkOf = async (email: string, next: string): Promise<string> => {
    const before = mail.mails.length
    const asked = await sendForm(app, {
      url: '/sign-in/link',
      fields: { email, next },
      remoteAddress: `10.1.0.${(visits += 1)}`,
    })
    assert.equal(asked.statusCode, 200)
    const { text } = await mail.mailTo(email, before)
    return /\/welcome\?token=\S+/.exec(text)?.[0] ?? assert.fail(text)
  }
  const hiddenIn = (page: LightMyRequestResponse) =>
    formIn(page, /^\/(?:sign-in\/link|welcome)$/).hidden

  test('opens the requested page, which its email does not contain', async () => {
    const page = '/keys?mode=test&call=555-0100'
    const [, linkForm = ''] = /href="([^"]*)">Forgot/.exec((await open(page)).body) ?? []
    const asking = await open(linkForm)
    assert.equal(hiddenIn(asking)['next'], page)
    const refused = await send('/sign-in/link', { email: 'invalid', next: page })
    assert.deepEqual([refused.statusCode, hiddenIn(refused)['next']], [400, page])
    const link = await linkOf(EMAIL, page)
    assert.ok(!mail.mails.some(({ text }) => text.includes('555')))
    const shown = await open(link)
    const form = { ...hiddenIn(shown), email: EMAIL, password: PASSWORD }
    assert.equal(
      (await send('/welcome', { ...form, password: 'short' })).body.includes(
        `name="next" value="${page.replaceAll('&', '&amp;')}"`,
      ),
      true,
    )
    assert.equal((await send('/welcome', form)).headers.location, page)
  })

  test('never opens another site, for any request or form', async () => {
    for (const named of ['https://evil.example/', '//evil.example', '/welcome?token=x', '']) {
      const shown = await open(await linkOf(EMAIL, named))
      assert.equal(hiddenIn(shown)['next'], '/balance')
      assert.equal(
        (await send('/welcome', { ...hiddenIn(shown), password: PASSWORD, next: named })).headers
          .location,
        '/balance',
      )
    }
  })

  test('shows a new account its keys and a link to the requested page', async () => {
    const shown = await open(await linkOf('new@people.example.com', '/account'))
    const created = await send('/welcome', { ...hiddenIn(shown), password: PASSWORD })
    assert.deepEqual(
      [
        created.statusCode,
        created.body.includes('tg_live_'),
        created.body.includes('href="/account">Continue'),
      ],
      [200, true, true],
    )
  })

  test('keeps the next page between all sign-in pages', async () => {
    for (const [page, to] of [
      ['/sign-in', '/sign-in/link'],
      ['/sign-in', '/sign-up'],
      ['/sign-up', '/sign-in'],
      ['/sign-in/link', '/sign-in'],
    ] as const) {
      const { body } = await open(`${page}?next=%2Fkeys`)
      assert.ok(body.includes(`href="${to}?next=%2Fkeys"`), `${page} to ${to}`)
    }
    assert.equal(
      (
        await sendForm(app, {
          url: '/sign-up',
          fields: { email: 'other@people.example.com', next: '/keys' },
        })
      ).body.includes('href="/sign-up?next=%2Fkeys">try again'),
      true,
    )
  })
})

test('/sign-in redirects a signed-in holder, but lets a key session sign in as the holder', async () => {
  const [holder, key] = [
    cookieOf(await send('/sign-in', { email: EMAIL, password: PASSWORD })),
    cookieOf(await send('/balance/sign-in', { key: live.key })),
  ]
  const { statusCode, headers } = await open('/sign-in?next=/keys', holder)
  assert.deepEqual([statusCode, headers.location], [303, '/keys'])
  const byKey = await open('/account', key)
  assert.match(byKey.body, /href="\/sign-in\?next=\/account"/)
  assert.deepEqual(nextsOf(await open('/sign-in?next=/account', key)), ['/account'])
})
