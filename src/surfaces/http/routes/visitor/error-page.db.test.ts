import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { openAppBed } from '../../../../../test/harness/beds/app.ts'
import { AppError } from '../../../../errors/app-error.ts'

const bed = await openAppBed()
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const cookie = `__Host-tollgate-page=${'A'.repeat(43)}`

const open = (url: string, accept: string): Promise<LightMyRequestResponse> =>
  bed.app.inject({ url, headers: { cookie, accept } })
const send = (url: string, accept: string): Promise<LightMyRequestResponse> =>
  bed.app.inject({
    method: 'POST',
    url,
    headers: { cookie, accept, 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'email=jo@example.com&password=four+words+in+a+row&key=x&token=x',
  })

test('reports a database outage as a page to browsers and as an envelope to programs', async (t) => {
  const away = () =>
    Promise.reject(
      new AppError('overloaded', 'The database is unreachable.', {
        retryAfterSeconds: 1,
      }),
    )
  t.mock.method(bed.database, 'query', away)
  t.mock.method(bed.database, 'transaction', away)
  const token = 'A'.repeat(43)
  const requests = [
    ...[
      '/balance',
      '/balance/transactions.csv',
      '/keys',
      '/keys/agk_x',
      '/account',
      `/welcome?token=${token}`,
    ].map((url) => [url, open] as const),
    ...[
      '/sign-in',
      '/welcome',
      '/balance/sign-out',
      '/keys',
      '/keys/agk_x/rotate',
      '/account/password',
      '/account/sign-out-others',
    ].map((url) => [url, send] as const),
  ]
  for (const [url, request] of requests) {
    const page = await request(url, BROWSER)
    assert.deepEqual([page.statusCode, page.headers['retry-after']], [503, '1'], url)
    assert.match(String(page.headers['content-type']), /^text\/html/, url)
    assert.match(
      page.body,
      /role="alert">The database is unreachable\. Wait for the number of seconds/,
      url,
    )
  }
  const envelope = await open('/balance', 'application/json')
  assert.deepEqual(
    [envelope.statusCode, envelope.json<{ error: { code: string } }>().error.code],
    [503, 'overloaded'],
  )
})

test('rejects a form from another site on a page without its fields', async () => {
  const refused = await bed.app.inject({
    method: 'POST',
    url: '/sign-in',
    headers: {
      accept: BROWSER,
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://evil.example',
    },
    payload: 'email=jo@example.com&password=four+words+in+a+row',
  })
  assert.equal(refused.statusCode, 400)
  assert.match(refused.body, /role="alert">This form was sent from another site\./)
  assert.doesNotMatch(refused.body, /four words|jo@example/)
})
