import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startVendor } from '../../../test/harness/vendor.ts'
import type { Requirement, X402Payload } from './accept-x402.ts'
import { takeByFacilitator } from './take-by-facilitator.ts'

const facilitator = await startVendor()
const requirement: Requirement = { scheme: 'exact', network: 'eip155:8453', amount: '5', asset: '0xa', payTo: '0xb', maxTimeoutSeconds: 300, extra: { name: 'USD Coin', version: '2' } }
const payload: X402Payload = { x402Version: 2, accepted: requirement, payload: { signature: '0x1', authorization: { from: '0xc', to: '0xb', value: '5', nonce: '0x2' } } }
const take = takeByFacilitator(facilitator.url)

function answers(verify: object | 'reset', settle: object | 'reset'): void {
  facilitator.answerWith(({ path }) => {
    const reply = path.endsWith('/verify') ? verify : settle
    return reply === 'reset' ? 'reset' : { body: reply }
  })
}

it('a payment that the facilitator checked and settled is taken', async () => {
  answers({ isValid: true, payer: '0xc' }, { success: true, transaction: '0xdone', network: 'eip155:8453', payer: '0xc' })
  assert.equal((await take(payload, requirement))?.reference, '0xdone')
  assert.deepEqual(facilitator.requests.map(({ path }) => path), ['/verify', '/settle'])
})

it('one that does not pass the check, or whose check fails, is not taken', async () => {
  for (const verify of [{ isValid: false, invalidReason: 'insufficient_funds' }, 'reset'] as const) {
    answers(verify, { success: true, transaction: '0xdone', network: 'eip155:8453' })
    const before = facilitator.requests.length
    assert.equal(await take(payload, requirement), null)
    assert.ok(facilitator.requests.slice(before).every(({ path }) => path === '/verify'))
  }
})

it('one that the facilitator did not settle is not taken; without its answer nobody knows', async () => {
  for (const transaction of ['', '0xreverted']) {
    answers({ isValid: true }, { success: false, errorReason: 'nonce_used', transaction, network: 'eip155:8453' })
    assert.equal(await take(payload, requirement), null)
  }
  answers({ isValid: true }, 'reset')
  await assert.rejects(take(payload, requirement))
})
