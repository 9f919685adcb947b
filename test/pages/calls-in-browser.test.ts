/** The list of calls with its chart and the panel of a call, in a real browser. */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Page } from 'playwright-core'
import {
  dataFolder,
  startGateway,
  type GatewayProcess,
} from '../harness/clients/gateway-process.ts'
import { openBrowser, type Look, type Visitor } from '../harness/clients/visitor.ts'
import { cloneDatabase, databaseUrl } from '../harness/postgres.ts'
import { startVendor } from '../harness/vendors/vendor.ts'

const FOUND = { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] }

/** The number of tables and cells that are not shown whole. */
const CUT_OFF =
  "[...document.querySelectorAll('.call-table .table, .call-table td')].filter((box) => box.scrollWidth > box.clientWidth).length"

let gateway: GatewayProcess
let key: string
let visit: (look: Look) => Promise<Visitor>

before(async () => {
  const vendor = await startVendor()
  vendor.answerWith(() => ({ body: FOUND }))
  const { target } = await cloneDatabase()
  gateway = await startGateway({
    DATA_DIR: dataFolder(),
    DATABASE_URL: databaseUrl(target),
    UPSTREAM_SEMANTIC_URL: vendor.url,
    UPSTREAM_SEMANTIC_KEY: 'k',
  })
  key = /tg_live_[0-9A-Za-z]{38}/.exec(gateway.output())?.[0] ?? ''
  for (const body of [{ query: 'a' }, { query: 'b' }, { nonsense: 1 }])
    await fetch(`${gateway.url}/api/run/semantic/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  visit = await openBrowser()
})

async function openCalls(look: Look): Promise<Visitor> {
  const visitor = await visit(look)
  const { page } = visitor
  await page.goto(`${gateway.url}/balance`)
  await page.fill('#key', key)
  await page.keyboard.press('Enter')
  await page.waitForSelector('#history')
  await page.goto(`${gateway.url}/calls`)
  await page.waitForSelector('.calls-chart g')
  return visitor
}

const links = (page: Page) => page.locator('.call-table td a')
const focusedText = (page: Page): Promise<unknown> =>
  page.evaluate('document.activeElement.textContent')

it('on a wide screen a call opens next to the list, and Escape, Close and Back close it', async () => {
  const { page, faults } = await openCalls({ width: 1280, scheme: 'light' })
  assert.deepEqual(await faults(), [])
  const id = await page.locator('.call-table tbody tr').nth(1).getAttribute('id')
  await links(page).nth(1).focus()
  await page.keyboard.press('Enter')
  await page.waitForSelector('.call-panel .timeline')
  assert.deepEqual(
    [new URL(page.url()).pathname, new URL(page.url()).hash, await focusedText(page)],
    ['/calls', `#${id}`, 'Close'],
  )
  assert.equal(await page.locator('h1').count(), 1)
  assert.equal(await page.evaluate(CUT_OFF), 0)
  assert.deepEqual(await faults(), [])

  await links(page).nth(0).click()
  await page.waitForSelector('.call-panel:has-text("invalid_params") .timeline')
  await page.keyboard.press('Escape')
  await page.waitForSelector('.call-panel', { state: 'detached' })
  assert.equal(new URL(page.url()).hash, '')
  await page.waitForFunction("document.activeElement.matches('.call-table a')")

  await links(page).nth(1).click()
  await page.waitForSelector('.call-panel .timeline')
  await page.goBack()
  await page.waitForSelector('.call-panel', { state: 'detached' })
  await page.goForward()
  await page.waitForSelector('.call-panel .timeline')
  await page.reload()
  await page.waitForSelector('.call-panel .timeline')
  await page.click('.call-panel >> text=Close')
  await page.waitForSelector('.call-panel', { state: 'detached' })
  assert.equal(new URL(page.url()).pathname, '/calls')
})

for (const look of [
  { width: 390, scheme: 'dark' },
  { width: 1280, scheme: 'light', scripts: false },
] as const)
  it(`at ${look.width} px${'scripts' in look ? ' without scripts' : ''} a call opens on its page`, async () => {
    const { page, faults } = await openCalls(look)
    assert.deepEqual(await faults(), [])
    await links(page).first().click()
    await page.waitForURL('**/calls/req_*')
    await page.waitForSelector('h1')
  })
