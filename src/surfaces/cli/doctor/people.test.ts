import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMailServer } from '../../../../test/harness/vendors/mail-server.ts'
import { loadConfig } from '../../../app/settings/config.ts'
import { checkMail, checkSignUp } from './people.ts'

const server = await startMailServer()
const mail = {
  SMTP_URL: server.url.replace('//', '//gate:hunter2@'),
  MAIL_FROM: 'gate@example.com',
}

test('reports missing, working and rejecting mail servers, and never the password', async () => {
  assert.equal((await checkMail(loadConfig({}))).state, 'missing')
  const working = await checkMail(loadConfig(mail))
  assert.deepEqual(
    [working.state, working.found],
    ['ok', `${new URL(server.url).host} accepts this gateway; sender: gate@example.com`],
  )
  server.behave({ auth: '535 hunter2 is wrong' })
  const refused = await checkMail(loadConfig(mail))
  assert.deepEqual([refused.state, /535 \[hidden\] is wrong/.test(refused.found)], ['broken', true])
  assert.equal(
    (await checkMail(loadConfig({ ...mail, SMTP_URL: 'smtp://127.0.0.1:1' }))).state,
    'broken',
  )
  assert.deepEqual(
    [server.mails.length, server.commands.some((line) => line.startsWith('MAIL'))],
    [0, false],
  )
})

test('reports whether sign-up is open', () => {
  assert.match(checkSignUp(loadConfig({})).found, /^closed/)
  assert.match(
    checkSignUp(loadConfig({ ...mail, SIGN_UP: 'open' })).found,
    /^open: .*\/sign-up; welcome credit for 100 accounts per day$/,
  )
})
