/** The pages as people see them: in a real browser, wide and on a phone, light and dark, by keyboard. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { dataFolder, startGateway, type GatewayProcess } from '../harness/gateway-process.ts'
import { startVendor } from '../harness/vendor.ts'
import { openBrowser, type Look, type Visitor } from '../harness/visitor.ts'

const FOUND = { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] }
const PATHS = ['/', '/guide', '/catalog', '/catalog?q=read+a+page', '/catalog?q=zzyzx', `/catalog?q=${'w'.repeat(200)}`, '/catalog?lane=live', '/catalog/core/onescrape', '/catalog/semantic/contents', '/balance', '/nowhere', '/catalog/core/onescrap']
/** As long as a label may be, and without a place to break it. */
const LONG_NAME = 'W'.repeat(100)
const LOOKS: readonly Look[] = [1280, 390].flatMap((width) => [{ width, scheme: 'light' }, { width, scheme: 'dark' }] as const)

let gateway: GatewayProcess
let key: string
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
  gateway = await startGateway({ DATA_DIR: dataFolder(), UPSTREAM_SEMANTIC_URL: vendor.url, UPSTREAM_SEMANTIC_KEY: 'k' })
  key = /tg_live_[0-9A-Za-z]{38}/.exec(gateway.output())?.[0] ?? ''
  search = (query) =>
    fetch(`${gateway.url}/api/run/semantic/search`, { method: 'POST', headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' }, body: JSON.stringify({ query }) })
  await search('found')
  await search('fail')
  await callWithLongName()
  visit = await openBrowser()
})

/** A call by a key with a long name. */
async function callWithLongName(): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const made = await fetch(`${gateway.url}/api/v1/agents`, { method: 'POST', headers, body: JSON.stringify({ label: LONG_NAME }) })
  const { data } = (await made.json()) as { data: { key: string } }
  await fetch(`${gateway.url}/api/run/semantic/search`, { method: 'POST', headers: { ...headers, authorization: `Bearer ${data.key}` }, body: JSON.stringify({ query: 'found' }) })
}

it('over plain http by another name than this machine’s, the gateway’s own form signs in and another site’s does not', async () => {
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
  await page.route('http://elsewhere.example/', (route) => route.fulfill({ contentType: 'text/html', body: `<form method="post" action="${home}/balance/sign-in"><input name="key" value="${key}"></form>` }))
  await page.goto('http://elsewhere.example/')
  const [answer] = await Promise.all([page.waitForResponse(`${home}/balance/sign-in`), page.evaluate('document.forms[0].submit()')])
  assert.deepEqual([answer.status(), await page.context().cookies()], [400, []])
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

    it('a wrong key is refused in words, the right one shows charged, failed and running calls, and filters answer', async () => {
      const { page } = visitor
      working = Promise.withResolvers()
      const running = search('wait')
      const letGo = await working.promise
      await page.goto(`${gateway.url}/balance`)
      await page.fill('#key', 'tg_live_wrong')
      await page.keyboard.press('Enter')
      await page.waitForSelector('[role=alert]')
      assert.deepEqual(await visitor.faults(), [])
      await page.fill('#key', key)
      await page.keyboard.press('Enter')
      await page.waitForSelector('#history')
      const shown = await page.innerText('main')
      for (const words of ['held', 'up\u00a0to $0.01', 'settled', 'released', 'upstream_error', '+$2.00', '$1.97']) assert.ok(shown.includes(words), `${words} in ${shown}`)
      letGo()
      await running
      const cutOff = "[...document.querySelectorAll('.table, td')].filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.textContent.slice(0, 80))"
      assert.deepEqual([shown.includes(LONG_NAME), await page.evaluate(cutOff)], [true, []], 'a long name is shown whole and takes no column away')
      assert.deepEqual(await visitor.faults(), [])
      await page.click('summary')
      assert.deepEqual(await visitor.faults(), [])
      await page.goto(`${gateway.url}/balance?key=nobody`)
      assert.match(await page.innerText('[role=alert]'), /agk_/)
      assert.deepEqual(await visitor.faults(), [])
    })

    it('whatever the keyboard reaches shows that it has the focus', async () => {
      for (const path of ['/', '/catalog', '/guide', '/balance']) {
        await visitor.page.goto(gateway.url + path)
        assert.deepEqual(await visitor.hiddenFocus(), [], path)
      }
    })
  })
}
