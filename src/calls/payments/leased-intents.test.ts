import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../lib/ids.ts'
import type { Intents } from '../../upstream/pay/intents.ts'
import { leasedIntents } from './leased-intents.ts'

type Opening = Parameters<Intents['open']>[0]

test('signs no payment for a call whose lease the process lost', async () => {
  const unsigned: string[] = []
  const stored: Intents = {
    open: async ({ callId }) => (callId === 'dear' ? 'over_ceiling' : 'opened'),
    signed: async () => assert.fail('nothing is signed'),
    paid: async () => assert.fail('nothing is paid'),
    unknown: async () => assert.fail('nothing was sent'),
    unsigned: async (id) => void unsigned.push(id),
  }
  const intents = leasedIntents(stored, (callId) => callId === 'own')
  const open = (id: string, callId: string): Promise<string> =>
    intents.open({ id, callId } as unknown as Opening)
  assert.equal(await open(newId(0), 'own'), 'opened')
  assert.equal(await open(newId(0), 'dear'), 'over_ceiling')
  await assert.rejects(open('p1', 'lost'), { code: 'overloaded' })
  assert.deepEqual(unsigned, ['p1'])
})
