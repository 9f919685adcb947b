/** The search of everything, by keyboard on every page, and the scripts that pages load. */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowser, type Look, type Visitor } from '../harness/clients/visitor.ts'
import { auditPage } from '../harness/pages/page-audit.ts'
import { CONSOLE_PAGES, PUBLIC_PAGES } from '../harness/pages/page-list.ts'
import { openPageWorld, type PageWorld } from '../harness/pages/page-world.ts'
import { fillPath, signIn } from '../harness/pages/sign-in.ts'

const LOOK: Look = { width: 1280, scheme: 'light' }
const MOST_SCRIPT_BYTES = 120_000
/** Bytes of all scripts that the page loaded so far, without compression. */
const SCRIPT_BYTES =
  "performance.getEntriesByType('resource').filter(({ name }) => /\\/islands\\/.*\\.[tj]s$/.test(name)).reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0)"

let world: PageWorld
let visit: (look: Look) => Promise<Visitor>

before(async () => {
  world = await openPageWorld()
  visit = await openBrowser()
})

const chosen = (page: Page): Promise<string> =>
  page.innerText('.search-list a[aria-selected=true] span')

it('opens with the keyboard, finds an action and opens its page', async () => {
  const { page, faults } = await visit(LOOK)
  await page.goto(world.url)
  await page.keyboard.press('/')
  await page.waitForSelector('dialog[open]')
  assert.equal(await chosen(page), 'Home')
  await page.keyboard.type('read a page in a real browser')
  await page.waitForSelector('.search-list [role=group]:has-text("Actions")')
  const first = await chosen(page)
  await page.keyboard.press('ArrowDown')
  const second = await chosen(page)
  assert.notEqual(second, first)
  assert.equal(
    await page.getAttribute('.search-head input', 'aria-activedescendant'),
    await page.getAttribute('.search-list a[aria-selected=true]', 'id'),
  )
  await page.keyboard.press('ArrowUp')
  assert.equal(await chosen(page), first)
  assert.deepEqual(await faults(), [])
  const target = await page.getAttribute('.search-list a[aria-selected=true]', 'href')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**${target}`)
})

it('closes with Escape and returns the focus', async () => {
  const { page } = await visit(LOOK)
  await page.goto(`${world.url}/models`)
  await page.focus('main input[type=search]')
  await page.keyboard.press('/')
  assert.equal(await page.inputValue('main input[type=search]'), '/', 'a field takes the slash')
  for (const keys of ['Control+k', 'Meta+k']) {
    await page.keyboard.press(keys)
    await page.waitForSelector('dialog[open]')
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog', { state: 'hidden' })
    assert.equal(
      await page.evaluate("document.activeElement.matches('main input[type=search]')"),
      true,
    )
  }
})

it('has no defect while it is open, with and without a result', async () => {
  const { page } = await visit(LOOK)
  for (const query of ['limit', 'zzyzx qqqq']) {
    await page.goto(`${world.url}/docs`)
    await page.click('.search-link')
    await page.waitForSelector('dialog[open]')
    const answered = page.waitForResponse((response) => response.url().includes('/search.json'))
    await page.keyboard.type(query)
    await answered
    assert.deepEqual(
      (await auditPage(page)).filter((defect) => !isOfPageBelow(defect)),
      [],
      query,
    )
  }
})

/** The page below an open dialog is inert, so its controls take no focus. */
function isOfPageBelow(defect: string): boolean {
  return /takes no focus: <(?!input type="text" role="combobox|a (?:class="more" )?href[^>]*role="option)/.test(
    defect,
  )
}

it('names a search that does not answer', async () => {
  const { page } = await visit(LOOK)
  await page.route('**/search.json*', (route) => route.fulfill({ status: 503, body: '{}' }))
  await page.goto(world.url)
  await page.keyboard.press('/')
  await page.waitForSelector('dialog[open]')
  await page.keyboard.type('webhooks')
  await page.waitForSelector('.search-status:has-text("did not answer")')
  assert.equal(await chosen(page), 'Webhooks', 'pages are found without the gateway')
})

it('finds pages of the operator console for operators alone', async () => {
  const { page } = await visit(LOOK)
  const found = async (): Promise<string[]> => {
    await page.goto(`${world.url}/balance`)
    await page.keyboard.press('Control+k')
    await page.waitForSelector('dialog[open]')
    await page.keyboard.type('operate')
    await page.waitForSelector('.search-status')
    return page.locator('.search-list a[href^="/operate"]').allInnerTexts()
  }
  await signIn(page, world, 'filled')
  assert.notEqual((await found()).length, 0)
  await page.context().clearCookies()
  await signIn(page, world, 'empty')
  assert.deepEqual(await found(), [])
})

it('is a link to the catalog without scripts', async () => {
  const { page } = await visit({ ...LOOK, width: 360, scripts: false })
  await page.goto(world.url)
  await page.keyboard.press('/')
  assert.equal(await page.locator('dialog').count(), 0)
  await page.click('.search-link')
  await page.waitForURL('**/catalog')
})

it('loads at most 120 kB of script on the heaviest page, with the search open', async (t) => {
  const { page } = await visit(LOOK)
  await signIn(page, world, 'filled')
  const bytesOf = new Map<string, number>()
  for (const path of [...PUBLIC_PAGES, ...CONSOLE_PAGES.map((one) => fillPath(world, one))]) {
    await page.goto(world.url + path, { waitUntil: 'load' })
    bytesOf.set(new URL(page.url()).pathname, await page.evaluate<number>(SCRIPT_BYTES))
  }
  const [[heaviest, bytes] = ['', 0]] = [...bytesOf].toSorted(([, one], [, other]) => other - one)
  await page.goto(world.url + heaviest)
  await page.keyboard.press('Control+k')
  await page.waitForSelector('dialog[open]')
  const withSearch = await page.evaluate<number>(SCRIPT_BYTES)
  t.diagnostic(`${heaviest}: ${bytes} bytes, ${withSearch} with the search open`)
  assert.ok(Math.min(...bytesOf.values()) > 0)
  assert.ok(withSearch > bytes)
  assert.ok(withSearch <= MOST_SCRIPT_BYTES, `${heaviest}: ${withSearch} bytes`)
})
