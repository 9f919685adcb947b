import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as yieldOnce } from 'node:timers/promises'
import { createWorld } from '../../test/harness/beds/world.ts'
import { closeAccount } from '../accounts/close-account.ts'
import type { Transaction } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { ErrorCode } from '../errors/catalog.ts'
import { publicId } from '../lib/ids.ts'
import { createKey, MOST_KEYS } from './create-key.ts'
import type { Actor } from './caller.ts'
import { describeKey } from './describe-key.ts'
import { hashSecret } from './format.ts'
import { KEY_SETTINGS, type KeySetting } from './key-input.ts'
import type { KeyRecord } from './key-record.ts'
import { listKeys } from './list-keys.ts'
import { operatorOf } from './operator.ts'
import { readKey } from './read-key.ts'
import { revokeKey } from './revoke-key.ts'
import { rotateKey } from './rotate-key.ts'
import { settingsTag } from './settings-tag.ts'
import { updateKey } from './update-key.ts'

const world = await createWorld()

const refusedWith = (code: ErrorCode) => (error: unknown) =>
  error instanceof AppError && error.code === code

describe('every setting', () => {
  const wished: Readonly<Pick<KeyRecord, KeySetting>> = {
    label: 'ci',
    external_id: 'team-7',
    ceiling_cents: 500,
    ceiling_period: 'day',
    scope: 'own',
    allow: ['core/*', 'llm/core/cheap'],
    deny: ['*/sandbox-*'],
    max_call_cents: 20,
    expires_at: '2031-01-31T00:00:00.000Z',
    rate_limit_per_minute: 60,
    allowed_ips: ['192.0.2.0/24', '2001:db8::1'],
    may_mint: true,
    breaker: 'stop',
  }
  const others: Readonly<Pick<KeyRecord, KeySetting>> = {
    label: 'nightly',
    external_id: 'team-8',
    ceiling_cents: 700,
    ceiling_period: 'total',
    scope: 'account',
    allow: [],
    deny: null,
    max_call_cents: 0,
    expires_at: '2032-01-31T12:30:00.000Z',
    rate_limit_per_minute: null,
    allowed_ips: ['198.51.100.7'],
    may_mint: false,
    breaker: 'off',
  }

  for (const name of KEY_SETTINGS) {
    test(`${name} is stored by create and patch, and an outdated form does not overwrite it`, async () => {
      const { caller } = await world.account()
      const made = await createKey(world.keys, caller, { [name]: wished[name] })
      assert.deepEqual(made[name], wished[name])
      const changed = await updateKey(world.keys, caller, made.id, { [name]: others[name] })
      assert.deepEqual(changed[name], others[name])
      await assert.rejects(
        updateKey(world.keys, caller, made.id, wished, settingsTag(made)),
        refusedWith('key_changed'),
      )
      assert.deepEqual((await readKey(world.keys, caller, made.id))[name], others[name])
    })
  }
})

describe('create', () => {
  test('a new key has a complete record and a working secret', async () => {
    const { caller } = await world.account()
    const { key, ...record } = await createKey(world.keys, caller, {
      label: 'ci',
      external_id: 'team-7',
      ceiling_cents: 500,
      ceiling_period: 'weekly',
    })
    assert.deepEqual(record, {
      id: record.id,
      label: 'ci',
      external_id: 'team-7',
      mode: 'live',
      status: 'active',
      primary: false,
      scope: 'own',
      key_prefix: key.slice(0, 12),
      former_key_valid_until: null,
      ceiling_cents: 500,
      ceiling_period: 'week',
      allow: null,
      deny: null,
      max_call_cents: null,
      expires_at: null,
      rate_limit_per_minute: null,
      allowed_ips: null,
      breaker: 'warn',
      may_mint: false,
      parent_id: null,
      client_id: null,
      member_id: null,
      depth: 0,
      spent_cents: 0,
      spent_micros: 0,
      held_cents: 0,
      held_micros: 0,
      remaining_cents: 500,
      remaining_micros: 5_000_000,
      window_started_at: '2027-03-15T00:00:00.000Z',
      window_resets_at: '2027-03-22T00:00:00.000Z',
      last_used_at: null,
      created_at: '2027-03-17T12:00:00.000Z',
    })
    const made = await world.callerOf(key)
    assert.deepEqual(made, {
      keyId: record.id.slice(4),
      accountId: caller.accountId,
      mode: 'live',
      walletId: caller.walletId,
      budgetId: record.id.slice(4),
      externalId: 'team-7',
      primary: false,
      scope: 'own',
      label: 'ci',
      ancestorIds: [],
      policies: [],
      breaker: 'warn',
      limit: 5_000_000n,
      expiry: null,
      audience: null,
    })
  })

  test('a key without settings has no limit and a monthly window', async () => {
    const { caller } = await world.account()
    const record = await createKey(world.keys, caller, {})
    assert.equal(record.label, null)
    assert.equal(record.ceiling_cents, null)
    assert.equal(record.remaining_cents, null)
    assert.equal(record.ceiling_period, 'month')
    assert.equal(record.window_resets_at, '2027-04-01T00:00:00.000Z')
  })

  test('the secret is nowhere in the database', async () => {
    const { caller } = await world.account()
    const { key } = await createKey(world.keys, caller, { label: 'secret' })
    const { rows } = await world.database.query<{ line: string }>(
      'select keys::text as line from keys union all select budgets::text from budgets',
    )
    assert.ok(rows.length > 0)
    assert.ok(rows.every(({ line }) => !line.includes(key.slice(12))))
  })

  test('a live key creates test keys too, with the test balance; a test key creates no live key', async () => {
    const { caller, testCaller } = await world.account()
    const made = await createKey(world.keys, caller, { mode: 'test' })
    assert.match(made.key, /^tg_test_/)
    assert.equal((await world.callerOf(made.key)).walletId, testCaller.walletId)
    assert.match((await createKey(world.keys, testCaller, {})).key, /^tg_test_/)
    await assert.rejects(
      createKey(world.keys, testCaller, { mode: 'live' }),
      refusedWith('key_cannot_mint_keys'),
    )
  })
})

describe('permission to change keys', () => {
  test('a key that is not primary changes nothing and does not learn which ids exist', async () => {
    const { caller } = await world.account()
    const made = await createKey(world.keys, caller, {})
    const ordinary = await world.callerOf(made.key)
    for (const id of [made.id, publicId('key', caller.keyId), 'agk_nonsense']) {
      await assert.rejects(
        updateKey(world.keys, ordinary, id, { label: 'x' }),
        refusedWith('key_cannot_mint_keys'),
      )
      await assert.rejects(
        rotateKey(world.keys, ordinary, id, { graceSeconds: 0 }),
        refusedWith('key_cannot_mint_keys'),
      )
      await assert.rejects(revokeKey(world.keys, ordinary, id), refusedWith('key_cannot_mint_keys'))
    }
    await assert.rejects(createKey(world.keys, ordinary, {}), refusedWith('key_cannot_mint_keys'))
  })

  test('a foreign key, a missing key and a malformed id get the same error', async () => {
    const { caller } = await world.account()
    const other = await world.account()
    const messages = new Set<string>()
    for (const id of [
      other.live.id,
      other.test.id,
      publicId('key', 'f'.repeat(32)),
      'agk_1',
      'tx_0',
      '',
      other.live.id.toUpperCase(),
    ]) {
      for (const attempt of [
        () => updateKey(world.keys, caller, id, { paused: true }),
        () => rotateKey(world.keys, caller, id, { graceSeconds: 0 }),
        () => revokeKey(world.keys, caller, id),
      ]) {
        await assert.rejects(
          attempt,
          (error) =>
            error instanceof AppError &&
            error.code === 'unknown_key' &&
            Boolean(messages.add(`${error.message} ${error.fix} ${JSON.stringify(error.details)}`)),
        )
      }
    }
    assert.equal(messages.size, 1)
    assert.equal((await describeKey(world.keys, other.caller)).status, 'active')
  })

  test('a test key neither sees nor changes live keys', async () => {
    const { live, testCaller } = await world.account()
    await assert.rejects(revokeKey(world.keys, testCaller, live.id), refusedWith('unknown_key'))
    const { keys } = await listKeys(world.keys, testCaller, { limit: 100, cursor: null })
    assert.deepEqual(
      keys.map(({ mode }) => mode),
      ['test'],
    )
  })
})

describe('update', () => {
  test('absent fields stay, null removes, values replace', async () => {
    const { caller } = await world.account()
    const { id } = await createKey(world.keys, caller, {
      label: 'a',
      external_id: 'x',
      ceiling_cents: 100,
      ceiling_period: 'day',
      scope: 'own',
    })
    const same = await updateKey(world.keys, caller, id, {})
    assert.deepEqual(
      [same.label, same.external_id, same.ceiling_cents, same.ceiling_period],
      ['a', 'x', 100, 'day'],
    )
    const changed = await updateKey(world.keys, caller, id, { label: 'b', ceiling_cents: 0 })
    assert.deepEqual(
      [changed.label, changed.external_id, changed.ceiling_cents, changed.ceiling_period],
      ['b', 'x', 0, 'day'],
    )
    const removed = await updateKey(world.keys, caller, id, {
      label: null,
      external_id: null,
      ceiling_cents: null,
      ceiling_period: null,
    })
    assert.deepEqual(
      [
        removed.label,
        removed.external_id,
        removed.ceiling_cents,
        removed.ceiling_period,
        removed.remaining_cents,
      ],
      [null, null, null, 'month', null],
    )
  })

  test('a paused key cannot pay, still authenticates, and works again when resumed', async () => {
    const { caller } = await world.account()
    const { id, key } = await createKey(world.keys, caller, {})
    const agent = await world.callerOf(key)
    assert.equal((await updateKey(world.keys, caller, id, { paused: true })).status, 'paused')
    await assert.rejects(world.call(agent), refusedWith('api_key_paused'))
    assert.equal((await world.callerOf(key)).keyId, agent.keyId)
    assert.equal((await describeKey(world.keys, agent)).spendable_cents, 0)
    assert.equal((await updateKey(world.keys, caller, id, { paused: false })).status, 'active')
    await world.call(agent)
  })

  test('a paused primary key can resume itself', async () => {
    const { caller, live } = await world.account()
    await updateKey(world.keys, caller, live.id, { paused: true })
    assert.equal(
      (await updateKey(world.keys, await world.callerOf(live.key), live.id, { paused: false }))
        .status,
      'active',
    )
  })

  test('a new period includes the spending so far', async () => {
    const { caller } = await world.account()
    const { id, key } = await createKey(world.keys, caller, {
      ceiling_cents: 10,
      ceiling_period: 'day',
      scope: 'own',
    })
    await world.call(await world.callerOf(key), { hold: '4' })
    const monthly = await updateKey(world.keys, caller, id, { ceiling_period: 'month' })
    assert.deepEqual([monthly.spent_cents, monthly.remaining_cents], [4, 6])
  })
})

describe('rotate', () => {
  test('the new secret works immediately, the former one stops, and the rest of the key stays', async () => {
    const { caller } = await world.account()
    const made = await createKey(world.keys, caller, { label: 'r', ceiling_cents: 50 })
    await world.call(await world.callerOf(made.key), { hold: '3' })
    const rotated = await rotateKey(world.keys, caller, made.id, { graceSeconds: 0 })
    assert.notEqual(rotated.key, made.key)
    assert.deepEqual(
      [
        rotated.id,
        rotated.label,
        rotated.spent_cents,
        rotated.key_prefix,
        rotated.former_key_valid_until,
      ],
      [made.id, 'r', 3, rotated.key.slice(0, 12), null],
    )
    assert.equal((await world.callerOf(rotated.key)).keyId, made.id.slice(4))
    await assert.rejects(world.callerOf(made.key), RangeError)
  })

  test('with a grace period the former secret works until that exact millisecond', async () => {
    const { caller } = await world.account()
    const made = await createKey(world.keys, caller, {})
    const startMs = world.now()
    const rotated = await rotateKey(world.keys, caller, made.id, { graceSeconds: 60 })
    assert.equal(rotated.former_key_valid_until, new Date(startMs + 60_000).toISOString())
    world.now.set(startMs + 59_999)
    assert.equal((await world.callerOf(made.key)).keyId, made.id.slice(4))
    world.now.set(startMs + 60_000)
    await assert.rejects(world.callerOf(made.key), RangeError)
    assert.equal((await world.callerOf(rotated.key)).keyId, made.id.slice(4))
    world.now.set(startMs)
  })

  test('another rotation ends the earlier grace period', async () => {
    const { caller } = await world.account()
    const made = await createKey(world.keys, caller, {})
    const second = await rotateKey(world.keys, caller, made.id, { graceSeconds: 600 })
    await rotateKey(world.keys, caller, made.id, { graceSeconds: 600 })
    await assert.rejects(world.callerOf(made.key), RangeError)
    assert.equal((await world.callerOf(second.key)).keyId, made.id.slice(4))
  })

  test('a grace period is on the record and can be ended early, in every process', async () => {
    const { caller } = await world.account()
    const made = await createKey(world.keys, caller, {})
    const forgotten: string[] = []
    const keys = {
      ...world.keys,
      forget: (hashes: readonly string[]) => void forgotten.push(...hashes),
    }
    const until = new Date(world.now() + 60_000).toISOString()
    assert.deepEqual(
      [
        made.former_key_valid_until,
        (await rotateKey(keys, caller, made.id, { graceSeconds: 60 })).former_key_valid_until,
      ],
      [null, until],
    )
    assert.equal(
      (await updateKey(keys, caller, made.id, { label: 'kept' })).former_key_valid_until,
      until,
    )
    forgotten.length = 0
    assert.equal(
      (await updateKey(keys, caller, made.id, { former_key_valid_until: null }))
        .former_key_valid_until,
      null,
    )
    assert.ok(forgotten.includes(hashSecret(made.key)))
    await assert.rejects(world.callerOf(made.key), /nobody/)
    await rotateKey(keys, caller, made.id, { graceSeconds: 60 })
    world.now.advance(60_000)
    assert.equal((await readKey(world.keys, caller, made.id)).former_key_valid_until, null)
  })

  test('the primary key can rotate itself', async () => {
    const { caller, live } = await world.account()
    const rotated = await rotateKey(world.keys, caller, live.id, { graceSeconds: 0 })
    assert.equal(rotated.primary, true)
    assert.equal((await world.callerOf(rotated.key)).primary, true)
  })
})

describe('revoke', () => {
  test('a revoked key is unknown, even in its grace period, and the ledger rejects its calls', async () => {
    const { caller } = await world.account()
    const made = await createKey(world.keys, caller, {})
    const agent = await world.callerOf(made.key)
    const rotated = await rotateKey(world.keys, caller, made.id, { graceSeconds: 600 })
    const revoked = await revokeKey(world.keys, caller, made.id)
    assert.deepEqual([revoked.status, revoked.former_key_valid_until], ['revoked', null])
    for (const secret of [made.key, rotated.key])
      await assert.rejects(world.callerOf(secret), RangeError)
    await assert.rejects(world.call(agent), refusedWith('invalid_token'))
  })

  test('revoking twice has no effect, and a revoked key cannot be changed', async () => {
    const { caller } = await world.account()
    const { id } = await createKey(world.keys, caller, {})
    const first = await revokeKey(world.keys, caller, id)
    assert.deepEqual(await revokeKey(world.keys, caller, id), first)
    await assert.rejects(
      updateKey(world.keys, caller, id, { paused: false }),
      refusedWith('key_revoked'),
    )
    await assert.rejects(
      rotateKey(world.keys, caller, id, { graceSeconds: 0 }),
      refusedWith('key_revoked'),
    )
  })

  test('the primary key cannot be revoked, and the error names the alternative', async () => {
    const { caller, live } = await world.account()
    await assert.rejects(
      revokeKey(world.keys, caller, live.id),
      (error) =>
        error instanceof AppError &&
        error.code === 'primary_key_needed' &&
        error.fix.includes(`${live.id}/rotate`),
    )
    assert.equal((await describeKey(world.keys, caller)).status, 'active')
  })
})

describe('the number of keys', () => {
  /** Fills the account with unusable keys. */
  async function accountWith(count: number) {
    const made = await world.account()
    const fill = `with made as (insert into budgets (id, period) select gen_random_uuid(), 'month' from generate_series(1, $1) returning id)
      insert into keys (id, account_id, mode, is_primary, key_prefix, secret_hash, created_at) select id, $2, 'test', false, 'tg_test_fill', sha256(id::text::bytea), now() from made`
    const present = await world.database.query('select from keys where account_id = $1', [
      made.caller.accountId,
    ])
    // The audit log records each key, which takes seconds on a busy machine.
    const patient = world.database.withDeadline(60_000)
    await patient.query(fill, [count - present.count, made.caller.accountId])
    return made
  }
  const make = (caller: Actor): Promise<string> =>
    createKey(world.keys, caller, {}).then(
      () => 'made',
      (error: AppError) => error.code,
    )

  test('concurrent creations by several keys create exactly as many as the limit allows', async () => {
    const { caller, test: testKey } = await accountWith(MOST_KEYS - 3)
    const testCaller = await world.callerOf(testKey.key)
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        make(
          index % 3 === 0 ? testCaller : index % 3 === 1 ? caller : operatorOf(caller.accountId),
        ),
      ),
    )
    assert.deepEqual(results.toSorted(), [
      ...Array<string>(9).fill('key_quota_exceeded'),
      'made',
      'made',
      'made',
    ])
  })

  test('a revoked key no longer counts, a paused one does', async () => {
    const { caller } = await accountWith(MOST_KEYS - 1)
    const { id } = await createKey(world.keys, caller, {})
    await updateKey(world.keys, caller, id, { paused: true })
    assert.equal(await make(caller), 'key_quota_exceeded')
    await revokeKey(world.keys, caller, id)
    assert.equal(await make(caller), 'made')
  })

  test("one account's keys do not count for another", async () => {
    await accountWith(MOST_KEYS)
    assert.equal(await make((await world.account()).caller), 'made')
  })
})

describe('races with the end of a key', () => {
  test('a key revoked after its lookup creates no key', async () => {
    const { account, caller } = await world.account()
    await closeAccount(world.database, account.id)
    await assert.rejects(createKey(world.keys, caller, {}), refusedWith('invalid_token'))
    const { count } = await world.database.query(
      "select from keys join budgets on budgets.id = keys.id where account_id = $1 and state <> 'closed'",
      [caller.accountId],
    )
    assert.equal(count, 0)
  })

  test('the operator cannot create a key for a closed account', async () => {
    const { account, caller } = await world.account()
    await closeAccount(world.database, account.id)
    await assert.rejects(
      createKey(world.keys, operatorOf(caller.accountId), {}),
      refusedWith('bad_request'),
    )
  })

  test('closing an account waits for a key in creation and revokes it too', async () => {
    const { account, caller } = await world.account()
    const closing = Promise.withResolvers<unknown>()
    const making = {
      ...world.keys,
      database: {
        ...world.database,
        transaction: <Result>(work: (tx: Transaction) => Promise<Result>) =>
          world.database.transaction(async (tx) => {
            const made = await work(tx)
            const closed = closeAccount(world.database, account.id).then(
              ({ endedKeys }) => endedKeys,
            )
            closing.resolve(closed)
            await somebodyWaits(closed)
            return made
          }),
      },
    }
    const { key } = await createKey(making, caller, {})
    assert.equal(await closing.promise, 3)
    await assert.rejects(world.callerOf(key))
  })

  test('resuming a key that is being revoked does not restore it', async () => {
    const { caller } = await world.account()
    const { id } = await createKey(world.keys, caller, {})
    const resuming = Promise.withResolvers<unknown>()
    await world.database.transaction(async (tx) => {
      await tx.query('select from keys where id = $1 for update', [id.slice(4)])
      const resumed = updateKey(world.keys, caller, id, { paused: false }).then(
        () => 'resumed',
        (error: AppError) => error.code,
      )
      resuming.resolve(resumed)
      await somebodyWaits(resumed)
      await tx.query("update budgets set state = 'closed' where id = $1", [id.slice(4)])
    })
    assert.equal(await resuming.promise, 'key_revoked')
  })
})

/** Resolves when `work` waits for a lock, or has finished without one. */
async function somebodyWaits(work: Promise<unknown>): Promise<void> {
  const over = new AbortController()
  void work.finally(() => over.abort())
  while (
    !over.signal.aborted &&
    (
      await world.database.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
    ).count === 0
  )
    await yieldOnce()
}
