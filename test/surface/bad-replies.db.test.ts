/** Every action of a vendor whose texts hold what a database would not: from the reply to the books, and back for a repeated request. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { storeReference } from '../../src/calls/perform/vendor-references.ts'
import { runCall } from '../../src/calls/run.ts'
import { isLaunched } from '../../src/catalog/vocabulary/define.ts'
import { createCatalog } from '../../src/catalog/index.ts'
import { AppError } from '../../src/errors/app-error.ts'
import { verifyLedger } from '../../src/ledger/verify.ts'
import { newId } from '../../src/lib/ids.ts'
import { dollars } from '../../src/lib/money.ts'
import { startSimulators, type Simulators } from '../../src/simulators/start.ts'
import { openCallBed, START_MS, type CallBed } from '../harness/beds/calls.ts'

const actions = createCatalog()
  .allActions()
  .filter(
    ({ service, action }) =>
      service.vendor !== undefined &&
      action.kind !== 'local' &&
      !isLaunched(action, action.example),
  )

/** Appended to every text: a NUL, which PostgreSQL rejects in text, and half a surrogate pair. JSON allows both. */
function spoiled(value: unknown): unknown {
  if (typeof value === 'string') return `${value}\u0000\ud800`
  if (Array.isArray(value)) return value.map(spoiled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, spoiled(part)]))
}

let bed: CallBed
let simulators: Simulators
before(async () => {
  simulators = await startSimulators({ now: () => START_MS })
  bed = await openCallBed({ configured: false })
  bed.vendor.answerWith(async ({ method, path, headers, body }) => {
    const {
      host: _host,
      connection: _connection,
      'content-length': _length,
      'transfer-encoding': _coding,
      ...rest
    } = headers
    const reply = await fetch(`${simulators.url}${path}`, {
      method,
      headers: rest as Record<string, string>,
      redirect: 'manual',
      ...(method === 'GET' || method === 'HEAD'
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await reply.text()
    const type = reply.headers.get('content-type') ?? 'application/json'
    return {
      status: reply.status,
      headers: { 'content-type': type },
      body: type.includes('json') ? spoiled(JSON.parse(text)) : text,
    }
  })
  const { database, clock, testCaller } = bed
  await database.query(
    "select ledger_credit($1, $2, $3, 'adjustment', 'adjustments', $4, null, null)",
    [clock(), newId(clock()), testCaller.walletId, dollars('1000')],
  )
})
after(() => simulators.close())

describe('texts of a vendor that no database keeps', () => {
  it('are answered or refused by every action, and repeated byte for byte, and nothing breaks', async () => {
    const broken: string[] = []
    let answers = 0
    for (const { service, name, action } of actions) {
      const { calls, testCaller: caller, database, clock } = bed
      const input = calls.validator.validate(action.input, action.example)
      const asked = action.kind === 'call' ? action.ownership?.targetId?.(input) : undefined
      if (asked !== undefined)
        await storeReference(
          database,
          {
            accountId: caller.accountId,
            service: service.id,
            mode: 'test',
            keyId: null,
            scope: 'account',
          },
          asked,
          clock(),
        )
      const ask = () =>
        runCall(
          calls,
          bed.request(service.id, name, action.example, {
            caller,
            idempotency: { key: 'once', fingerprint: 'ab'.repeat(32) },
          }),
        )
      try {
        const first = await ask()
        answers += 1
        if (first.charged > 0n)
          assert.deepEqual(await ask().then(({ body, replayed }) => [body, replayed]), [
            first.body,
            true,
          ])
      } catch (error) {
        if (!(error instanceof AppError) || error.spec.fault === 'gateway')
          broken.push(`${service.id}/${name}: ${String(error)}`)
      }
    }
    assert.deepEqual(broken, [])
    assert.ok(answers > actions.length / 2, `${answers} of ${actions.length}`)
  })

  it('leave nothing held and the books balanced', async () => {
    const { rows } = await bed.database.query<{ held: bigint }>(
      'select sum(held_micros)::bigint as held from wallets',
    )
    assert.equal(rows[0]?.held, 0n)
    assert.deepEqual((await verifyLedger(bed.database)).findings, [])
  })
})
