/** A first call without documentation, and the playground and the chat, in a real browser. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { createLink } from '../../src/auth/sign-in-link.ts'
import type { Database } from '../../src/db/database.ts'
import { systemClock } from '../../src/lib/clock.ts'
import {
  dataFolder,
  startGateway,
  type GatewayProcess,
} from '../harness/clients/gateway-process.ts'
import { openBrowser, type Look, type Visitor } from '../harness/clients/visitor.ts'
import { cloneDatabase, databaseUrl } from '../harness/postgres.ts'
import { startVendor, type TestVendor } from '../harness/vendors/vendor.ts'

const FOUND = { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] }
const LOOKS: readonly Look[] = [
  { width: 1280, scheme: 'light' },
  { width: 360, scheme: 'dark' },
]

let gateway: GatewayProcess
let database: Database
let vendor: TestVendor
let visit: (look: Look) => Promise<Visitor>
let email: string

before(async () => {
  vendor = await startVendor()
  vendor.answerWith(() => ({ body: FOUND }))
  const cloned = await cloneDatabase()
  database = cloned.database
  gateway = await startGateway({
    DATA_DIR: dataFolder(),
    DATABASE_URL: databaseUrl(cloned.target),
    UPSTREAM_SEMANTIC_URL: vendor.url,
    UPSTREAM_SEMANTIC_KEY: 'k',
  })
  const { rows } = await database.query<{ email: string }>('select email from accounts')
  email = rows[0]?.email ?? ''
  visit = await openBrowser()
})

async function signIn(page: Page): Promise<void> {
  const people = { database, now: systemClock }
  const token = await createLink(people, { email, makesAccount: false, seconds: 60 })
  await page.goto(`${gateway.url}/welcome?token=${token}`)
  await page.fill('[name=password]', 'four words in a row')
  await page.click('main form [type=submit]')
  await page.waitForSelector('[data-console]')
}

async function countCalls(mode: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    "select count(*)::int as count from transactions join wallets on wallets.id = wallet_id where kind = 'call' and status = 'settled' and wallets.mode = $1",
    [mode],
  )
  return Number(rows[0]?.count)
}

it('fills the form from a link, and names values that it cannot hold', async () => {
  const { page, faults } = await visit({ width: 1280, scheme: 'light' })
  const open = (input: object) =>
    page.goto(
      `${gateway.url}/catalog/core/onescrape?input=${encodeURIComponent(JSON.stringify(input))}`,
    )
  await open({ urls: ['https://a.example/'], format: 'html' })
  assert.equal(await page.inputValue('#play-input-urls'), 'https://a.example/')
  assert.equal(await page.inputValue('#play-input-format'), '"html"')
  assert.equal(await page.locator('[data-play-status] .note').count(), 0)
  await open({ urls: ['https://a.example/'], format: 'pdf', colour: 'red' })
  const note = await page.innerText('[data-play-status] .note')
  assert.match(note, /no field for colour/)
  assert.match(note, /value for format that its field cannot hold/)
  assert.deepEqual(await faults(), [])
})

it('from the landing page to a first call and its row in the history, without reading docs', async () => {
  const { page } = await visit({ width: 1280, scheme: 'light' })
  await page.goto(gateway.url)
  await page.click('.code-run')
  await page.waitForSelector('[data-signed-out]:visible >> text=Sign in to run')
  await signIn(page)
  await page.goto(gateway.url)
  await page.fill('#q', 'read a page as markdown')
  await page.keyboard.press('Enter')
  await page.click('main a[href="/catalog/core/onescrape"]')
  await page.click('text=Run in test mode')
  await page.waitForSelector('.play-head >> text=200')
  const head = await page.innerText('.play-head')
  for (const part of ['Simulated', 'in play money', 'req_']) assert.ok(head.includes(part), head)
  const requestId = await page.innerText('.play-id')
  await page.click('.play-id')
  await page.waitForSelector('[data-console]')
  assert.ok((await page.innerText('main')).includes('core/onescrape'))
  assert.ok((await page.content()).includes(requestId.replace('req_', '')))
})

for (const look of LOOKS)
  describe(`at ${look.width} px, ${look.scheme}`, () => {
    let visitor: Visitor
    before(async () => {
      visitor = await visit(look)
      await signIn(visitor.page)
    })

    it('marks the field at fault, and shows the form and its response without defects', async () => {
      const { page } = visitor
      await page.goto(`${gateway.url}/catalog/semantic/search`)
      await page.fill('#play-input-query', '')
      await page.click('[data-play-run]')
      assert.equal(await page.getAttribute('#play-input-query', 'aria-invalid'), 'true')
      assert.equal(await page.evaluate('document.activeElement.id'), 'play-input-query')
      await page.fill('#play-input-query', 'lighthouses')
      await page.click('[data-play-run]')
      await page.waitForSelector('.play-head >> text=200')
      assert.equal(await page.getAttribute('#play-input-query', 'aria-invalid'), null)
      assert.deepEqual(await visitor.faults(), [])
    })

    it('names the price of a live call, and charges a double click once', async () => {
      const { page } = visitor
      await page.goto(`${gateway.url}/catalog/semantic/search`)
      const before = await countCalls('live')
      await page.check('[name=play-mode][value=live]', { force: true })
      await page.waitForSelector('[data-play-run] >> text=/^Run for (up to )?[\\d.]+¢$/')
      await page.dblclick('[data-play-run]')
      await page.waitForSelector('.play-head >> text=Charged')
      assert.equal(await countCalls('live'), before + 1)
      assert.deepEqual(await visitor.faults(), [])
    })

    it('fills in values of the address, runs nothing, and shows them as code', async () => {
      const { page } = visitor
      const before = await countCalls('test')
      const input = { query: 'a <b>bold</b> "query"', other: 1 }
      await page.goto(
        `${gateway.url}/catalog/semantic/search?${new URLSearchParams({ input: JSON.stringify(input) }).toString()}`,
      )
      assert.equal(await page.inputValue('#play-input-query'), input.query)
      await page.waitForSelector('.note >> text=no field for other')
      await page.click('label[for=play-tab-python]')
      await page.waitForSelector('[data-snippet=python] >> text=a <b>bold</b>')
      assert.equal(await countCalls('test'), before)
      assert.deepEqual(await visitor.faults(), [])
    })

    it('follows a job with its progress to its end', async () => {
      const { page } = visitor
      await page.goto(`${gateway.url}/catalog/core/onescrape-deep`)
      await page.click('[data-play-run]')
      await page.waitForSelector('.play-head >> text=200')
      await page.waitForSelector('.play-json .t-keyword >> text=finished_at')
      assert.deepEqual(await visitor.faults(), [])
    })

    it('chats in several turns, with tokens and the charge', async () => {
      const { page } = visitor
      await page.goto(`${gateway.url}/playground`)
      for (const turn of [1, 2]) {
        await page.fill('#chat-message', `Question ${turn}`)
        await page.keyboard.press('Control+Enter')
        await page
          .locator('.chat-facts')
          .nth(turn - 1)
          .waitFor()
        await page.waitForSelector('[data-chat-stop]', { state: 'hidden' })
      }
      const text = await page.innerText('.chat-log')
      assert.match(text, /Question 1[\s\S]+Question 2/)
      assert.match(text, /\d+ \+ \d+ tokens/)
      assert.match(text, /in play money|Not charged/)
      assert.deepEqual(await visitor.faults(), [])
    })
  })
