import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Id } from '../../../lib/ids.ts'
import { createClientAddress } from '../guards/client-address.ts'
import { groupCallers } from './group-callers.ts'

const socket = { remoteAddress: '10.0.0.1' }
const authenticator = {
  cachedAccount: (secret: string) => (secret === 'sk-known' ? ('account' as Id) : null),
}

function groupBehind(proxies: readonly string[], headers: Record<string, string>): string {
  const groupOf = groupCallers(authenticator, createClientAddress(proxies))
  return groupOf({ url: '/api/run/search/web', headers, socket })
}

test('groups requests by account, and by client address without a known key', () => {
  assert.equal(groupBehind([], { authorization: 'Bearer sk-known' }), 'account')
  assert.equal(groupBehind([], { authorization: 'Bearer sk-made-up' }), '10.0.0.1')
  assert.equal(groupBehind([], {}), '10.0.0.1')
})

test('distinguishes the clients of a trusted proxy, and ignores addresses from anyone else', () => {
  const [one, another] = [{ 'x-forwarded-for': '192.0.2.1' }, { 'x-forwarded-for': '192.0.2.2' }]
  assert.deepEqual(
    [groupBehind(['10.0.0.0/8'], one), groupBehind(['10.0.0.0/8'], another)],
    ['192.0.2.1', '192.0.2.2'],
  )
  assert.equal(groupBehind([], one), '10.0.0.1')
})
