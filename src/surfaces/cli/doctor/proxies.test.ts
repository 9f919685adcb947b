import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkProxies } from './proxies.ts'

test('the doctor misses the name of a proxy where there must be one', () => {
  const stateOf = (publicUrl: string, ...trustedProxies: string[]) => checkProxies({ publicUrl, trustedProxies }).state
  assert.deepEqual([stateOf('https://gate.example'), stateOf('https://gate.example', '10.0.0.1/32'), stateOf('http://127.0.0.1:4020')], ['missing', 'ok', 'ok'])
})
