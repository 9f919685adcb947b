import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { loadConfig } from '../../../app/settings/config.ts'
import { checkInboxes, checkMailDomain } from './inboxes.ts'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const MAIL_DKIM_KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const PUBLIC = createPublicKey(privateKey)
  .export({ type: 'spki', format: 'der' })
  .toString('base64')
const SETTINGS = {
  MAIL_DOMAIN: 'agents.example',
  MAIL_DKIM_KEY,
  SMTP_URL: 'smtp://gate:hunter2@relay.example:587',
  MAIL_FROM: 'gate@agents.example',
}
const RECORDS: Readonly<Record<string, readonly unknown[]>> = {
  'MX agents.example': [{ exchange: 'gateway.example', priority: 10 }],
  'TXT agents.example': [['v=spf1 include:relay.example ', '~all']],
  'TXT tollgate._domainkey.agents.example': [
    [`v=DKIM1; k=rsa; p=${PUBLIC.slice(0, 200)}`, PUBLIC.slice(200)],
  ],
  'TXT _dmarc.agents.example': [['v=DMARC1; p=reject']],
}

async function statesWith(
  settings: Readonly<Record<string, string>>,
  records: typeof RECORDS,
): Promise<readonly (readonly [string, string])[]> {
  const checks = await checkMailDomain(loadConfig(settings), {
    resolve: async (name, kind) =>
      records[`${kind} ${name}`] ?? Promise.reject(new RangeError('no record')),
    greet: (host) =>
      host === 'gateway.example' ? Promise.resolve() : Promise.reject(new RangeError('closed')),
  })
  assert.doesNotMatch(JSON.stringify(checks), /hunter2|PRIVATE/)
  return checks.map(({ name, state }) => [name.replace('inboxes: ', ''), state])
}

test('finds the records, the port and the relay of the domain', async () => {
  const states = await statesWith(SETTINGS, RECORDS)
  assert.deepEqual(
    states.map(([name, state]) => `${name} ${state}`),
    [
      'relay ok',
      'MX record ok',
      'port 25 ok',
      'SPF record ok',
      'DKIM record ok',
      'DMARC record ok',
    ],
  )
})

test('reports what is missing, and nothing while inboxes are off', async () => {
  const states = await statesWith(
    { MAIL_DOMAIN: 'agents.example', MAIL_DKIM_KEY },
    { 'MX agents.example': [{ exchange: 'closed.example' }] },
  )
  assert.deepEqual(
    states.filter(([, state]) => state === 'missing').map(([name]) => name),
    ['relay', 'port 25', 'SPF record', 'DKIM record', 'DMARC record'],
  )
  assert.deepEqual(await statesWith({}, {}), [])
  assert.deepEqual(await statesWith({ ...SETTINGS, IN_HOUSE: 'none' }, {}), [])
})

test('reports a local domain as one that only this machine reaches', async () => {
  const local = await checkInboxes(loadConfig({}), 'inboxes')
  assert.equal(local.state, 'ok')
  assert.match(local.found, /inbox\.localhost, with email from this machine only; set MAIL_DOMAIN/)
  assert.equal((await checkInboxes(loadConfig(SETTINGS), 'inboxes')).found, 'agents.example')
})

test('accepts keys of old and new versions of openssl, and rejects wrong settings', () => {
  for (const type of ['pkcs1', 'pkcs8'] as const) {
    const key = privateKey.export({ type, format: 'pem' }).toString()
    assert.ok(loadConfig({ ...SETTINGS, MAIL_DKIM_KEY: key }).mail?.dkim !== null)
  }
  for (const wrong of [
    { MAIL_DOMAIN: 'localhost' },
    { MAIL_DOMAIN: 'agents.example', MAIL_DKIM_KEY: 'secret words' },
    { MAIL_DOMAIN: 'agents.example', MAIL_DKIM_SELECTOR: 'a b' },
  ])
    assert.throws(
      () => loadConfig(wrong),
      (error: Error) => /MAIL_/.test(error.message) && !error.message.includes('secret words'),
    )
})
