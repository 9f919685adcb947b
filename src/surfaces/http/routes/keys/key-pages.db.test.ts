import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { mintChild } from '../../../../keys/children/mint-child.ts'
import { revokeKey } from '../../../../keys/revoke-key.ts'
import { updateKey } from '../../../../keys/update-key.ts'
import { secretsIn, type Fields } from '../../../../../test/harness/clients/forms.ts'
import { alertIn, CHANGE, CREATE, openKeyPages } from './testing/key-pages-bed.ts'

const { asHolder, byKey, create, formOf, keyOf, keys, keysOf, make, open, send, world } =
  await openKeyPages()

describe('the list', () => {
  test('shows label, limit, spending, holds, last use and external id of each key', async () => {
    const { caller, live } = await world.account()
    const { key, key_prefix: prefix } = await make(caller, {
      label: 'researcher',
      ceiling_cents: 500,
      ceiling_period: 'day',
      external_id: 'crew-7',
    })
    const calling = await world.callerOf(key)
    await world.call(calling, { hold: '3' })
    await world.call(calling, { hold: '2', open: true })
    const { statusCode, headers, body } = await open('/keys', await byKey(live.key))
    assert.deepEqual([statusCode, headers['cache-control']], [200, 'no-store'])
    for (const words of [
      'researcher',
      `${prefix}…`,
      'Active',
      '$5.00 daily',
      '3¢ + 2¢ pending',
      '2027-03-18 00:00:00',
      '2027-03-17 12:00:00',
      'crew-7',
    ])
      assert.ok(body.includes(words), words)
    assert.ok(!body.includes(key) && !body.includes(live.key), 'the page has no secret')
  })

  test('nests child keys under their parents, with the number of children and a bar per limit', async () => {
    const { caller, live } = await world.account()
    const top = await make(caller, { label: 'orchestrator', may_mint: true, ceiling_cents: 500 })
    const below = async (parent: string, label: string, settings = {}) =>
      mintChild(keys, await world.callerOf(parent), { label, ...settings })
    const first = await below(top.key, 'researcher', { ceiling_cents: 8 })
    await below(top.key, 'summariser')
    const ended = await below(top.key, 'ended')
    await updateKey(keys, caller, first.id, { may_mint: true })
    const deepest = await below(first.key, 'fact-check', { ceiling_cents: 4 })
    await revokeKey(keys, caller, ended.id)
    await make(caller, { label: 'newest' })
    const calling = await world.callerOf(deepest.key)
    await world.call(calling, { hold: '2' })
    await world.call(calling, { hold: '1', open: true })
    const cookie = await byKey(live.key)
    const { body } = await open('/keys', cookie)
    const seen = body
      .split('<div class="key-row ')
      .slice(1)
      .map((row) => [
        /class="given" href="[^"]*">([^<]*)</.exec(row)?.[1],
        /^(level-\d)"/.exec(row)?.[1],
        /<summary class="level-\d">([^<]*)</.exec(row)?.[1],
        /role="meter".*aria-valuenow="([^"]*)"/.exec(row)?.[1],
      ])
    assert.deepEqual(seen.slice(0, 5), [
      ['newest', 'level-0', undefined, undefined],
      ['orchestrator', 'level-0', '2 child keys', '0.6'],
      ['summariser', 'level-1', undefined, undefined],
      ['researcher', 'level-1', '1 child key', '37.5'],
      ['fact-check', 'level-2', undefined, '75'],
    ])
    const found = await open('/keys?q=fact-check', cookie)
    assert.match(found.body, /fact-check/)
    assert.doesNotMatch(found.body, /level-[1-3]|orchestrator/)
    const own = await open('/keys', await byKey(deepest.key))
    assert.ok(own.body.includes('fact-check') && !own.body.includes('orchestrator'))
    assert.match((await open(`/keys/${top.id}`, cookie)).body, /1 child key</)
  })

  test('pages through many keys and shows the error of an invalid cursor', async () => {
    const { caller, live } = await world.account()
    for (let count = 0; count < 50; count += 1) await make(caller, { label: `key ${count}` })
    const cookie = await byKey(live.key)
    const first = await open('/keys', cookie)
    const [, older = ''] = /href="([^"]*)#keys">Older/.exec(first.body) ?? []
    const second = await open(older.replaceAll('&amp;', '&'), cookie)
    const rows = ({ body }: LightMyRequestResponse): number =>
      body.split('href="/keys/agk_').length - 1
    assert.deepEqual(
      [
        rows(first),
        rows(second),
        second.body.includes('>Older<'),
        second.body.includes('>Newest<'),
      ],
      [50, 2, false, true],
    )
    const strange = await open('/keys?cursor=x', cookie)
    assert.deepEqual([strange.statusCode, rows(strange)], [400, 50])
    assert.match(alertIn(strange), /cursor/)
  })

  test('searches label, external id, id and the beginning of the secret on all pages', async () => {
    const { caller, live } = await world.account()
    const { id, key_prefix: prefix } = await make(caller, {
      label: 'Needle 100%',
      external_id: 'crew_7',
    })
    for (let count = 0; count < 55; count += 1) await make(caller, { label: `hay ${count}` })
    const cookie = await byKey(live.key)
    const found = async (query: string): Promise<string[]> =>
      [
        ...(await open(`/keys?q=${encodeURIComponent(query)}`, cookie)).body.matchAll(
          /href="\/keys\/(agk_\w+)"/g,
        ),
      ].flatMap(([, one]) => one ?? [])
    for (const query of ['needle', '0%', 'w_7', id.toUpperCase(), prefix])
      assert.deepEqual(await found(query), [id], query)
    assert.deepEqual(
      [
        (await found('hay')).length,
        await found('straw'),
        await found('%'),
        await found('needle\0straw'),
      ],
      [50, [], [id], []],
    )
    assert.match(
      (await open('/keys?q=hay', cookie)).body,
      /href="\/keys\?q=hay&amp;cursor=[^"]*#keys">Older/,
    )
    assert.match((await open('/keys?q=straw', cookie)).body, /No keys match “<bdi>straw<\/bdi>”/)
  })

  test('shows the access of each key, which the form sets', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    assert.equal(
      (
        await create(cookie, {
          label: 'narrow',
          ceiling: '',
          period: 'day',
          external_id: '',
          scope: 'own',
        })
      ).statusCode,
      201,
    )
    const wide = await make(caller, { label: 'wide', scope: 'account' })
    assert.match((await open('/keys', cookie)).body, /Own data/)
    const { action, hidden } = await formOf(`/keys/${wide.id}`, CHANGE, cookie)
    assert.equal(
      (
        await send(action, cookie, {
          ...hidden,
          label: 'wide',
          ceiling: '',
          period: 'month',
          external_id: '',
          scope: 'own',
        })
      ).statusCode,
      303,
    )
    assert.equal((await keyOf(caller, wide.id)).scope, 'own')
    assert.doesNotMatch((await open(`/keys/${live.id}`, cookie)).body, /<select id="scope"/)
  })

  test('requires sign-in, as do key pages and forms', async () => {
    const { caller } = await world.account()
    const { id } = await make(caller)
    for (const url of ['/keys', `/keys/${id}`]) {
      const { body } = await open(url)
      assert.deepEqual(
        [
          body.includes('action="/sign-in"'),
          body.replaceAll(url, '').replaceAll(encodeURIComponent(url), '').includes('agk_'),
        ],
        [true, false],
        url,
      )
    }
    for (const url of [
      '/keys',
      `/keys/${id}`,
      `/keys/${id}/pause`,
      `/keys/${id}/rotate`,
      `/keys/${id}/end-former`,
      `/keys/${id}/revoke`,
    ]) {
      const { statusCode, headers } = await send(url, '', { paused: 'yes', sure: 'yes' })
      assert.deepEqual([statusCode, headers.location], [303, '/keys'], url)
    }
    assert.equal((await keyOf(caller, id)).status, 'active')
  })

  test('escapes text from callers on every page', async () => {
    const { caller, live } = await world.account()
    const nasty = '"><script>alert(1)</script>'
    const cookie = await byKey(live.key)
    const { id } = await make(caller, { label: nasty, external_id: nasty })
    const created = await create(cookie, {
      label: nasty,
      ceiling: '1',
      period: 'day',
      external_id: nasty,
    })
    const refused = await create(cookie, {
      label: nasty,
      ceiling: nasty,
      period: nasty,
      external_id: nasty,
    })
    assert.deepEqual([created.statusCode, refused.statusCode], [201, 400])
    for (const { body } of [
      await open('/keys', cookie),
      await open(`/keys/${id}`, cookie),
      created,
      refused,
    ]) {
      assert.doesNotMatch(
        body,
        /<script(?! (?:type="module" )?src="\/assets\/)|<style|style=|onclick/i,
      )
      assert.ok(body.includes('&lt;script&gt;alert(1)&lt;/script&gt;'))
    }
  })
})

test('an ordinary key can read but not change keys', async () => {
  const { caller, live } = await world.account()
  const { key, id } = await make(caller, { label: 'ordinary' })
  const [cookie, primary] = [await byKey(key), await byKey(live.key)]
  const wide = await make(caller, { scope: 'account' })
  for (const [url, as] of [
    ['/keys', cookie],
    [`/keys/${id}`, cookie],
    ['/keys', await byKey(wide.key)],
    [`/keys/${live.id}`, await byKey(wide.key)],
  ] as const) {
    const { statusCode, body } = await open(url, as)
    assert.deepEqual(
      [
        statusCode,
        /Only members of the account and its primary key/.test(body),
        /method="post"/.test(
          body.replaceAll(/<form action="\/balance\/sign-out".*?<\/form>/gs, ''),
        ),
      ],
      [200, true, false],
      url,
    )
  }
  assert.deepEqual(
    [
      (await open(`/keys/${live.id}`, cookie)).statusCode,
      (await open('/keys', cookie)).body.includes(live.id),
    ],
    [404, false],
    'a key of scope "own" sees only itself',
  )
  const before = await keysOf(caller)
  const { hidden } = await formOf('/keys/new', CREATE, primary)
  for (const [url, fields] of [
    ['/keys', { ...hidden, period: 'day' }],
    ['/keys', { ceiling: 'much' }],
    [`/keys/${id}`, { ceiling: '', period: 'day' }],
    [`/keys/${id}/pause`, { paused: 'yes' }],
    [`/keys/${id}/rotate`, { ...hidden, grace_seconds: '0' }],
    [`/keys/${id}/end-former`, {}],
    [`/keys/${id}/revoke`, { sure: 'yes' }],
    ['/keys/agk_x/revoke', { sure: 'yes' }],
  ] as const) {
    const refused = await send(url, cookie, fields)
    assert.deepEqual([refused.statusCode, secretsIn(refused)], [403, []], url)
    assert.match(alertIn(refused), /Sign in as an owner/)
  }
  assert.deepEqual(await keysOf(caller), before)
})

const FOREIGN: readonly Fields[] = [
  { 'sec-fetch-site': 'cross-site' },
  { origin: 'http://elsewhere.example' },
]

test('rejects forms from another site', async () => {
  const { caller, live } = await world.account()
  const cookie = await byKey(live.key)
  const { id } = await make(caller)
  const { hidden } = await formOf('/keys/new', CREATE, cookie)
  const before = await keysOf(caller)
  for (const url of [
    '/keys',
    `/keys/${id}`,
    `/keys/${id}/pause`,
    `/keys/${id}/rotate`,
    `/keys/${id}/end-former`,
    `/keys/${id}/revoke`,
  ]) {
    for (const foreign of FOREIGN) {
      const { statusCode } = await send(
        url,
        cookie,
        { ...hidden, period: 'day', paused: 'yes', grace_seconds: '0', sure: 'yes' },
        foreign,
      )
      assert.equal(statusCode, 400, url)
    }
  }
  assert.deepEqual(await keysOf(caller), before)
})

test('redirects a GET of a form address to the key', async () => {
  const { caller } = await world.account()
  const holder = await asHolder(caller)
  for (const form of ['pause', 'rotate', 'end-former', 'revoke']) {
    assert.equal((await open(`/keys/agk_x/${form}`, holder)).headers.location, '/keys/agk_x')
    assert.equal(
      (await open(`/keys/agk_x/${form}?mode=test`, holder)).headers.location,
      '/keys/agk_x?mode=test',
    )
  }
})

describe('live and test', () => {
  /** The account URLs in the links and forms of a page. */
  const addresses = ({ body }: LightMyRequestResponse): string[] =>
    [...body.matchAll(/(?:href|action)="((?:\/keys|\/balance)[^"]*)"/g)].map(([, to = '']) =>
      to.replaceAll('&amp;', '&'),
    )
  const SWITCH = 'aria-label="Live or test"'

  test('lets holders switch between live and test; a key has no switch', async () => {
    const { caller, live, test: testKey } = await world.account()
    const holder = await asHolder(caller)
    for (const url of ['/balance', '/keys']) {
      const [shown, switched] = [await open(url, holder), await open(`${url}?mode=test`, holder)]
      assert.ok(
        shown.body.includes(`<a href="${url}" aria-current="true">Live</a>`) &&
          shown.body.includes(`<a href="${url}?mode=test">Test</a>`),
        url,
      )
      assert.ok(
        switched.body.includes(`<a href="${url}?mode=test" aria-current="true">Test</a>`),
        url,
      )
      for (const key of [live.key, testKey.key])
        assert.ok(!(await open(`${url}?mode=test`, await byKey(key))).body.includes(SWITCH), url)
    }
    assert.match((await open('/balance', holder)).body, /\$2\.00/)
    assert.match((await open('/balance?mode=test', holder)).body, /\$100\.00/)
    assert.doesNotMatch((await open('/balance?mode=test', await byKey(live.key))).body, /\$100\.00/)
  })

  test('shows the email address of a signed-in holder, but not to a key', async () => {
    const { caller, live, account } = await world.account()
    assert.ok(
      (await open('/balance', await asHolder(caller))).body.includes(
        `Signed in as <bdi>${account.email}</bdi>`,
      ),
    )
    for (const page of ['/balance', '/keys'])
      assert.ok(
        (await open(page, await byKey(live.key))).body.includes(
          `Signed in with a key. Members of the account can <a href="/sign-in?next=${page}">`,
        ),
      )
    assert.ok(!(await open('/balance', await byKey(live.key))).body.includes(account.email))
  })

  test('keeps test mode in every link and form', async () => {
    const { caller, testCaller } = await world.account()
    const holder = await asHolder(caller)
    for (let count = 0; count < 51; count += 1)
      await world.call(testCaller, { hold: '0.1', service: 'render', action: 'map' })
    for (let count = 0; count < 50; count += 1) await make(testCaller)
    const { id } = await make(testCaller)
    for (const url of [
      '/balance?mode=test',
      '/balance/transactions?service=render&mode=test',
      '/keys/new?mode=test',
      `/keys/${id}?mode=test`,
    ]) {
      const page = await open(url, holder)
      const others = addresses(page).filter(
        (to) => !to.includes('mode=test') && to !== '/balance/sign-out',
      )
      assert.deepEqual(
        others.filter(
          (to) => !['/balance/transactions', '/keys#keys', url.split('?')[0]].includes(to),
        ),
        [],
        url,
      )
      const filter = /action="\/balance\/transactions" method="get">(.*?)<\/form>/s.exec(
        page.body,
      )?.[1]
      if (url.startsWith('/balance/transactions'))
        assert.ok(filter?.includes('<input type="hidden" name="mode" value="test">'), url)
    }
    const [older = ''] = addresses(
      await open('/balance/transactions?service=render&mode=test', holder),
    ).filter((to) => to.includes('cursor='))
    assert.match(older, /service=render/)
    assert.match((await open(older, holder)).body, /test credit/)
    const download = await open('/balance/transactions.csv?mode=test&service=render', holder)
    assert.equal(download.body.trimEnd().split('\r\n').length, 52)
    assert.equal(
      (await open('/balance/transactions.csv?service=render', holder)).body.trimEnd().split('\r\n')
        .length,
      1,
    )
  })

  test('forms act in the mode of the page and cannot change live keys in test mode', async () => {
    const { caller, testCaller } = await world.account()
    const holder = await asHolder(caller)
    const created = await create(
      holder,
      { label: 'of play', ceiling: '', period: 'day', external_id: '' },
      '/keys/new?mode=test',
    )
    assert.match(secretsIn(created)[0] ?? '', /^tg_test_/)
    assert.match(
      secretsIn(
        await create(holder, { label: 'real', ceiling: '', period: 'day', external_id: '' }),
      )[0] ?? '',
      /^tg_live_/,
    )
    const [live, play] = [await open('/keys', holder), await open('/keys?mode=test', holder)]
    assert.deepEqual(
      [
        live.body.includes('real'),
        live.body.includes('of play'),
        play.body.includes('real'),
        play.body.includes('of play'),
      ],
      [true, false, false, true],
    )
    const { id } = await make(caller)
    assert.equal((await open(`/keys/${id}?mode=test`, holder)).statusCode, 404)
    const played = await make(testCaller)
    const changed = await send(`/keys/${played.id}/pause?mode=test`, holder, { paused: 'yes' })
    assert.equal(changed.headers.location, `/keys/${played.id}?done=paused&mode=test`)
  })
})

describe('the status filter', () => {
  test('shows only keys of the chosen status, also below other keys', async () => {
    const { caller, live } = await world.account()
    const below = await world.callerOf((await make(caller, { label: 'top', may_mint: true })).key)
    const expiresAt = new Date(world.now() + 60_000).toISOString()
    await mintChild(keys, below, { label: 'brief child', expires_at: expiresAt })
    const sleeping = await make(caller, { label: 'sleeping' })
    await updateKey(keys, caller, sleeping.id, { paused: true })
    await revokeKey(keys, caller, (await make(caller, { label: 'gone' })).id)
    world.now.advance(61_000)
    const cookie = await byKey(live.key)
    const labelsIn = ({ body }: LightMyRequestResponse): string[] =>
      ['top', 'brief child', 'sleeping', 'gone'].filter((label) => body.includes(`>${label}</a>`))
    for (const [query, labels] of [
      ['status=active', ['top']],
      ['status=paused', ['sleeping']],
      ['status=revoked', ['gone']],
      ['status=expired', ['brief child']],
      ['status=paused&q=gone', []],
    ] as const)
      assert.deepEqual(labelsIn(await open(`/keys?${query}`, cookie)), labels, query)
    const { body } = await open('/keys?status=paused&q=gone', cookie)
    assert.match(body, /href="\/keys\?q=gone&amp;status=paused#keys" aria-current="true">Paused/)
    assert.match(body, /No paused keys match/)
    const unknown = await open('/keys?status=asleep', cookie)
    assert.equal(unknown.statusCode, 400)
    assert.match(alertIn(unknown), /status[^]*active, paused, revoked, expired/)
  })
})
