import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createRoutesApp } from '../../../../../test/harness/beds/routes-app.ts'
import { createWorld } from '../../../../../test/harness/beds/world.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { newSecret } from '../../../../keys/format.ts'

const world = await createWorld()
const { ask } = await createRoutesApp(world)

type Made = KeyRecord & { key: string }

async function makeKey(primary: string, body: object = {}): Promise<Made> {
  const { status, body: answer } = await ask('POST', '/api/v1/agents', primary, { body })
  assert.equal(status, 201)
  return answer.data as Made
}

const ROUTES = [
  ['GET', '/api/v1/agents'],
  ['GET', '/api/v1/agents/me'],
  ['POST', '/api/v1/agents'],
  ['PATCH', '/api/v1/agents/agk_x'],
  ['POST', '/api/v1/agents/agk_x/rotate'],
  ['DELETE', '/api/v1/agents/agk_x'],
] as const
const WRITES = ROUTES.filter(([method]) => method !== 'GET')

describe('401', () => {
  test('every route rejects requests without a valid key and names the scheme', async () => {
    for (const [method, url] of ROUTES) {
      const missing = await ask(method, url, null)
      assert.deepEqual(
        [missing.status, missing.body.error?.code, missing.headers['www-authenticate']],
        [401, 'invalid_token', 'Bearer'],
        url,
      )
      for (const secret of ['nonsense', newSecret('live')]) {
        const wrong = await ask(method, url, secret)
        assert.deepEqual(
          [wrong.status, wrong.body.error?.code, wrong.headers['www-authenticate']],
          [401, 'invalid_token', 'Bearer error="invalid_token"'],
          url,
        )
      }
    }
  })

  test('accepts the scheme in any case and ignores keys under another scheme', async () => {
    const { live } = await world.account()
    assert.equal(
      (
        await ask('GET', '/api/v1/agents/me', null, {
          headers: { authorization: `bearer ${live.key}` },
        })
      ).status,
      200,
    )
    for (const authorization of [
      live.key,
      `Basic ${live.key}`,
      'Bearer',
      `Bearer ${live.key} ${live.key}`,
    ]) {
      assert.equal(
        (await ask('GET', '/api/v1/agents/me', null, { headers: { authorization } })).status,
        401,
        authorization,
      )
    }
  })
})

describe('403', () => {
  test('an ordinary key cannot change anything', async () => {
    const { live } = await world.account()
    const { key, id } = await makeKey(live.key)
    for (const [method, url] of WRITES) {
      const { status, body } = await ask(method, url.replace('agk_x', id), key)
      assert.deepEqual(
        [status, body.error?.code],
        [403, 'key_cannot_mint_keys'],
        `${method} ${url}`,
      )
    }
  })

  test('an ordinary key gets 403 for any body, including an invalid one', async () => {
    const { live } = await world.account()
    const { key, id } = await makeKey(live.key)
    for (const [method, url] of WRITES.filter(([verb]) => verb !== 'DELETE')) {
      const { status, body } = await ask(method, url.replace('agk_x', id), key, {
        body: { invalidSetting: 1 },
      })
      assert.deepEqual(
        [status, body.error?.code],
        [403, 'key_cannot_mint_keys'],
        `${method} ${url}`,
      )
    }
  })

  test('the primary key cannot be revoked', async () => {
    const { live } = await world.account()
    const { status, body } = await ask('DELETE', `/api/v1/agents/${live.id}`, live.key)
    assert.deepEqual([status, body.error?.code], [403, 'primary_key_needed'])
  })
})

describe('404', () => {
  test("returns the same response for another account's key as for an unknown key", async () => {
    const { live } = await world.account()
    const other = await world.account()
    for (const [method, url] of WRITES.slice(1)) {
      const answers = new Set<string>()
      for (const id of [other.live.id, 'agk_0', `agk_${'0'.repeat(32)}`]) {
        const { status, text } = await ask(method, url.replace('agk_x', id), live.key)
        assert.equal(status, 404)
        answers.add(text.replace(/req_\w+/, 'req'))
      }
      assert.equal(answers.size, 1, [...answers].join('\n'))
    }
  })
})

describe('400', () => {
  const wrongBodies: readonly (readonly [string, object, string])[] = [
    ['an unknown field', { labell: 'x' }, 'labell'],
    ['a ceiling below zero', { ceiling_cents: -1 }, 'ceiling_cents'],
    ['a ceiling with a fraction', { ceiling_cents: 1.5 }, 'ceiling_cents'],
    ['a ceiling as text', { ceiling_cents: '5' }, 'ceiling_cents'],
    ['a ceiling above the exact range', { ceiling_cents: 1e15 }, 'ceiling_cents'],
    ['an unknown period', { ceiling_period: 'year' }, 'ceiling_period'],
    ['an empty label', { label: '' }, 'label'],
    ['a long label', { label: 'x'.repeat(101) }, 'label'],
    ['a label with a NUL', { label: 'a\u0000b' }, 'label'],
    ['a long external id', { external_id: 'x'.repeat(256) }, 'external_id'],
  ]

  test('names an invalid field on create and update, and changes nothing', async () => {
    const { live } = await world.account()
    const { id } = await makeKey(live.key, { label: 'same' })
    for (const [what, body, param] of wrongBodies) {
      for (const [method, url] of [
        ['POST', '/api/v1/agents'],
        ['PATCH', `/api/v1/agents/${id}`],
      ] as const) {
        const answer = await ask(method, url, live.key, { body: { label: 'other', ...body } })
        assert.deepEqual(
          [answer.status, answer.body.error?.code, answer.body.error?.param],
          [400, 'invalid_params', param],
          `${method}: ${what}`,
        )
      }
    }
    const { body } = await ask('GET', '/api/v1/agents', live.key)
    assert.deepEqual(
      (body.data as KeyRecord[]).map(({ label }) => label),
      ['same', 'Primary', 'Primary'],
    )
  })

  test('limits paused to booleans on update, and a grace period to seven days', async () => {
    const { live } = await world.account()
    const { id } = await makeKey(live.key)
    assert.equal(
      (await ask('PATCH', `/api/v1/agents/${id}`, live.key, { body: { paused: null } })).status,
      400,
    )
    assert.equal(
      (await ask('POST', '/api/v1/agents', live.key, { body: { paused: true } })).body.error?.param,
      'paused',
    )
    for (const until of ['2030-01-01T00:00:00Z', false])
      assert.equal(
        (
          await ask('PATCH', `/api/v1/agents/${id}`, live.key, {
            body: { former_key_valid_until: until },
          })
        ).status,
        400,
        String(until),
      )
    assert.equal(
      (
        await ask('PATCH', `/api/v1/agents/${id}`, live.key, {
          body: { former_key_valid_until: null },
        })
      ).status,
      200,
    )
    for (const grace of [-1, 604_801, 1.5, '60'])
      assert.equal(
        (
          await ask('POST', `/api/v1/agents/${id}/rotate`, live.key, {
            body: { grace_seconds: grace },
          })
        ).status,
        400,
        String(grace),
      )
    assert.equal(
      (
        await ask('POST', `/api/v1/agents/${id}/rotate`, live.key, {
          body: { grace_seconds: 604_800 },
        })
      ).status,
      200,
    )
  })

  test('limits a page to 1 to 100 keys and rejects foreign cursors', async () => {
    const { live } = await world.account()
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=x',
      'limit=',
      'limit=1.5',
      'limit=1&limit=2',
      'cursor=x',
      'page=2',
    ]) {
      const { status, body } = await ask('GET', `/api/v1/agents?${query}`, live.key)
      assert.deepEqual([status, body.error?.code], [400, 'invalid_params'], query)
    }
  })
})

describe('success', () => {
  test('create returns 201 with the record and its secret, which works immediately', async () => {
    const { live } = await world.account()
    const answer = await ask('POST', '/api/v1/agents', live.key, {
      body: { label: 'ci', ceiling_cents: 500, ceiling_period: 'daily', external_id: 'x' },
    })
    assert.equal(answer.status, 201)
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.match(String(answer.headers['x-request-id']), /^req_[0-9a-f]{32}$/)
    const made = answer.body.data as Made
    assert.deepEqual(
      [
        answer.body.ok,
        made.label,
        made.ceiling_cents,
        made.ceiling_period,
        made.external_id,
        made.status,
      ],
      [true, 'ci', 500, 'day', 'x', 'active'],
    )
    const own = await ask('GET', '/api/v1/agents/me', made.key)
    assert.equal(own.status, 200)
    const { key: _secret, ...record } = made
    assert.deepEqual(
      { ...(own.body.data as object), last_used_at: null },
      {
        ...record,
        spendable_cents: 200,
        spendable_micros: 2_000_000,
        bound_by: 'balance',
        bound_by_key_id: null,
        ancestors: [],
      },
    )
  })

  test('create works without a body', async () => {
    const { live } = await world.account()
    assert.equal((await ask('POST', '/api/v1/agents', live.key)).status, 201)
    assert.equal((await ask('POST', '/api/v1/agents', live.key, { body: '' })).status, 201)
  })

  test('the list pages through all keys', async () => {
    const { live } = await world.account()
    const made = [await makeKey(live.key), await makeKey(live.key)]
    const first = await ask('GET', '/api/v1/agents?limit=3', live.key)
    assert.equal(first.status, 200)
    const second = await ask(
      'GET',
      `/api/v1/agents?limit=3&cursor=${first.body.next_cursor}`,
      live.key,
    )
    const ids = [first, second].flatMap(({ body }) =>
      (body.data as KeyRecord[]).map(({ id }) => id),
    )
    assert.deepEqual(
      [ids.slice(0, 2), ids.length, second.body.next_cursor],
      [made.map(({ id }) => id).reverse(), 4, null],
    )
  })

  test('update changes the given fields; pause and resume change the status', async () => {
    const { live } = await world.account()
    const { id } = await makeKey(live.key, { label: 'a', ceiling_cents: 5 })
    const paused = await ask('PATCH', `/api/v1/agents/${id}`, live.key, {
      body: { paused: true, label: null },
    })
    const record = paused.body.data as KeyRecord
    assert.deepEqual(
      [paused.status, record.status, record.label, record.ceiling_cents],
      [200, 'paused', null, 5],
    )
    const resumed = await ask('PATCH', `/api/v1/agents/${id}`, live.key, {
      body: { paused: false, ceiling_cents: null },
    })
    assert.deepEqual(
      [(resumed.body.data as KeyRecord).status, (resumed.body.data as KeyRecord).ceiling_cents],
      ['active', null],
    )
  })

  test('rotate returns the new secret once and ends the former one immediately', async () => {
    const { live } = await world.account()
    const made = await makeKey(live.key)
    const { status, body } = await ask('POST', `/api/v1/agents/${made.id}/rotate`, live.key)
    const rotated = body.data as Made
    assert.deepEqual([status, rotated.id, rotated.key === made.key], [200, made.id, false])
    assert.equal((await ask('GET', '/api/v1/agents/me', made.key)).status, 401)
    assert.equal((await ask('GET', '/api/v1/agents/me', rotated.key)).status, 200)
  })

  test('rejects a revoked key from the next request on; revoking again has the same result', async () => {
    const { live } = await world.account()
    const made = await makeKey(live.key)
    assert.equal((await ask('GET', '/api/v1/agents/me', made.key)).status, 200)
    const revoked = await ask('DELETE', `/api/v1/agents/${made.id}`, live.key)
    assert.deepEqual([revoked.status, (revoked.body.data as KeyRecord).status], [200, 'revoked'])
    assert.equal((await ask('GET', '/api/v1/agents/me', made.key)).status, 401)
    // The time of use is recorded asynchronously.
    const again = await ask('DELETE', `/api/v1/agents/${made.id}`, live.key)
    assert.deepEqual(
      { ...(again.body.data as KeyRecord), last_used_at: null },
      { ...(revoked.body.data as KeyRecord), last_used_at: null },
    )
    const patch = await ask('PATCH', `/api/v1/agents/${made.id}`, live.key, {
      body: { paused: false },
    })
    assert.deepEqual([patch.status, patch.body.error?.code], [422, 'key_revoked'])
  })
})

describe('Idempotency-Key', () => {
  const headers = { 'idempotency-key': 'same' }

  test('a repeated create returns the first response byte for byte and creates one key', async () => {
    const { live } = await world.account()
    const first = await ask('POST', '/api/v1/agents', live.key, {
      body: { label: 'once' },
      headers,
    })
    const second = await ask('POST', '/api/v1/agents', live.key, {
      body: { label: 'once' },
      headers,
    })
    assert.deepEqual(
      [
        second.status,
        second.text,
        first.headers['idempotency-replayed'],
        second.headers['idempotency-replayed'],
      ],
      [201, first.text, undefined, 'true'],
    )
    const { body } = await ask('GET', '/api/v1/agents', live.key)
    assert.equal((body.data as KeyRecord[]).length, 3)
  })

  test('a repeated rotation does not end the grace period of the first', async () => {
    const { live } = await world.account()
    const made = await makeKey(live.key)
    const rotate = () =>
      ask('POST', `/api/v1/agents/${made.id}/rotate`, live.key, {
        body: { grace_seconds: 600 },
        headers,
      })
    const first = await rotate()
    assert.equal((await rotate()).text, first.text)
    assert.equal((await ask('GET', '/api/v1/agents/me', made.key)).status, 200)
  })

  test('rejects another body with the same key, and another account', async () => {
    const { live } = await world.account()
    const other = await world.account()
    const first = await ask('POST', '/api/v1/agents', live.key, { body: { label: 'a' }, headers })
    const changed = await ask('POST', '/api/v1/agents', live.key, { body: { label: 'b' }, headers })
    assert.deepEqual([changed.status, changed.body.error?.code], [422, 'idempotency_key_reused'])
    const foreign = await ask('POST', '/api/v1/agents', other.live.key, {
      body: { label: 'a' },
      headers,
    })
    assert.equal(foreign.status, 201)
    assert.notEqual(foreign.text, first.text)
  })

  test('a rejected request does not use up its idempotency key', async () => {
    const { live } = await world.account()
    const { id } = await makeKey(live.key)
    const wrong = await ask('POST', '/api/v1/agents', live.key, {
      body: { ceiling_cents: -1 },
      headers,
    })
    assert.equal(wrong.status, 400)
    assert.equal((await ask('POST', '/api/v1/agents', live.key, { body: {}, headers })).status, 201)
    assert.equal(
      (await ask('POST', `/api/v1/agents/agk_0/rotate`, live.key, { headers })).status,
      404,
    )
    assert.equal(
      (await ask('POST', `/api/v1/agents/${id}/rotate`, live.key, { headers })).status,
      200,
    )
  })

  test('the stored response contains no readable secret', async () => {
    const { live } = await world.account()
    const { body } = await ask('POST', '/api/v1/agents', live.key, {
      body: {},
      headers: { 'idempotency-key': 'sealed' },
    })
    const { rows } = await world.database.query<{ line: string }>(
      `select answers::text as line from answers where idempotency_key = 'sealed'`,
    )
    assert.equal(rows.length, 1)
    assert.ok(!rows[0]?.line.includes((body.data as Made).key))
  })
})
