import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { openAppBed } from '../../../../../test/harness/app.ts'
import { createAccount } from '../../../../accounts/create-account.ts'
import { enterByLink, makeLink } from '../../../../people/entry-link.ts'
import { nextPage } from './next-page.ts'

const [EMAIL, PASSWORD] = ['ines@example.com', 'four words in a row']
const { app, database, clock } = await openAppBed()
const { live } = await createAccount({ database, now: clock }, { email: EMAIL, tier: 'personal' })
await enterByLink({ database, now: clock }, await makeLink({ database, now: clock }, { email: EMAIL, makesAccount: false, seconds: 60 }), PASSWORD)

const open = (url: string, cookie = ''): Promise<LightMyRequestResponse> => app.inject({ url, headers: { cookie } })
const send = (url: string, fields: Record<string, string>): Promise<LightMyRequestResponse> =>
  app.inject({ method: 'POST', url, headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: new URLSearchParams(fields).toString() })
const cookieOf = ({ headers }: LightMyRequestResponse): string => String(headers['set-cookie']).split(';', 1)[0] ?? ''

/** Where the forms and the passkeys of a sign-in page lead. */
function nextsOf({ body }: LightMyRequestResponse): string[] {
  return [...new Set([...body.matchAll(/(?:name="next" value|data-next)="([^"]*)"/g)].map(([, next = '']) => next.replaceAll('&amp;', '&')))]
}

describe('after signing in', () => {
  for (const page of ['/balance', '/balance?status=held&from=2026-01-01', '/keys', '/keys?mode=test', `/keys/${live.id}`, '/account', '/account?done=password']) {
    test(`${page} is there for who asked for it, whether a password or a key was typed, also at the second attempt`, async () => {
      assert.deepEqual(nextsOf(await open(page)), [page])
      const refused = [await send('/sign-in', { email: EMAIL, password: 'wrong', next: page }), await send('/balance/sign-in', { key: 'wrong', next: page })]
      assert.deepEqual(refused.map(nextsOf), [[page], [page]])
      const taken = [await send('/sign-in', { email: EMAIL, password: PASSWORD, next: page }), await send('/balance/sign-in', { key: live.key, next: page })]
      // The account is its holder's: a key has nothing to see there.
      assert.deepEqual(taken.map(({ headers }) => headers.location), [page, page.startsWith('/account') ? '/balance' : page])
    })
  }

  for (const named of ['https://evil.example/', '//evil.example', '/\\evil.example', '/keys//evil.example', '/keys\\@evil.example', '/keys/../api', '/keys\n//evil.example', '/balance#x', '/balance.evil.example', '@evil.example', 'javascript:alert(1)', '/balance?a="><script>', '/welcome?token=x', '/balance/sign-out', '']) {
    test(`${JSON.stringify(named)} leads to the balance, and nowhere else`, async () => {
      assert.equal(nextPage(named), '/balance')
      assert.deepEqual(nextsOf(await open(`/sign-in?${new URLSearchParams({ next: named }).toString()}`)), ['/balance'])
      assert.equal((await send('/sign-in', { email: EMAIL, password: PASSWORD, next: named })).headers.location, '/balance')
      assert.equal((await send('/balance/sign-in', { key: live.key, next: named })).headers.location, '/balance')
    })
  }
})

test('/sign-in leads the holder on, who is in already, and lets whoever is in with a key sign in as the holder', async () => {
  const [holder, key] = [cookieOf(await send('/sign-in', { email: EMAIL, password: PASSWORD })), cookieOf(await send('/balance/sign-in', { key: live.key }))]
  const { statusCode, headers } = await open('/sign-in?next=/keys', holder)
  assert.deepEqual([statusCode, headers.location], [303, '/keys'])
  const byKey = await open('/account', key)
  assert.match(byKey.body, /href="\/sign-in\?next=\/account"/)
  assert.deepEqual(nextsOf(await open('/sign-in?next=/account', key)), ['/account'])
})
