/** Journeys through the console in a real browser, each from its first page to its answer. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowser, type Visitor } from '../harness/clients/visitor.ts'
import { openPageWorld, type PageWorld } from '../harness/pages/page-world.ts'

let world: PageWorld
let visitor: Visitor
let page: Page

before(async () => {
  world = await openPageWorld()
  const visit = await openBrowser()
  visitor = await visit({ width: 1280, scheme: 'light' })
  page = visitor.page
  await page.goto(`${world.url}/sign-in`)
  await page.fill('#email', world.filled.email)
  await page.fill('#password', world.filled.password)
  await page.keyboard.press('Enter')
  await page.waitForSelector('[data-console]')
})

/** Calls the search that the world answers, with a key. Returns the HTTP status. */
async function search(key: string): Promise<number> {
  const { status } = await fetch(`${world.url}/api/run/semantic/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'found' }),
  })
  return status
}

it('why a call cost what it cost: from the home page, in one click', async () => {
  await page.goto(`${world.url}/balance`)
  const row = page.locator('.call-table tr', { hasText: /\d¢/ }).first()
  const charge = await row.locator('td').last().innerText()
  assert.match(charge, /^[\d.]+¢$/)
  await row.locator('a').click()
  await page.waitForSelector('#timeline')
  const steps = await page.innerText('.timeline')
  assert.match(steps, /Received[\s\S]+Held [\d.]+¢[\s\S]+Charged/)
  assert.ok(steps.includes(`Charged ${charge}`), steps)
  assert.ok((await page.innerText('main')).includes('Billing rule:'))
  assert.deepEqual(await visitor.faults(), [])
})

describe('a key with a limit for a colleague', () => {
  let secret: string

  it('is created with a limit and a policy, and shows its secret once', async () => {
    await page.goto(`${world.url}/keys`)
    await page.click('main >> text=New key')
    await page.fill('#label', 'Colleague')
    await page.fill('#ceiling', '0.01')
    await page.selectOption('#period', 'day')
    await page.fill('#allow-pattern', 'semantic/*')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.chip >> text=semantic/*')
    assert.match(await page.innerText('[data-reach] summary'), /^Can call \d+ of \d+ actions$/)
    assert.deepEqual(await visitor.faults(), [])
    await page.click('main form [type=submit] >> visible=true')
    await page.waitForSelector('.secret')
    secret = await page.innerText('.secret')
    assert.match(secret, /^tg_live_/)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.click('[data-copy]')
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), secret)
    await page.click('main >> text=View key')
    await page.waitForSelector('#change')
    assert.ok(!(await page.content()).includes(secret))
    assert.deepEqual(await visitor.faults(), [])
  })

  it('is rejected above the limit, and its page leads to the reason', async () => {
    const statuses = [await search(secret), await search(secret)]
    assert.deepEqual(statuses, [200, 402])
    await page.reload()
    await page.click('main >> text=View calls')
    await page.waitForURL('**/calls?key=*')
    const rejected = page.locator('.call-table tr', { hasText: '402' })
    assert.equal(await rejected.count(), 1)
    assert.match(await rejected.innerText(), /Not charged/)
    await rejected.locator('a').click()
    await page.waitForSelector('#timeline')
    const shown = await page.innerText('main')
    assert.match(shown, /Rejected with \w+/)
    assert.match(shown, /Nothing was held, and no vendor was called\. Not charged\./)
    assert.match(shown, /limit/i)
    assert.deepEqual(await visitor.faults(), [])
  })
})

describe('the scripts of pages', () => {
  it('add calls to the open list as they happen, until it is paused', async () => {
    await page.goto(`${world.url}/calls`)
    await page.waitForSelector('[data-live-state].live')
    const first = page.locator('.call-table tbody tr[data-new]').first()
    await search(world.key)
    await first.waitFor()
    await page.click('[data-live-pause]')
    await page.waitForSelector('[data-live-pause][aria-pressed=true] >> text=Resume')
    assert.deepEqual(await visitor.faults(), [])
  })

  it('search the catalog while people type', async () => {
    await page.goto(`${world.url}/catalog`)
    await page.fill('#q', 'read a page as markdown')
    await page.waitForURL('**/catalog?q=read+a+page+as+markdown')
    assert.ok(await page.isVisible('[data-catalog-results] a[href="/catalog/core/onescrape"]'))
    assert.deepEqual(await visitor.faults(), [])
  })

  it('search the documentation while people type, and open a result by keyboard', async () => {
    await page.goto(`${world.url}/docs/keys`)
    await page.fill('#docs-q', 'idempotency')
    await page.waitForSelector('#docs-results a')
    assert.deepEqual(await visitor.faults(), [])
    await page.keyboard.press('ArrowDown')
    const chosen = await page.getAttribute('#docs-results [aria-selected=true]', 'href')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${chosen}`)
  })

  it('draw the chart, and show the figures of a day', async () => {
    await page.goto(`${world.url}/balance`)
    await page.waitForSelector('.spend-chart.live canvas')
    const box = await page.locator('.u-over').boundingBox()
    await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 12, (box?.y ?? 0) + 40)
    await page.waitForSelector('.chart-tip:visible >> text=/\\d+ calls, \\d+ not charged/')
    assert.deepEqual(await visitor.faults(), [])
  })
})
