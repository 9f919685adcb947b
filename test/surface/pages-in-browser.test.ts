/** The pages as people see them: in a real browser, wide and on a phone, light and dark, by keyboard. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Database } from '../../src/db/database.ts'
import { signInByLink, createLink } from '../../src/auth/sign-in-link.ts'
import { systemClock } from '../../src/lib/clock.ts'
import {
  dataFolder,
  startGateway,
  type GatewayProcess,
} from '../harness/clients/gateway-process.ts'
import { cloneDatabase, databaseUrl } from '../harness/postgres.ts'
import { startVendor } from '../harness/vendors/vendor.ts'
import { openBrowser, type Look, type Visitor } from '../harness/clients/visitor.ts'

const FOUND = { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] }
const PATHS = [
  '/',
  '/guide',
  '/docs',
  '/docs/keys',
  '/docs/reference/actions/core',
  '/docs/search?q=idempotency',
  '/docs/search?q=zzyzx',
  '/docs/nowhere',
  '/status',
  '/catalog',
  '/catalog?q=read+a+page',
  '/catalog?q=zzyzx',
  `/catalog?q=${'w'.repeat(200)}`,
  '/catalog?lane=live',
  '/catalog/core/onescrape',
  '/catalog/semantic/contents',
  '/balance',
  '/balance/spending',
  '/changes',
  '/keys',
  '/webhooks',
  '/nowhere',
  '/catalog/core/onescrap',
]
/** As long as a label may be, and without a place to break it. */
const LONG_NAME = 'W'.repeat(100)
const LOOKS: readonly Look[] = [1280, 390].flatMap(
  (width) =>
    [
      { width, scheme: 'light' },
      { width, scheme: 'dark' },
    ] as const,
)

/** Parts of tables that are not shown whole, for the browser to find. */
const CUT_OFF =
  "[...document.querySelectorAll('.table, td')].filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.textContent.slice(0, 80))"

let gateway: GatewayProcess
let key: string
let holder: { readonly email: string; readonly password: string }
let search: (query: string) => Promise<unknown>
/** Resolves when the vendor is at work for a call that asked for "wait", with what lets it go. */
let working = Promise.withResolvers<() => void>()
let visit: (look: Look) => Promise<Visitor>

/** An account with calls that were charged and failed. */
before(async () => {
  const vendor = await startVendor()
  vendor.answerWith(({ body }) => {
    const { query } = body as { query: string }
    if (query === 'fail') return { status: 500, body: {} }
    if (query === 'found') return { body: FOUND }
    return new Promise((answer) => working.resolve(() => answer({ status: 500, body: {} })))
  })
  const { database, target } = await cloneDatabase()
  gateway = await startGateway({
    DATA_DIR: dataFolder(),
    DATABASE_URL: databaseUrl(target),
    UPSTREAM_SEMANTIC_URL: vendor.url,
    UPSTREAM_SEMANTIC_KEY: 'k',
  })
  key = /tg_live_[0-9A-Za-z]{38}/.exec(gateway.output())?.[0] ?? ''
  holder = await holderOf(database)
  search = (query) =>
    fetch(`${gateway.url}/api/run/semantic/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
  await search('found')
  await search('fail')
  await callWithLongName()
  visit = await openBrowser()
})

/** The holder of the account, with a password. */
async function holderOf(database: Database): Promise<{ email: string; password: string }> {
  const { rows } = await database.query<{ email: string }>('select email from accounts')
  const [email, password] = [rows[0]?.email ?? '', 'four words in a row']
  const people = { database, now: systemClock }
  await signInByLink(
    people,
    await createLink(people, { email, makesAccount: false, seconds: 60 }),
    password,
  )
  return { email, password }
}

/** A call by a key with a long name. */
async function callWithLongName(): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const made = await fetch(`${gateway.url}/api/v1/agents`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ label: LONG_NAME, external_id: LONG_NAME, ceiling_cents: 123_456_789 }),
  })
  const { data } = (await made.json()) as { data: { key: string } }
  await fetch(`${gateway.url}/api/run/semantic/search`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${data.key}` },
    body: JSON.stringify({ query: 'found' }),
  })
}

it('over plain HTTP and another host name, only the gateway’s own form signs in', async () => {
  const { page } = await visit({ width: 1280, scheme: 'light' })
  const home = gateway.url.replace('127.0.0.1', 'gateway.example')
  const sent = page.waitForRequest(`${home}/balance/sign-in`)
  await page.goto(`${home}/balance`)
  await page.fill('#key', key)
  await page.keyboard.press('Enter')
  await page.waitForSelector('#history')
  const headers = await (await sent).allHeaders()
  assert.deepEqual([headers['sec-fetch-site'], headers['origin']], [undefined, home])

  await page.context().clearCookies()
  await page.route('http://elsewhere.example/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<form method="post" action="${home}/balance/sign-in"><input name="key" value="${key}"></form>`,
    }),
  )
  await page.goto('http://elsewhere.example/')
  const [answer] = await Promise.all([
    page.waitForResponse(`${home}/balance/sign-in`),
    page.evaluate('document.forms[0].submit()'),
  ])
  assert.deepEqual([answer.status(), await page.context().cookies()], [400, []])
})

it('with text twice as large every page fits a narrow phone', async () => {
  const { page } = await visit({ width: 360, scheme: 'light' })
  for (const path of [...PATHS, '/sign-in']) {
    await page.goto(gateway.url + path)
    await page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, path)
  }
})

it('pages print on white paper in dark mode', async () => {
  const { page } = await visit({ width: 768, scheme: 'dark' })
  await page.goto(gateway.url)
  await page.emulateMedia({ media: 'print' })
  assert.deepEqual(
    await page.evaluate(
      "['backgroundColor', 'color'].map((name) => getComputedStyle(document.body)[name])",
    ),
    ['rgb(251, 250, 247)', 'rgb(20, 32, 27)'],
  )
})

it('on a tablet calls and transactions show every column, also with the longest name', async () => {
  const { page } = await visit({ width: 768, scheme: 'light' })
  await page.goto(`${gateway.url}/balance`)
  await page.fill('#key', key)
  await page.keyboard.press('Enter')
  await page.waitForSelector('#history')
  for (const path of ['/balance', '/balance/transactions', '/calls']) {
    await page.goto(gateway.url + path)
    await page.locator('main tbody tr >> visible=true').first().waitFor()
    assert.deepEqual(await page.evaluate(CUT_OFF), [], path)
  }
})

for (const look of LOOKS) {
  describe(`at ${look.width} px, ${look.scheme}`, () => {
    let visitor: Visitor
    before(async () => {
      visitor = await visit(look)
    })

    for (const path of PATHS) {
      it(`${path} is readable, fits, and gives the browser no cause to complain`, async () => {
        await visitor.page.goto(gateway.url + path)
        assert.deepEqual(await visitor.faults(), [])
      })
    }

    it('rejects a wrong key and shows charged, failed and running calls with filters', async () => {
      const { page } = visitor
      working = Promise.withResolvers()
      const running = search('wait')
      const letGo = await working.promise
      await page.goto(`${gateway.url}/balance`)
      await page.fill('#key', 'tg_live_wrong')
      await page.keyboard.press('Enter')
      await page.waitForSelector('[role=alert]:visible')
      assert.deepEqual(await visitor.faults(), [])
      await page.fill('#key', key)
      await page.keyboard.press('Enter')
      await page.waitForSelector('#history')
      assert.ok((await page.innerText('main')).includes('$1.97'))
      assert.deepEqual(await visitor.faults(), [])
      await page.click('text=Transactions >> visible=true')
      await page.waitForURL('**/balance/transactions')
      const shown = await page.innerText('main')
      for (const words of [
        'Pending',
        'up\u00a0to 1¢',
        'Charged',
        'Not charged',
        'upstream_error',
        '+$2.00',
      ])
        assert.ok(shown.includes(words), `${words} in ${shown}`)
      letGo()
      await running
      assert.deepEqual(
        [shown.includes(LONG_NAME), await page.evaluate(CUT_OFF)],
        [true, []],
        'a long name is shown whole and takes no column away',
      )
      assert.deepEqual(await visitor.faults(), [])
      await page.click('main >> summary')
      assert.deepEqual(await visitor.faults(), [])
      await page.goto(`${gateway.url}/balance?key=nothing`)
      assert.match(await page.innerText('[role=alert]'), /No matching key/)
      assert.deepEqual(await visitor.faults(), [])
    })

    it('a holder creates, changes, rotates and revokes a test key without scripts', async () => {
      const { page } = visitor
      const isFaultless = async (): Promise<void> =>
        assert.deepEqual(await visitor.faults(), [], page.url())
      await page.context().clearCookies()
      await page.goto(`${gateway.url}/sign-in`)
      await page.fill('#email', holder.email)
      await page.fill('#password', holder.password)
      await page.keyboard.press('Enter')
      await page.waitForSelector('#history')
      // On a phone, the menu shows the holder and the other pages.
      const isPhone = look.width < 900
      const openMenu = async (): Promise<void> => {
        if (isPhone) await page.click('[data-menu] > summary')
      }
      const goToKeys = async (): Promise<void> => {
        await page.click(`${isPhone ? '.bottom-bar' : '.side'} >> text=Keys`)
        await page.waitForSelector('#keys')
      }
      await openMenu()
      assert.ok(await page.isVisible(`text=${holder.email} >> visible=true`))
      await isFaultless()
      await page.goto(`${gateway.url}/keys`)
      assert.deepEqual(
        [(await page.innerText('.key-tree')).split(LONG_NAME).length, await page.evaluate(CUT_OFF)],
        [3, []],
        'long names are shown whole and take no column away',
      )
      await isFaultless()
      await page.goto(`${gateway.url}/balance`)
      await openMenu()
      await page.click('text=Test >> visible=true')
      await page.waitForSelector('text=$100.00')
      await isFaultless()
      await goToKeys()
      await isFaultless()
      await page.click('text=New key')
      await page.waitForSelector('#new')
      await isFaultless()

      const label = `${look.width} ${look.scheme} ${LONG_NAME}`.slice(0, 100)
      await page.fill('#label', label)
      await page.fill('#ceiling', 'much')
      await page.keyboard.press('Enter')
      await page.waitForSelector('#ceiling[aria-invalid=true]:focus')
      assert.equal(await page.inputValue('#label'), label)
      await isFaultless()
      await page.fill('#ceiling', '5')
      await page.dblclick('text=Create test key')
      const secret = await page.innerText('.secret')
      assert.match(secret, /^tg_test_/)
      await isFaultless()
      await page.reload()
      assert.equal(await page.innerText('.secret'), secret)

      await goToKeys()
      assert.equal(
        await page.locator(`.key-row >> text="${label}"`).count(),
        1,
        'neither the double click nor the reload made a further key',
      )
      await isFaultless()
      await page.click(`text="${label}"`)
      await page.waitForSelector('#change')
      await isFaultless()
      assert.deepEqual(await visitor.hiddenFocus(), [])
      await page.fill('#ceiling', '7.50')
      await page.click('text=Save')
      await page.waitForSelector('[role=status]')
      assert.ok((await page.innerText('.spend')).includes('of $7.50 monthly'))
      await isFaultless()
      await page.click('text=Pause key')
      await page.waitForSelector('text=Resume key')
      await isFaultless()
      await page.click('text=Create new secret')
      await page.waitForSelector('.secret')
      assert.notEqual(await page.innerText('.secret'), secret)
      await isFaultless()
      await page.goBack()
      await page.check('[name=sure]')
      await page.click('text=Revoke key')
      await page.waitForSelector('.badge >> text=Revoked')
      await isFaultless()
    })

    it('every element that the keyboard reaches shows its focus', async () => {
      for (const path of ['/', '/catalog', '/guide', '/balance', '/keys']) {
        await visitor.page.goto(gateway.url + path)
        assert.deepEqual(await visitor.hiddenFocus(), [], path)
      }
    })
  })
}
