import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startVendor } from '../../../../test/harness/vendors/vendor.ts'
import { loadConfig } from '../../../app/settings/config.ts'
import { checkSelling } from './selling.ts'

const ADDRESS = '0x2222222222222222222222222222222222222222'
const facilitator = await startVendor()
const check = (settings: Record<string, string>) => checkSelling(loadConfig(settings), Date.now)
const serving = (network: string) =>
  facilitator.answerWith(() => ({
    body: { kinds: [{ x402Version: 2, scheme: 'exact', network }] },
  }))

test('reports missing settings, and needs no facilitator for MPP', async () => {
  assert.equal((await check({})).state, 'missing')
  assert.deepEqual(await check({ SELL_TEMPO_ADDRESS: ADDRESS }), {
    name: 'selling per call',
    state: 'ok',
    found: 'MPP on Tempo',
    fix: null,
  })
})

test('reports x402 without a facilitator as broken and names the setting', async () => {
  const { state, found, fix } = await check({ SELL_EVM_ADDRESS: ADDRESS })
  assert.deepEqual(
    [state, /without a facilitator/.test(found), /SELL_FACILITATOR_URL/.test(fix ?? '')],
    ['broken', true, true],
  )
})

test('accepts a facilitator only when it serves the network', async () => {
  const settings = { SELL_EVM_ADDRESS: ADDRESS, SELL_FACILITATOR_URL: facilitator.url }
  serving('eip155:84532')
  const lacks = await check(settings)
  assert.equal(lacks.state, 'broken')
  assert.match(lacks.found, /does not serve exact on eip155:8453; it serves exact on eip155:84532/)
  assert.equal((await check({ ...settings, SELL_NETWORKS: 'test' })).state, 'ok')
  serving('eip155:8453')
  assert.deepEqual(
    [(await check(settings)).state, (await check({ ...settings, SELL_NETWORKS: 'test' })).state],
    ['ok', 'broken'],
  )
})

test('reports a failing facilitator as broken, with the reason', async () => {
  facilitator.answerWith(() => ({ status: 401, body: { error: 'unauthorized' } }))
  const { state, found, fix } = await check({
    SELL_EVM_ADDRESS: ADDRESS,
    SELL_FACILITATOR_URL: facilitator.url,
  })
  assert.deepEqual(
    [state, /401/.test(found), /SELL_FACILITATOR_KEY_ID/.test(fix ?? '')],
    ['broken', true, true],
  )
})
