import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { formIn, secretsIn, type Fields } from '../../../../../test/harness/clients/forms.ts'
import { mintChild } from '../../../../keys/children/mint-child.ts'
import { rotateKey } from '../../../../keys/rotate-key.ts'
import { updateKey } from '../../../../keys/update-key.ts'
import { alertIn, CHANGE, END_FORMER, openKeyPages, ROTATE } from './testing/key-pages-bed.ts'

const { authenticator, byKey, change, formOf, keyOf, keys, make, open, send, world } =
  await openKeyPages()

describe('one key', () => {
  test('is changed by its form, which keeps rejected values', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const { id } = await make(caller, {
      label: 'before',
      ceiling_cents: 500,
      ceiling_period: 'day',
      external_id: 'crew-7',
    })
    const shown = await open(`/keys/${id}`, cookie)
    for (const field of [
      'value="before"',
      'value="5.00"',
      '<option value="day" selected>',
      'value="crew-7"',
    ])
      assert.ok(shown.body.includes(field), field)
    const changed = await change(id, cookie, {
      label: 'after',
      ceiling: '12.5',
      period: 'month',
      external_id: '',
    })
    assert.deepEqual(
      [changed.statusCode, changed.headers.location],
      [303, `/keys/${id}?done=saved`],
    )
    const {
      label,
      ceiling_cents: ceiling,
      ceiling_period: period,
      external_id: externalId,
    } = await keyOf(caller, id)
    assert.deepEqual([label, ceiling, period, externalId], ['after', 1250, 'month', null])
    assert.ok((await open(String(changed.headers.location), cookie)).body.includes('Saved.'))
    const refused = await change(id, cookie, {
      label: 'third',
      ceiling: 'much',
      period: 'day',
      external_id: '',
    })
    assert.deepEqual(
      [
        refused.statusCode,
        refused.body.includes('value="third"'),
        refused.body.includes('value="much"'),
      ],
      [400, true, true],
    )
    assert.equal((await keyOf(caller, id)).label, 'after')
  })

  test('is not overwritten after a concurrent change, unless the form is sent again', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const { id } = await make(caller, {
      label: ' before ',
      ceiling_cents: 500,
      ceiling_period: 'day',
      external_id: 'crew-7',
    })
    const { action, hidden } = await formOf(`/keys/${id}`, CHANGE, cookie)
    await updateKey(keys, caller, id, { ceiling_cents: 100 })
    const typed = { label: 'after', ceiling: '5.00', period: 'day', external_id: 'crew-7' }
    const misread = await send(action, cookie, { ...hidden, ...typed, ceiling: 'much' })
    assert.deepEqual(
      [misread.statusCode, formIn(misread, CHANGE).hidden],
      [400, hidden],
      'a rejected form keeps its original tag',
    )
    const refused = await send(action, cookie, { ...hidden, ...typed })
    assert.equal(refused.statusCode, 422)
    assert.match(alertIn(refused), /changed after you opened this form/)
    for (const words of [
      'name="ceiling" value="1.00"',
      'name="label" value=" before "',
      'Not saved: <bdi class="given">label “after”, limit “5.00”</bdi>',
    ])
      assert.ok(refused.body.includes(words), words)
    const { label, ceiling_cents: ceiling } = await keyOf(caller, id)
    assert.deepEqual([label, ceiling], [' before ', 100])
    assert.equal(
      (await send(action, cookie, { ...typed })).statusCode,
      422,
      'rejects a form without a tag',
    )
    assert.equal(
      (await send(action, cookie, { ...formIn(refused, CHANGE).hidden, ...typed })).statusCode,
      303,
    )
    assert.equal((await keyOf(caller, id)).ceiling_cents, 500)
  })

  test('is changed once by a double click, and by one of several concurrent forms', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const { id } = await make(caller)
    const { action, hidden } = await formOf(`/keys/${id}`, CHANGE, cookie)
    const sent = (label: string): Promise<LightMyRequestResponse> =>
      send(action, cookie, { ...hidden, label, ceiling: '5', period: 'day', external_id: '' })
    for (const { statusCode } of await Promise.all([sent('one'), sent('one')]))
      assert.equal(statusCode, 303)
    const again = await formOf(`/keys/${id}`, CHANGE, cookie)
    const others = await Promise.all(
      ['two', 'three', 'four'].map((label) =>
        send(again.action, cookie, {
          ...again.hidden,
          label,
          ceiling: '5',
          period: 'day',
          external_id: '',
        }),
      ),
    )
    assert.deepEqual(
      others.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other),
      [303, 422, 422],
    )
  })

  test('shows its latest events, and no event of another key', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const { id, key } = await make(caller, { ceiling_cents: 10, ceiling_period: 'total' })
    const other = await make(caller, {})
    const eventsIn = async (of: string): Promise<string> =>
      (await open(`/keys/${of}`, cookie)).body.split('id="events"')[1] ?? ''
    assert.ok((await eventsIn(id)).includes('No events of this key yet.'))
    await world.call(await world.callerOf(key), { hold: '8' })
    const shown = await eventsIn(id)
    for (const part of ['$0.08 spent: 80% of $0.10', '$0.08 spent: 50% of $0.10', '"/webhooks"'])
      assert.ok(shown.includes(part), part)
    assert.ok((await eventsIn(other.id)).includes('No events of this key yet.'))
  })

  test('is paused and resumed', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const { id } = await make(caller)
    for (const [paused, status, offered, done] of [
      ['yes', 'paused', 'value="no"', 'paused'],
      ['no', 'active', 'value="yes"', 'resumed'],
    ] as const) {
      const { statusCode, headers } = await send(`/keys/${id}/pause`, cookie, { paused })
      assert.deepEqual(
        [statusCode, headers.location, (await keyOf(caller, id)).status],
        [303, `/keys/${id}?done=${done}`, status],
      )
      const shown = await open(String(headers.location), cookie)
      assert.match(shown.body, new RegExp(`role="status">Key ${done}\\.`))
      assert.ok((await open(`/keys/${id}`, cookie)).body.includes(`name="paused" ${offered}`))
    }
  })

  test('is rotated once for a resubmitted form, with the chosen grace period', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const { id, key: former } = await make(caller)
    const { action, hidden } = await formOf(`/keys/${id}`, ROTATE, cookie)
    const fields = { ...hidden, grace_seconds: '3600' }
    const [first, reload] = [await send(action, cookie, fields), await send(action, cookie, fields)]
    assert.deepEqual(
      [first.statusCode, first.headers['cache-control'], reload.statusCode, secretsIn(reload)],
      [200, 'no-store', 200, secretsIn(first)],
    )
    assert.ok(first.body.includes('2027-03-17 13:00:00'))
    for (const secret of [former, ...secretsIn(first)])
      assert.equal((await authenticator.authenticate(secret)).accountId, caller.accountId)
    const immediate = await send(action, cookie, {
      ...(await formOf(`/keys/${id}`, ROTATE, cookie)).hidden,
      grace_seconds: '0',
    })
    assert.equal(immediate.statusCode, 200)
    await assert.rejects(authenticator.authenticate(former), /revoked/)
    assert.equal(
      (
        await send(action, cookie, {
          ...(await formOf(`/keys/${id}`, ROTATE, cookie)).hidden,
          grace_seconds: 'long',
        })
      ).statusCode,
      400,
    )
  })

  test('shows the expiry of its former secret and can end it immediately', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const { id, key: former } = await make(caller)
    const shown = async (): Promise<boolean[]> => [
      (await open(`/keys/${id}`, cookie)).body.includes('valid until'),
      (await open('/keys', cookie)).body.includes('former secret until'),
      (await formOf(`/keys/${id}`, END_FORMER, cookie)).action !== '',
    ]
    assert.deepEqual(await shown(), [false, false, false])
    const { key } = await rotateKey(keys, caller, id, { graceSeconds: 3600 })
    assert.deepEqual(
      [await shown(), (await keyOf(caller, id)).former_key_valid_until],
      [[true, true, true], '2027-03-17T13:00:00.000Z'],
    )
    assert.equal((await authenticator.authenticate(former)).accountId, caller.accountId)
    const { action } = await formOf(`/keys/${id}`, END_FORMER, cookie)
    for (const ended of [await send(action, cookie, {}), await send(action, cookie, {})])
      assert.equal(ended.headers.location, `/keys/${id}?done=former-ended`)
    await assert.rejects(authenticator.authenticate(former), /revoked/)
    assert.equal((await authenticator.authenticate(key)).accountId, caller.accountId)
    assert.deepEqual(
      [await shown(), (await keyOf(caller, id)).former_key_valid_until],
      [[false, false, false], null],
    )
  })

  test('keeps the rotating browser signed in, but not others, when it rotates its own key', async () => {
    const { live } = await world.account()
    const [cookie, elsewhere] = [await byKey(live.key), await byKey(live.key)]
    const { action, hidden } = await formOf(`/keys/${live.id}`, ROTATE, cookie)
    const fields = { ...hidden, grace_seconds: '0' }
    const [first, second] = [await send(action, cookie, fields), await send(action, cookie, fields)]
    assert.deepEqual([second.statusCode, secretsIn(second)], [200, secretsIn(first)])
    assert.equal((await world.callerOf(secretsIn(first)[0] ?? '')).primary, true)
    assert.deepEqual(
      [
        (await open('/keys', cookie)).body.includes('agk_'),
        (await open('/keys', elsewhere)).body.includes('agk_'),
      ],
      [true, false],
    )
  })

  test('is rotated once by a double click, even if it is the key of the session', async () => {
    const { live } = await world.account()
    const cookie = await byKey(live.key)
    const { action, hidden } = await formOf(`/keys/${live.id}`, ROTATE, cookie)
    const fields: Fields = { ...hidden, grace_seconds: '0' }
    const clicks = await Promise.all(Array.from({ length: 4 }, () => send(action, cookie, fields)))
    const secrets = [...new Set(clicks.flatMap(secretsIn))]
    assert.deepEqual(
      [clicks.map(({ statusCode }) => statusCode), secrets.length],
      [[200, 200, 200, 200], 1],
    )
    assert.equal((await world.callerOf(secrets[0] ?? '')).primary, true)
  })

  test('is revoked immediately after confirmation and then has no forms', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const { id, key } = await make(caller)
    await authenticator.authenticate(key)
    const unsure = await send(`/keys/${id}/revoke`, cookie, {})
    assert.deepEqual([unsure.statusCode, (await keyOf(caller, id)).status], [400, 'active'])
    const { statusCode, headers } = await send(`/keys/${id}/revoke`, cookie, { sure: 'yes' })
    assert.deepEqual(
      [statusCode, headers.location, (await keyOf(caller, id)).status],
      [303, `/keys/${id}?done=revoked`, 'revoked'],
    )
    await assert.rejects(authenticator.authenticate(key), /revoked/)
    assert.doesNotMatch((await open(`/keys/${id}`, cookie)).body, /action="\/keys\//)
    assert.equal((await send(`/keys/${id}`, cookie, { label: 'a', period: 'day' })).statusCode, 422)
  })

  test('cannot be revoked if it is the primary key', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    assert.doesNotMatch((await open(`/keys/${live.id}`, cookie)).body, /\/revoke/)
    const refused = await send(`/keys/${live.id}/revoke`, cookie, { sure: 'yes' })
    assert.deepEqual([refused.statusCode, (await keyOf(caller, live.id)).status], [403, 'active'])
    assert.doesNotMatch(alertIn(refused), /api/)
  })

  test('of another account is unknown', async () => {
    const [{ live }, other] = [await world.account(), await world.account()]
    const cookie = await byKey(live.key)
    const { id, key } = await make(other.caller, { label: 'theirs' })
    for (const unknown of [id, 'agk_x', `agk_${'0'.repeat(32)}`]) {
      const answers = [
        await open(`/keys/${unknown}`, cookie),
        ...(await Promise.all(
          ['', '/pause', '/end-former', '/revoke'].map((wish) =>
            send(`/keys/${unknown}${wish}`, cookie, { period: 'day', paused: 'yes', sure: 'yes' }),
          ),
        )),
        await send(`/keys/${unknown}/rotate`, cookie, {
          ...(await formOf(`/keys/${live.id}`, ROTATE, cookie)).hidden,
          grace_seconds: '0',
        }),
      ]
      for (const { statusCode, body } of answers)
        assert.deepEqual(
          [statusCode, body.includes('Unknown key.'), body.includes('theirs')],
          [404, true, false],
          unknown,
        )
    }
    assert.equal((await world.callerOf(key)).accountId, other.caller.accountId)
    assert.equal((await keyOf(other.caller, id)).status, 'active')
  })
})

describe('the tree of a key', () => {
  test('is set by the form and shown on the pages of the key and its child keys', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const { id, key: secret } = await make(caller, { label: 'orchestrator' })
    const form = { label: 'orchestrator', ceiling: '', period: 'day', external_id: '' }
    const changed = await change(id, cookie, {
      ...form,
      may_mint: 'yes',
      allow: 'core/*\nsemantic/search',
      max_call: '0.20',
    })
    assert.equal(changed.statusCode, 303, changed.body)
    const { may_mint: mayMint, allow, max_call_cents: maxCall } = await keyOf(caller, id)
    assert.deepEqual([mayMint, allow, maxCall], [true, ['core/*', 'semantic/search'], 20])
    const child = await mintChild(keys, await world.callerOf(secret), {
      label: 'summariser',
      ceiling_cents: 50,
    })
    const page = await open(`/keys/${id}`, cookie)
    for (const text of ['Child keys', 'summariser', '<code>core/*</code>', '$0.50'])
      assert.ok(page.body.includes(text), text)
    assert.ok((await open(`/keys/${child.id}`, cookie)).body.includes(`href="/keys/${id}"`))
  })
})
