import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkProxies } from './proxies.ts'

test('reports missing proxies when PUBLIC_URL is https', () => {
  const stateOf = (publicUrl: string, ...trustedProxies: string[]) =>
    checkProxies({ publicUrl, trustedProxies }).state
  assert.deepEqual(
    [
      stateOf('https://gate.example'),
      stateOf('https://gate.example', '10.0.0.1/32'),
      stateOf('http://127.0.0.1:4020'),
    ],
    ['missing', 'ok', 'ok'],
  )
})

test('warns about plain http unless the address is this machine', () => {
  const foundOf = (publicUrl: string, ...trustedProxies: string[]) =>
    checkProxies({ publicUrl, trustedProxies })
  for (const own of ['http://127.0.0.1:4020', 'http://localhost:4020', 'http://[::1]:4020'])
    assert.equal(foundOf(own).state, 'ok', own)
  for (const others of ['http://gate.example', 'http://192.168.1.20:4020']) {
    assert.equal(foundOf(others).state, 'missing', others)
    assert.match(foundOf(others, '10.0.0.1/32').found, /not https/)
  }
})
