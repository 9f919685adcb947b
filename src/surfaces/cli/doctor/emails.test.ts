import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '../../../app/settings/config.ts'
import { checkEmails, checkMailServers, type EmailProbes } from './emails.ts'

const PROBES: EmailProbes = {
  greet: async () => {},
  addressesOf: async () => ['93.184.216.34'],
  namesOf: async () => ['Gate.example.com.'],
}
const checksWith = async (settings: Record<string, string>, probes: Partial<EmailProbes> = {}) =>
  (await checkMailServers(loadConfig(settings), { ...PROBES, ...probes })).map(
    ({ name, state }) => `${name.replace('email checks: ', '')} ${state}`,
  )
const PUBLIC = { PUBLIC_URL: 'https://gate.example.com' }

test('finds port 25 and the PTR record of the name', async () => {
  assert.deepEqual(await checksWith(PUBLIC), ['port 25 ok', 'PTR record ok'])
  const closed = { greet: async () => Promise.reject(new RangeError('closed')) }
  assert.deepEqual(await checksWith(PUBLIC, closed), ['port 25 missing', 'PTR record ok'])
  for (const wrong of [{ addressesOf: async () => [] }, { namesOf: async () => ['vm7.example'] }])
    assert.deepEqual(await checksWith(PUBLIC, wrong), ['port 25 ok', 'PTR record missing'])
})

test('tries no server while the part is off or the gateway has no public name', async () => {
  const never = { greet: async () => assert.fail('a server was asked') }
  assert.deepEqual(await checksWith({ ...PUBLIC, IN_HOUSE: 'git' }, never), [])
  for (const PUBLIC_URL of ['http://127.0.0.1:4020', 'http://[::1]:4020', 'http://gate.local'])
    assert.deepEqual(await checksWith({ PUBLIC_URL }, never), [])
})

test('reports the name for email servers', async () => {
  const found = async (settings: Record<string, string>) =>
    (await checkEmails(loadConfig(settings), 'email checks')).found
  assert.match(await found(PUBLIC), /as gate\.example\.com$/)
  assert.match(await found({ ...PUBLIC, MAIL_DOMAIN: 'agents.example.com' }), /as agents\./)
  assert.match(await found({}), /MAIL_DOMAIN/)
})
