/** Every action of a vendor, called with a test key from validation to the books: nothing in the catalog is only a promise. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { rememberReference } from '../../src/calls/vendor-references.ts'
import { runCall } from '../../src/calls/run.ts'
import { createCatalog } from '../../src/catalog/index.ts'
import { worstCase } from '../../src/catalog/price.ts'
import { verifyLedger } from '../../src/ledger/verify.ts'
import { newId } from '../../src/lib/ids.ts'
import { dollars } from '../../src/lib/money.ts'
import { startSimulators, type Simulators } from '../../src/simulators/start.ts'
import { openCallBed, START_MS, type CallBed } from '../harness/calls.ts'

const actions = createCatalog()
  .allActions()
  .filter(({ service, action }) => service.vendor !== undefined && (action.kind === 'call' || action.kind === 'endpoint'))

let bed: CallBed
let simulators: Simulators
before(async () => {
  simulators = await startSimulators({ now: () => START_MS })
  bed = await openCallBed({ simulatorUrl: simulators.url, configured: false })
  const { database, clock, testCaller } = bed
  await database.query("select ledger_credit($1, $2, $3, 'adjustment', 'adjustments', $4, null, null)", [clock(), newId(clock()), testCaller.walletId, dollars('100')])
})
after(() => simulators.close())

describe('with a test key', () => {
  for (const { service, name, action } of actions) {
    it(`${service.id}/${name} answers its example within its price`, async () => {
      const { calls, testCaller: caller, database, clock } = bed
      const input = calls.validator.validate(action.input, action.example)
      const asked = action.kind === 'call' ? action.ownership?.asksFor?.(input) : undefined
      // A poll is answered only for what the account launched.
      if (asked !== undefined) await rememberReference(database, { accountId: caller.accountId, service: service.id, isTest: true }, asked, clock())
      const answer = await runCall(calls, bed.request(service.id, name, action.example, { caller }))
      const body = JSON.parse(answer.body) as { ok: boolean; data: unknown; test?: boolean }
      assert.deepEqual([answer.status, body.ok, body.test], [200, true, true])
      assert.ok(typeof body.data === 'object' && body.data !== null)
      assert.ok(answer.charged <= worstCase(action, input))
    })
  }

  it('nothing is left held, and the books balance', async () => {
    const { rows } = await bed.database.query<{ held: bigint }>('select sum(held_micros)::bigint as held from wallets')
    assert.equal(rows[0]?.held, 0n)
    assert.equal((await verifyLedger(bed.database)).ok, true)
    assert.equal(bed.vendor.requests.length, 0, 'no vendor was asked')
  })
})
