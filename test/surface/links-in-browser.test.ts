/** Sign-up by an emailed link in a real browser, under another host name, over plain HTTP. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { dataFolder, startGateway } from '../harness/clients/gateway-process.ts'
import { startMailServer } from '../harness/vendors/mail-server.ts'
import { openBrowser } from '../harness/clients/visitor.ts'

const EMAIL = 'jo@people.example.com'

it('a person signs up by email and sees the keys; the link works once and leaks nowhere', async () => {
  const [mail, visit] = await Promise.all([startMailServer(), openBrowser()])
  const gateway = await startGateway({
    DATA_DIR: dataFolder(),
    SIGN_UP: 'open',
    SMTP_URL: mail.url,
    MAIL_FROM: 'gate@example.com',
  })
  const home = gateway.url.replace('127.0.0.1', 'gateway.example')
  const { page } = await visit({ width: 1280, scheme: 'light' })
  const told: string[] = []
  page.on(
    'request',
    (request) => void request.allHeaders().then(({ referer = '' }) => told.push(referer)),
  )

  await page.goto(`${home}/sign-in`)
  await page.click('text=Create account')
  await page.fill('#email', EMAIL)
  await page.keyboard.press('Enter')
  await page.waitForSelector(`text=${EMAIL}`)
  const { text } = await mail.mailTo(EMAIL, 0)
  const token = /\?token=(\S+)/.exec(text)?.[1] ?? ''
  const link = `${home}/welcome?token=${token}`

  await page.goto(link)
  assert.equal(await page.inputValue('#email'), EMAIL)
  await page.fill('#password', 'four words in a row')
  const posted = page.waitForRequest(`${home}/welcome`)
  // The keys are shown once, so a second click must not take their page away.
  await page.dblclick('main button', { delay: 60 })
  await page.waitForSelector('text=/tg_live_/')
  const { origin, referer } = await (await posted).allHeaders()
  assert.deepEqual([origin, referer, page.url()], [home, `${home}/`, `${home}/welcome`])

  await page.click('text=Open Balance')
  await page.waitForSelector('text=$2.00')
  const again = await page.goto(link)
  assert.equal(again?.status(), 403)
  assert.deepEqual(
    told.filter((referrer) => referrer.includes(token)),
    [],
  )
  assert.equal(await gateway.end('SIGTERM'), 0)
  assert.ok(!gateway.output().includes(token))
})
