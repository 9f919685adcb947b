import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAppBed } from '../../../../../test/harness/beds/app.ts'
import { cookieOf, sendForm } from '../../../../../test/harness/clients/forms.ts'
import { findAccount } from '../../../../accounts/find-account.ts'
import { readFirstSteps } from '../../../../accounts/first-steps.ts'

const bed = await openAppBed()
const FOUND = { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] }
const cookie = cookieOf(
  await sendForm(bed.app, { url: '/balance/sign-in', fields: { key: bed.liveKey } }),
)
const { accountId } = await findAccount(bed.database, 'mine@gate.example.com')
const readSteps = () => readFirstSteps(bed.database, accountId)

test('the command of the first call uses the key that it exports', async () => {
  const { body } = await bed.app.inject({ url: '/balance', headers: { cookie } })
  const steps = body.split('id="steps-title"')[1]?.split('</section>')[0] ?? ''
  const text = steps.replaceAll(/<[^>]*>/g, '')
  assert.match(text, /export TOLLGATE_KEY=YOUR_KEY\n/)
  assert.match(text, /Bearer \$\{TOLLGATE_KEY\}/)
  assert.doesNotMatch(steps, /data-key/)
})

test('the first call is a call, and neither a sign-in nor a read with the key', async () => {
  assert.equal((await bed.get('/api/v1/balance')).statusCode, 200)
  const before = await readSteps()
  assert.deepEqual([before?.hasKey, before?.hasCalled], [true, false])
  bed.vendor.answerWith(() => ({ body: FOUND }))
  assert.equal((await bed.post('/api/run/semantic/search', { query: 'a' })).statusCode, 200)
  assert.equal((await readSteps())?.hasCalled, true)
})

test('dismissed steps stay hidden, and the audit log names the author', async () => {
  await sendForm(bed.app, {
    url: '/balance/first-steps',
    fields: { mark: 'dismissed' },
    headers: { cookie },
  })
  assert.equal(await readSteps(), null)
  const [change] = (await bed.get('/api/v1/changes?limit=1')).json().data
  assert.match(change.author, /^browser with key agk_/)
  assert.deepEqual(change.fields, { steps_dismissed: [false, true] })
})
