import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formIn, secretsIn, type Fields } from '../../../../../test/harness/clients/forms.ts'
import { publicId } from '../../../../lib/ids.ts'
import { alertIn, CREATE, openKeyPages } from './testing/key-pages-bed.ts'

const { byKey, create, formOf, keysOf, send, world } = await openKeyPages()

describe('a new key', () => {
  test('has the submitted settings, and the page shows its secret with an example call', async () => {
    const { caller, live } = await world.account()
    const created = await create(await byKey(live.key), {
      label: ' researcher ',
      ceiling: '5.00',
      period: 'week',
      external_id: '',
    })
    assert.deepEqual([created.statusCode, created.headers['cache-control']], [201, 'no-store'])
    const [secret = ''] = secretsIn(created)
    const { keyId } = await world.callerOf(secret)
    const [key] = await keysOf(caller)
    assert.deepEqual(
      [key?.id, key?.label, key?.ceiling_cents, key?.ceiling_period, key?.external_id, key?.mode],
      [publicId('key', keyId), 'researcher', 500, 'week', null, 'live'],
    )
    assert.ok(
      created.body
        .replaceAll(/<[^>]*>/g, '')
        .includes(
          `export TOLLGATE_KEY=${secret}\ncurl -s http://127.0.0.1:4020/api/run/core/onescrape`,
        ),
    )
  })

  test('accepts a limit with or without thousands separators', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    for (const ceiling of ['1,234.50', '$1,000,000', '1234567'])
      assert.equal(
        (await create(cookie, { label: '', ceiling, period: 'week', external_id: '' })).statusCode,
        201,
        ceiling,
      )
    const cents = (await keysOf(caller)).map((key) => key.ceiling_cents)
    assert.deepEqual(
      cents.filter((ceiling) => ceiling !== null),
      [123_456_700, 100_000_000, 123_450],
    )
    for (const ceiling of ['1,5', '1,00', '12,34', ',100', '1,000,000,000'])
      assert.equal(
        (await create(cookie, { label: '', ceiling, period: 'week', external_id: '' })).statusCode,
        400,
        ceiling,
      )
  })

  test('is created once for a resubmitted form, whose result only the same browser sees', async () => {
    const { caller, live } = await world.account()
    const [cookie, elsewhere] = [await byKey(live.key), await byKey(live.key)]
    const { action, hidden } = await formOf('/keys/new', CREATE, cookie)
    const fields: Fields = {
      ...hidden,
      label: 'once',
      ceiling: '',
      period: 'month',
      external_id: '',
    }
    const first = await send(action, cookie, fields)
    const reload = await send(action, cookie, fields)
    assert.deepEqual([reload.statusCode, secretsIn(reload)], [201, secretsIn(first)])
    const other = await send(action, elsewhere, fields)
    assert.deepEqual([other.statusCode, secretsIn(other)], [422, []])
    const changed = await send(action, cookie, { ...fields, label: 'twice' })
    assert.deepEqual([changed.statusCode, changed.body.includes('value="twice"')], [422, true])
    assert.equal((await keysOf(caller)).length, 3)
    const again = formIn(changed, CREATE)
    assert.notEqual(again.hidden['once'], fields['once'], 'the page shows a form with a new token')
    assert.equal(
      (await send(again.action, cookie, { ...fields, ...again.hidden, label: 'twice' })).statusCode,
      201,
    )
  })

  test('is created once by a double click, whose second request waits for the first', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const { action, hidden } = await formOf('/keys/new', CREATE, cookie)
    const fields: Fields = {
      ...hidden,
      label: 'once',
      ceiling: '',
      period: 'month',
      external_id: '',
    }
    const clicks = await Promise.all(Array.from({ length: 4 }, () => send(action, cookie, fields)))
    assert.deepEqual(
      clicks.map(({ statusCode }) => statusCode),
      [201, 201, 201, 201],
    )
    assert.deepEqual(
      [new Set(clicks.flatMap(secretsIn)).size, (await keysOf(caller)).length],
      [1, 3],
    )
  })

  test('is not created without the token of a form', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    for (const once of ['', 'x'])
      assert.equal(
        (await send('/keys', cookie, { label: 'a', period: 'day', once })).statusCode,
        400,
      )
    assert.equal((await keysOf(caller)).length, 2)
  })

  test('keeps the submitted values of a rejected form and shows the reason', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const typed = { label: 'researcher', ceiling: '5', period: 'week', external_id: 'crew-7' }
    for (const [wrong, reason] of [
      [{ ceiling: '1,5' }, /amount in dollars/],
      [{ ceiling: '-1' }, /amount in dollars/],
      [{ ceiling: '0.001' }, /amount in dollars/],
      [{ ceiling: '1000000000' }, /amount in dollars/],
      [{ period: 'year' }, /ceiling_period/],
      [{ label: 'l'.repeat(101) }, /label/],
    ] as const) {
      const sent: Fields = { ...typed, ...wrong }
      const refused = await create(cookie, sent)
      assert.equal(refused.statusCode, 400)
      assert.match(alertIn(refused), reason)
      for (const name of ['label', 'ceiling', 'external_id'])
        assert.match(refused.body, new RegExp(`name="${name}"[^>]* value="${sent[name]}"`))
      const [field = ''] = Object.keys(wrong)
      assert.match(
        refused.body,
        new RegExp(
          `id="${field}"[^>]* aria-describedby="${field}-error[^"]*" aria-invalid="true" autofocus`,
        ),
        `marks the field ${field}`,
      )
    }
    assert.equal((await keysOf(caller)).length, 2)
  })

  test('can have names of the maximum length in any script', async () => {
    const { caller, live } = await world.account()
    const created = await create(await byKey(live.key), {
      label: '🦊'.repeat(100),
      ceiling: '$ 0',
      period: 'day',
      external_id: '🦊'.repeat(255),
    })
    const [key] = await keysOf(caller)
    assert.deepEqual(
      [created.statusCode, key?.label?.length, key?.external_id?.length, key?.ceiling_cents],
      [201, 200, 510, 0],
    )
  })
})
