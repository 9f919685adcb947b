import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { formIn, secretsIn, type Fields } from '../../../../../test/harness/clients/forms.ts'
import { mintChild } from '../../../../keys/children/mint-child.ts'
import { pauseLoopingKey } from '../../../../keys/pause-looping-key.ts'
import { rotateKey } from '../../../../keys/rotate-key.ts'
import { updateKey } from '../../../../keys/update-key.ts'
import { newId, publicId } from '../../../../lib/ids.ts'
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

  test('that may call nothing still may call nothing after another setting was saved', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const { id } = await make(caller, { label: 'before', allow: [], allowed_ips: [] })
    assert.equal((await change(id, cookie, { label: 'after' })).statusCode, 303)
    const { label, allow, allowed_ips: ips } = await keyOf(caller, id)
    assert.deepEqual([label, allow, ips], ['after', [], []])
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
      /name="ceiling"[^>]* value="1.00"/,
      /name="label"[^>]* value=" before "/,
      /Not saved: <bdi class="given">label “after”, limit “5.00”<\/bdi>/,
    ])
      assert.match(refused.body, words)
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
    for (const part of ['8¢ spent: 80% of 10¢', '8¢ spent: 50% of 10¢', '"/webhooks"'])
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

describe('the policy of a key', () => {
  test('marks the field of a rejected setting with advice', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const { id } = await make(caller, { label: 'capped' })
    const form = { label: 'capped', ceiling: '', period: 'day', external_id: '', breaker: 'warn' }
    for (const [wrong, field, reason] of [
      [{ allow: 'core/*\nnothing/like-this' }, 'allow', /matches no action/],
      [{ deny: 'not a pattern' }, 'deny', /deny/],
      [{ max_call: 'cheap' }, 'max_call', /limit per call is not an amount/],
      [{ expires_at: 'tomorrow' }, 'expires_at', /not an RFC 3339 time/],
      [{ rate_limit: 'many' }, 'rate_limit', /not a whole number/],
      [{ allowed_ips: '300.1.1.1' }, 'allowed_ips', /not an IP address/],
      [{ breaker: 'explode' }, 'breaker', /breaker/],
    ] as const) {
      const refused = await change(id, cookie, { ...form, ...wrong })
      assert.equal(refused.statusCode, 400, field)
      assert.match(alertIn(refused), reason)
      assert.match(
        refused.body,
        new RegExp(`id="${field}"[^>]* aria-describedby="${field}-error[^"]*" aria-invalid="true"`),
      )
    }
  })

  test('shows which actions the key and the keys above it allow', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const top = await make(caller, { may_mint: true, allow: ['core/one*'], deny: ['*/onefind*'] })
    const { id } = await mintChild(keys, await world.callerOf(top.key), {
      allow: ['core/onesearch', 'semantic/*'],
    })
    const reachIn = async (of: string): Promise<readonly [string, readonly string[]]> => {
      const { body } = await open(`/keys/${of}`, cookie)
      const shown = body.split('data-reach')[1]?.split('</details>')[0] ?? ''
      return [
        /<summary>([^<]*)</.exec(shown)?.[1] ?? '',
        [...shown.matchAll(/<code>([^<]*)</g)].map(([, name = '']) => name),
      ]
    }
    const [words, names] = await reachIn(id)
    assert.match(words, /^Can call 3 of \d+ actions$/)
    assert.deepEqual(names, ['core/cancel', 'core/onesearch', 'core/result'])
    assert.match((await reachIn(live.id))[0], /^Can call all \d+ actions$/)
    assert.ok((await reachIn(top.id))[1].every((name) => !name.includes('onefind')))
  })

  test('sets the percentages of its notifications', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const { id } = await make(caller, { ceiling_cents: 100 })
    const save = async (percents: string) => {
      const { action, hidden } = await formOf(`/keys/${id}`, /\/alerts/, cookie)
      return send(action, cookie, { ...hidden, percents })
    }
    assert.equal((await save('95, 60 %')).headers.location, `/keys/${id}?done=alerts`)
    assert.match((await open(`/keys/${id}`, cookie)).body, /name="percents"[^>]* value="60, 95"/)
    for (const wrong of ['most', '0', '101', '50, 50']) {
      const refused = await save(wrong)
      assert.equal(refused.statusCode, 400, wrong)
      assert.match(refused.body, /id="percents"[^>]* aria-invalid="true"/, wrong)
    }
    assert.equal((await save('')).statusCode, 303)
    assert.match((await open(`/keys/${id}`, cookie)).body, /name="percents"[^>]* value=""/)
  })
})

describe('a key that the loop breaker paused', () => {
  test('shows the reason on both pages and is resumed there', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const { id, key } = await make(caller, { label: 'nightly-eval' })
    const calm = await make(caller, { label: 'calm' })
    await updateKey(keys, caller, calm.id, { paused: true })
    const calling = await world.callerOf(key)
    await pauseLoopingKey(keys, calling, {
      rule: 'repeated_call',
      action: 'semantic/search',
      requestId: newId(world.now()),
      seen: 5,
      sinceMs: world.now(),
      spent: 100_000n,
    })
    for (const page of ['/keys', `/keys/${id}`]) {
      const { body } = await open(page, cookie)
      assert.match(body, /Paused: loop/, page)
      assert.match(body, /the same call returned the same answer/, page)
      assert.match(body, /5 calls, 10¢ spent/, page)
      assert.equal(body.split('Paused: loop').length, 2, 'the other paused key is no loop')
    }
    const resumed = await send(`/keys/${id}/pause`, cookie, { paused: 'no' })
    assert.equal(resumed.headers.location, `/keys/${id}?done=resumed`)
    await updateKey(keys, caller, id, { paused: true })
    assert.doesNotMatch((await open('/keys', cookie)).body, /Paused: loop/)
  })
})

describe('the tree of a key', () => {
  test('grows by the form of a child key, which shows its secret once', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const { id } = await make(caller, { label: 'orchestrator', may_mint: true })
    const path = `/keys/${id}/children/new`
    assert.match((await open(`/keys/${id}`, cookie)).body, new RegExp(`href="${path}"`))
    const { action, hidden } = await formOf(path, /\/children/, cookie)
    const fields = { ...hidden, label: 'summariser', ceiling: '0.50', period: 'total' }
    const refused = await send(action, cookie, { ...fields, allow: 'nothing/like-this' })
    assert.deepEqual([refused.statusCode, secretsIn(refused)], [400, []])
    assert.match(refused.body, /id="allow"[^>]* aria-invalid="true"/)
    const made = await send(action, cookie, fields)
    assert.deepEqual([made.statusCode, secretsIn(made).length], [201, 1], made.body)
    const child = await world.callerOf(secretsIn(made)[0] ?? '')
    const page = await open(`/keys/${id}`, cookie)
    assert.ok(page.body.includes('summariser') && !secretsIn(page).length)
    assert.deepEqual(secretsIn(await send(action, cookie, fields)), secretsIn(made), 'made once')
    const own = await open(
      `/keys/${publicId('key', child.keyId)}`,
      await byKey(secretsIn(made)[0] ?? ''),
    )
    assert.ok(!own.body.includes('orchestrator'), 'a child learns no name above it')

    const plain = await make(caller)
    assert.doesNotMatch((await open(`/keys/${plain.id}`, cookie)).body, /children\/new/)
    const other = await world.account()
    const foreign = await send(`/keys/${id}/children`, await byKey(other.live.key), fields)
    assert.equal(foreign.statusCode, 404)
  })

  test('pages through all child keys', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const top = await make(caller, { may_mint: true })
    const parent = await world.callerOf(top.key)
    for (let count = 0; count < 60; count += 1)
      await mintChild(keys, parent, { label: `c${count}` })
    const labels = (body: string) =>
      [...body.matchAll(/class="given" href="[^"]*">(c\d+)</g)].map(([, label]) => label)
    const first = await open(`/keys/${top.id}`, cookie)
    const [, older = ''] = /href="([^"]*)#children"[^>]*>Older/.exec(first.body) ?? []
    const second = await open(older.replaceAll('&amp;', '&'), cookie)
    assert.equal(new Set([...labels(first.body), ...labels(second.body)]).size, 60)
    const listed = await open('/keys', cookie)
    assert.match(listed.body, />All 60 child keys</)
  })

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
    for (const text of ['Child keys', 'summariser', '>core/*\nsemantic/search<', '50¢'])
      assert.ok(page.body.includes(text), text)
    assert.ok((await open(`/keys/${child.id}`, cookie)).body.includes(`href="/keys/${id}"`))
  })
})
