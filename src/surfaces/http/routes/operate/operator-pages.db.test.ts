import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { changeEmail } from '../../../../accounts/change-email.ts'
import { addMember, findOrCreatePerson } from '../../../../auth/records/add-member.ts'
import { openPersonSession } from '../../../../auth/records/browser-session.ts'
import { HOUR_MS } from '../../../../lib/clock.ts'
import { publicId } from '../../../../lib/ids.ts'
import { createCountingPass } from '../../../../operate/totals/count-transactions.ts'
import { ownerOf } from '../../../../../test/harness/owner-session.ts'
import { openOperatorConsole } from './testing/operate-bed.ts'

const VENDOR = {
  service: 'rag',
  title: 'rag',
  actions: 4,
  lanes: { vendor: 4, wallet: 0, 'in-house': 0 },
  keys: [
    {
      credential: 'KEY',
      setting: 'UPSTREAM_RAG_KEY',
      ending: 'x3f',
      source: 'environment',
      isAdded: false,
    },
  ],
  missing: [{ credential: 'SECRET', setting: 'UPSTREAM_RAG_SECRET' }],
  canTest: true,
  settings: ['UPSTREAM_RAG_KEY'],
  docsUrl: null,
} as const
const FACTS = {
  disk: { free: 1, total: 100 },
  dataDir: '/var/lib/tollgate',
  backups: 'own',
  mistyped: [{ name: 'PUBLICURL', meant: 'PUBLIC_URL' }],
  checks: null,
  version: '0.1.0',
  browserBehind: 0,
  uptimeMs: 1,
  openBreakers: [],
} as const
const END = {
  vendor: 'Example',
  ends: 'GET /old',
  atMs: Date.UTC(2026, 11, 1),
  daysLeft: 3,
  isOver: false,
  successor: 'GET /new',
  source: 'https://docs.example.com/ends',
  usedBy: ['rag/search'],
  isInUse: true,
} as const
const used: string[] = []
let isDamaged = false
const bed = await openOperatorConsole({
  facts: async () => FACTS,
  settings: () => [{ name: 'PORT', value: '4020', ending: null, source: 'default' }],
  runChecks: async () => ({ results: [], atMs: used.push('checks') }),
  vendors: () => [VENDOR],
  ends: () => [END, { ...END, ends: 'GET /far', daysLeft: 200 }],
  belowCost: () => [
    {
      action: 'rag/search',
      price: '$0.01',
      vendorPrice: '$0.20',
      count: 'max_results 20',
      basis: 'one credit per result',
      source: 'https://docs.example.com/prices',
    },
  ],
  testKey: async (service) => {
    used.push(`test ${service}`)
    return { verdict: { kind: 'accepted' }, tookMs: 5 }
  },
  testAllKeys: async () => ({ tested: used.push('test all'), left: 0 }),
  findStoreProblem: async () =>
    isDamaged ? 'The sealing key in /x is damaged. Restore it.' : null,
  replacements: {
    replace: async (service, credential, key) => {
      used.push(`replace ${service} ${credential} ${key}`)
      return { verdict: { kind: 'accepted' }, tookMs: 5 }
    },
    restore: async (service) => void used.push(`restore ${service}`),
  },
})
const { world, operator, open, send, fillIn } = bed
const { database } = world
const customer = await world.account()
const ID = bed.idOf(customer.caller)
const PAGE = `/operate/accounts/${ID}`
const PAGES = [
  '/operate',
  '/operate?days=1',
  '/operate/accounts',
  PAGE,
  '/operate/money',
  '/operate/money?days=7',
  '/operate/money/csv',
  '/operate/health',
  '/operate/audit',
  '/operate/audit?subject=credit&by=operators',
  '/operate/audit/csv',
  '/operate/vendors',
  '/operate/settings',
]
const FORMS = [
  '/operate/accounts/create',
  ...['grant', 'take', 'link', 'daily-cap', 'pause', 'resume', 'close', 'operator'].map(
    (form) => `${PAGE}/${form}`,
  ),
  '/operate/money/resolve',
  '/operate/health/cancel-job',
  '/operate/health/enable-webhook',
  '/operate/health/redeliver',
  '/operate/vendors/test',
  '/operate/vendors/test-all',
  '/operate/vendors/replace',
  '/operate/vendors/add',
  '/operate/vendors/restore',
  '/operate/vendors/clear-route',
  '/operate/settings/check',
]

const OPERATOR_ID = publicId('member', await ownerOf(database, operator.caller.accountId))
const AUTHOR = `operator ${OPERATOR_ID}`

const balanceOf = async (): Promise<bigint> =>
  (
    await database.query<{ balance: bigint }>(
      'select balance_micros as balance from wallets where id = $1',
      [customer.caller.walletId],
    )
  ).rows[0]?.balance ?? 0n

describe('the operator console', () => {
  it('answers operators, and everyone else as an address without a route', async () => {
    const others = [
      '',
      'tollgate-page=unknown',
      await bed.asHolder(customer.caller),
      await bed.byKey(customer.live.key),
      await bed.byKey(operator.live.key),
    ]
    for (const url of PAGES) {
      const shown = await open(url, operator.cookie)
      assert.equal(shown.statusCode, 200, url)
      for (const cookie of others) {
        const { statusCode, body } = await open(url, cookie)
        assert.deepEqual([statusCode, body.includes('Page not found')], [404, true], url)
      }
    }
    for (const url of FORMS)
      for (const cookie of others) {
        const { statusCode } = await send(url, cookie, { reason: 'x', dollars: '1' })
        assert.equal(statusCode, 404, url)
      }
    assert.equal(await balanceOf(), 2_000_000n)
    assert.deepEqual(used, [])
  })

  it('ends with the right of the operator, at the next request', async () => {
    const second = await world.account()
    const cookie = await bed.asHolder(second.caller)
    const page = `/operate/accounts/${bed.idOf(second.caller)}`
    const confirmed = { confirm: second.account.email, reason: 'On call this week' }
    assert.equal((await open('/operate', cookie)).statusCode, 404)
    await fillIn(page, 'operator', operator.cookie, confirmed)
    assert.equal((await open('/operate', cookie)).statusCode, 200)
    await fillIn(page, 'operator', operator.cookie, confirmed)
    assert.equal((await open('/operate', cookie)).statusCode, 404)
  })

  it('rejects forms of other sites', async () => {
    const { statusCode } = await bed.app.inject({
      method: 'POST',
      url: `${PAGE}/pause`,
      headers: {
        cookie: operator.cookie,
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'cross-site',
      },
      payload: 'reason=x',
    })
    assert.equal(statusCode, 400)
  })

  it('shows names of accounts as text', async () => {
    const odd = await world.account()
    await database.query('update accounts set email = $2 where id = $1', [
      odd.caller.accountId,
      '"<script>alert(1)</script>"@example.com',
    ])
    for (const url of [
      '/operate/accounts',
      `/operate/accounts/${bed.idOf(odd.caller)}`,
      '/operate/audit',
    ]) {
      const { body } = await open(url, operator.cookie)
      assert.ok(!body.includes('<script>alert'), url)
    }
    await changeEmail(database, bed.idOf(odd.caller), 'odd@example.com')
  })

  it('finds accounts by a part of the address, by id and by key', async () => {
    const { rows } = await database.query<{ id: string }>(
      'select id from keys where account_id = $1 limit 1',
      [customer.caller.accountId],
    )
    for (const q of [customer.account.email.slice(0, 4), ID, `agk_${rows[0]?.id}`]) {
      const { body } = await open(`/operate/accounts?q=${encodeURIComponent(q)}`, operator.cookie)
      assert.ok(body.includes(PAGE), q)
    }
    const { body } = await open('/operate/accounts?q=nobody', operator.cookie)
    assert.ok(body.includes('No account matches'))
    assert.equal((await open('/operate/accounts/acc_1', operator.cookie)).statusCode, 404)
  })
})

describe('an action of an operator', () => {
  it('grants credit once, however often the form is sent, and names its author', async () => {
    const page = await open(PAGE, operator.cookie)
    const once = /name="once" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
    const fields = {
      once,
      dollars: '25.00',
      expires: '90d',
      reason: 'Bridge until the transfer arrives',
    }
    for (let time = 0; time < 2; time += 1) {
      const { statusCode, headers } = await send(`${PAGE}/grant`, operator.cookie, fields)
      assert.deepEqual([statusCode, headers.location], [303, `${PAGE}?done=granted`])
    }
    assert.equal(await balanceOf(), 27_000_000n)
    const [change] = await bed.changes({ accountId: customer.caller.accountId })
    assert.deepEqual(
      [change?.subject, change?.author, change?.origin, change?.reason],
      ['credit', AUTHOR, 'operator console', fields.reason],
    )
  })

  it('writes every action to the audit log with its reason', async () => {
    const confirm = customer.account.email
    const actions = [
      ['take', { dollars: '5' }, 'credit'],
      ['daily-cap', { dollars: '50' }, 'daily_cap'],
      ['link', {}, 'sign_in_link'],
      ['pause', {}, 'account'],
      ['resume', {}, 'account'],
      ['operator', { confirm }, 'account'],
      ['operator', { confirm }, 'account'],
    ] as const
    for (const [form, fields, subject] of actions) {
      const reason = `because of ${form}`
      const { statusCode, body } = await fillIn(PAGE, form, operator.cookie, { ...fields, reason })
      assert.ok(statusCode === 303 || form === 'link', `${form}: ${statusCode} ${body}`)
      const [change] = await bed.changes({ accountId: customer.caller.accountId })
      assert.deepEqual(
        [change?.subject, change?.author, change?.reason],
        [subject, AUTHOR, reason],
        form,
      )
    }
  })

  it('names the person, also when an account has several owners', async () => {
    const { accountId } = operator.caller
    const personId = await database.transaction(async (tx) => {
      const id = await findOrCreatePerson(tx, 'second@example.com', world.now())
      await addMember(tx, { accountId, personId: id, role: 'owner', nowMs: world.now() })
      return id
    })
    const { session } = await openPersonSession(world, personId)
    const cookie = `tollgate-page=${session}`
    await fillIn(PAGE, 'daily-cap', cookie, { dollars: '60', reason: 'second owner' })
    const [change] = await bed.changes({ accountId: customer.caller.accountId })
    assert.equal(change?.author, `operator ${publicId('member', personId)}`)
    for (const url of ['/operate/audit?by=operators', PAGE]) {
      const { body } = await open(url, cookie)
      assert.ok(body.includes('operator second@example.com'), url)
    }
  })

  it('requires a reason, and marks the field', async () => {
    const { statusCode, body } = await fillIn(PAGE, 'pause', operator.cookie, { reason: ' ' })
    assert.equal(statusCode, 400)
    assert.match(body, /id="pause-reason"[^>]*aria-invalid="true"/)
    const cap = await fillIn(PAGE, 'daily-cap', operator.cookie, { dollars: '-1', reason: 'x' })
    assert.match(cap.body, /id="daily-cap-dollars"[^>]*aria-invalid="true"/)
  })

  it('needs a recent sign-in to give money, access or secrets', async () => {
    world.now.advance(2 * HOUR_MS)
    const page = await open(PAGE, operator.cookie)
    assert.ok(page.body.includes('/sign-in?again=1&amp;next=%2Foperate%2Faccounts%2F'))
    assert.ok(!page.body.includes(`${PAGE}/grant`))
    for (const form of ['grant', 'take', 'link', 'close', 'operator']) {
      const { statusCode } = await send(`${PAGE}/${form}`, operator.cookie, {
        once: 'x'.repeat(43),
        dollars: '1',
        confirm: customer.account.email,
        reason: 'x',
      })
      assert.equal(statusCode, 401, form)
    }
    assert.equal(await balanceOf(), 22_000_000n)
  })

  it('pauses an account in both directions, and never the own or the owner account', async () => {
    const target = await world.account()
    const page = `/operate/accounts/${bed.idOf(target.caller)}`
    const cookie = await bed.asHolder(operator.caller)
    await fillIn(page, 'pause', cookie, { reason: 'leaked' })
    await assert.rejects(world.callerOf(target.live.key))
    await fillIn(page, 'resume', cookie, { reason: 'new key' })
    assert.equal((await world.callerOf(target.live.key)).accountId, target.caller.accountId)
    const own = await send(`/operate/accounts/${bed.idOf(operator.caller)}/pause`, cookie, {
      reason: 'x',
    })
    assert.equal(own.statusCode, 400)
  })

  it('closes an account only after its address was typed', async () => {
    const target = await world.account()
    const page = `/operate/accounts/${bed.idOf(target.caller)}`
    const cookie = await bed.asHolder(operator.caller)
    const wrong = await fillIn(page, 'close', cookie, { confirm: 'other@example.com', reason: 'x' })
    assert.equal(wrong.statusCode, 400)
    const { headers } = await fillIn(page, 'close', cookie, {
      confirm: target.account.email,
      reason: 'asked for it',
    })
    assert.equal(headers.location, `${page}?done=closed`)
    await assert.rejects(world.callerOf(target.live.key))
  })
})

describe('the figures of the operator console', () => {
  it('shows revenue, failures and open items', async () => {
    const cookie = await bed.asHolder(operator.caller)
    for (let call = 0; call < 3; call += 1) await world.call(customer.caller, { hold: '50' })
    await world.call(customer.caller, { service: 'rag', errorCode: 'upstream_not_configured' })
    await world.call(customer.caller, { service: 'cited', errorCode: 'upstream_payment' })
    await createCountingPass({ database, onError: assert.ifError })()
    const { body } = await open('/operate', cookie)
    assert.ok(body.includes('$1.50'))
    assert.match(body, /Key of rag refused since/)
    assert.match(body, /cited: no credit left at the vendor/)
    assert.match(body, /<dt>Vendor cost<\/dt><dd class="value">unknown/)
    const csv = await open('/operate/money/csv', cookie)
    assert.match(csv.body, /,semantic,3,0,1500000,\r\n/)
  })
})

describe('the vendors of the operator console', () => {
  const replace = { service: 'rag', credential: 'KEY', key: 'new-key', reason: 'revoked' }

  it('tests and replaces a key, and never shows it', async () => {
    const cookie = await bed.asHolder(operator.caller)
    used.length = 0
    const tested = await send('/operate/vendors/test', cookie, { service: 'rag' })
    assert.equal(tested.headers.location, '/operate/vendors?done=tested#rag')
    const replaced = await send('/operate/vendors/replace', cookie, replace)
    assert.equal(replaced.headers.location, '/operate/vendors?done=replaced#rag')
    const rejected = await send('/operate/vendors/replace', cookie, { ...replace, reason: '' })
    assert.equal(rejected.statusCode, 400)
    assert.ok(!rejected.body.includes('new-key'))
    const place = { ...replace, place: 'rag SECRET' }
    const added = await fillIn('/operate/vendors', 'add', cookie, place)
    assert.equal(added.headers.location, '/operate/vendors?done=added#rag')
    const multiline = await send('/operate/vendors/add', cookie, { ...place, key: 'new-key\nmore' })
    assert.deepEqual([multiline.statusCode, multiline.body.includes('new-key')], [400, false])
    await send('/operate/settings/check', cookie, {})
    const [tests, stored] = [
      ['test rag'],
      ['replace rag KEY new-key', 'replace rag SECRET new-key'],
    ]
    assert.deepEqual(used, [...tests, ...stored, 'checks'])
  })

  it('replaces a key only after a recent sign-in', async () => {
    const cookie = await bed.asHolder(operator.caller)
    world.now.advance(2 * HOUR_MS)
    used.length = 0
    for (const form of ['replace', 'add', 'restore'])
      assert.equal((await send(`/operate/vendors/${form}`, cookie, replace)).statusCode, 401)
    assert.deepEqual(used, [])
    const { body } = await open('/operate/vendors', cookie)
    assert.ok(body.includes('…x3f') && !body.includes('Test and save'))
  })

  it('flags unknown settings, a full disk and a missing backup', async () => {
    const { body } = await open('/operate', await bed.asHolder(operator.caller))
    for (const text of ['PUBLICURL is not a setting', '1% free', 'No backup yet'])
      assert.ok(body.includes(text), text)
  })
})

describe('the page of vendors', () => {
  it('tests all keys, and shows a damaged sealing key before a key is replaced', async () => {
    const tested = await fillIn('/operate/vendors', 'test-all', operator.cookie, {})
    assert.equal(tested.headers.location, '/operate/vendors?done=tested-all')
    assert.ok(used.includes('test all'))
    const shown = async (): Promise<string> =>
      (await open('/operate/vendors', operator.cookie)).body
    assert.doesNotMatch(await shown(), /cannot be opened/)
    isDamaged = true
    assert.match(
      await shown(),
      /Replaced keys cannot be opened\.<\/b> The sealing key in \/x is damaged/,
    )
    isDamaged = false
  })
})

describe('a route that its vendor no longer offers', () => {
  it('is an open item of the overview until an operator removes it', async () => {
    const cookie = await bed.asHolder(operator.caller)
    await database.query(
      `insert into gone_routes (service, action, endpoint, lane, vendor, status, message, first_ms, last_ms)
       values ('render', 'extract', '', 'vendor', 'render', 410, '<b>Gone</b>', 1, 2)`,
    )
    assert.match((await open('/operate', cookie)).body, /render: 1 route gone/)
    assert.match(
      (await open('/operate/vendors', cookie)).body,
      /410 <bdi class="given">&lt;b&gt;Gone/,
    )
    const cleared = await fillIn('/operate/vendors', 'clear-route', cookie, {})
    assert.equal(cleared.headers.location, '/operate/vendors?done=route-cleared#gone')
    const [change] = await bed.changes()
    assert.deepEqual([change?.subject, change?.author], ['gone_route', AUTHOR])
    assert.doesNotMatch((await open('/operate', cookie)).body, /route gone/)
    const again = await send('/operate/vendors/clear-route', cookie, {
      route: 'render/extract  vendor render',
    })
    assert.deepEqual([again.statusCode, again.body.includes('no longer on the list')], [400, true])
  })
})

test('an announced end is an open item when it is near, and on the page of vendors always', async () => {
  const cookie = await bed.asHolder(operator.caller)
  const { body } = await open('/operate', cookie)
  assert.match(body, /Example: 1 announced end<.*GET \/old ends in 3 days\./s)
  assert.ok(!body.includes('GET /far'))
  const vendors = await open('/operate/vendors', cookie)
  for (const text of [
    'GET /far',
    '$0.20',
    'max_results 20',
    'GET /new',
    'https://docs.example.com/ends',
  ])
    assert.ok(vendors.body.includes(text), text)
})
