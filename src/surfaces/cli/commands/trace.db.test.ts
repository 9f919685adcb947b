import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createWorld } from '../../../../test/harness/beds/world.ts'
import { AppError } from '../../../errors/app-error.ts'
import { createKey } from '../../../keys/create-key.ts'
import { newId, publicId } from '../../../lib/ids.ts'
import { loadConfig } from '../../../app/settings/config.ts'
import { UsageError, type Tools } from '../command.ts'
import { trace } from './trace.ts'

const world = await createWorld()
const { database, now } = world
const tools: Tools = { now, config: () => loadConfig({}), database: async () => database }
const traced = async (operand: string) => trace.run({ flags: {}, operand }, tools)
const { caller, account } = await world.account()

describe('./tollgate trace', () => {
  test('shows account, key, charge and billing rule of a call by its request ID', async () => {
    const created = await createKey(world.keys, caller, { label: 'ci', external_id: 'user 7' })
    const hops = [
      {
        provider: 'semantic',
        action: 'contents',
        ok: false,
        charged_cents: 0,
        charged_micros: 0,
        latency_ms: 40,
      },
      {
        provider: 'render2',
        action: 'scrape',
        ok: true,
        charged_cents: 1,
        charged_micros: 10_000,
        latency_ms: 900,
      },
      {
        provider: 'render',
        action: 'scrape',
        ok: false,
        charged_cents: 0,
        charged_micros: 0,
        latency_ms: null,
        skipped: 'not_configured',
      },
    ]
    const id = await world.call(await world.callerOf(created.key), {
      hold: '2',
      service: 'core',
      action: 'onescrape',
      hops: JSON.stringify(hops),
    })
    const { text, data } = await traced(publicId('request', id))
    for (const part of [
      account.email,
      created.id,
      '"ci"',
      '"user 7"',
      'core/onescrape',
      'settled',
      '$0.02',
    ])
      assert.ok(text.includes(part), part)
    assert.match(
      text,
      /semantic\/contents +no result +\$0\.00 +40 ms\nrender2\/scrape +delivered +\$0\.01 +900 ms\nrender\/scrape +not_configured +\$0\.00\n/,
    )
    assert.match(text, /Price: 2¢ per page\. The price is charged only for a useful result\./)
    assert.match(text, /answer +not stored/)
    // --json prints the data unchanged.
    assert.equal(
      (JSON.parse(JSON.stringify(data)) as { transaction: { id: string } }).transaction.id,
      publicId('transaction', id),
    )
    for (const kind of ['transaction', 'job'] as const)
      assert.equal((await traced(publicId(kind, id))).text, text)
  })

  test('shows failed calls, running calls and calls of test keys', async () => {
    const failed = await world.call(caller, { errorCode: 'upstream_timeout' })
    assert.match(
      (await traced(publicId('request', failed))).text,
      /status +released: upstream_timeout\nheld +\$0\.01\ncharged +\$0\.00/,
    )
    const running = await world.call(caller, { open: true })
    assert.match(
      (await traced(publicId('request', running))).text,
      /status +held\nheld +\$0\.01\ncharged +\$0\.00/,
    )
    const { testCaller } = await world.account()
    assert.match(
      (await traced(publicId('request', await world.call(testCaller)))).text,
      /a2@example\.com\), test/,
    )
  })

  test('shows that an answer is stored for replay, without its content', async () => {
    const id = await world.call(caller)
    await database.query(
      "insert into answers (account_id, route, idempotency_key, call_id, fingerprint, status, body, expires_ms) values ($1, '/api/run/semantic/search', 'k', $2, '\\x00', 200, 'private words', $3)",
      [caller.accountId, id, now() + 60_000],
    )
    const { text, data } = await traced(publicId('request', id))
    assert.match(text, /answer +stored until 2027-03-17T12:01:00(\.000)?Z: status 200, 13 bytes/)
    assert.ok(!JSON.stringify(data).includes('private words'))
  })

  test('explains which calls leave no transaction, and rejects malformed IDs', async () => {
    await assert.rejects(
      traced(publicId('request', newId(now()))),
      (error) =>
        error instanceof AppError &&
        error.code === 'not_found' &&
        error.fix.startsWith('Free calls and calls rejected before their hold'),
    )
    await assert.rejects(traced('req_x'), UsageError)
  })
})
