/** The state of simulated vendors: accounts with test keys are as isolated as at real vendors. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAccount } from '../../src/accounts/create-account.ts'
import { runCall } from '../../src/calls/run.ts'
import { createAuthenticator } from '../../src/keys/authenticate.ts'
import type { Caller } from '../../src/keys/caller.ts'
import { startSimulators, type Simulators } from '../../src/simulators/start.ts'
import { openCallBed, type CallBed } from '../harness/beds/calls.ts'

let bed: CallBed
let simulators: Simulators
let stranger: Caller
before(async () => {
  simulators = await startSimulators({ now: Date.now })
  bed = await openCallBed({ simulatorUrl: simulators.url, configured: false })
  const { database, clock } = bed
  const { test: key } = await createAccount(
    { database, now: clock },
    { email: 'stranger@gate.example.com', tier: 'personal' },
  )
  const authenticator = createAuthenticator({ database, now: clock, cacheSize: 10, cacheMs: 1_000 })
  stranger = await authenticator.authenticate(key.key)
  await authenticator.close()
})
after(() => simulators.close())

async function subjects(caller: Caller): Promise<string[]> {
  const { body } = await runCall(
    bed.calls,
    bed.request('inbox', 'list-messages', { inbox_id: 'bob@agentmail.to' }, { caller }),
  )
  return (JSON.parse(body) as { data: { messages: { subject: string }[] } }).data.messages.map(
    ({ subject }) => subject,
  )
}

test('inboxes of the same name are separate for each account', async () => {
  for (const caller of [bed.testCaller, stranger]) {
    for (const username of ['bob', 'eve'])
      await runCall(bed.calls, bed.request('inbox', 'create_inbox', { username }, { caller }))
  }
  await runCall(
    bed.calls,
    bed.request(
      'inbox',
      'send',
      { inbox_id: 'eve@agentmail.to', to: 'bob@agentmail.to', subject: 'A secret', text: 'x' },
      { caller: bed.testCaller },
    ),
  )
  assert.deepEqual(await subjects(bed.testCaller), ['A secret', 'Welcome (simulated)'])
  assert.deepEqual(await subjects(stranger), ['Welcome (simulated)'])
})
