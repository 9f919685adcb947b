/** A top-up as its payer sees it: the webhook of the card processor is late, and the page updates by itself. */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Page } from 'playwright-core'
import {
  dataFolder,
  startGateway,
  type GatewayProcess,
} from '../harness/clients/gateway-process.ts'
import { openBrowser } from '../harness/clients/visitor.ts'
import { cloneDatabase, databaseUrl } from '../harness/postgres.ts'
import {
  startStripe,
  STRIPE_KEY,
  STRIPE_SECRET,
  type StripeStandIn,
} from '../harness/vendors/stripe.ts'
import { auditPage } from '../harness/pages/page-audit.ts'
import { systemClock } from '../../src/lib/clock.ts'

let gateway: GatewayProcess
let stripe: StripeStandIn
let page: Page
let faults: () => Promise<string[]>

before(async () => {
  stripe = await startStripe()
  const { target } = await cloneDatabase()
  gateway = await startGateway({
    DATA_DIR: dataFolder(),
    DATABASE_URL: databaseUrl(target),
    STRIPE_URL: stripe.vendor.url,
    STRIPE_KEY,
    STRIPE_WEBHOOK_SECRET: STRIPE_SECRET,
  })
  const visit = await openBrowser()
  const visitor = await visit({ width: 390, scheme: 'light' })
  page = visitor.page
  faults = visitor.faults
  await page.goto(`${gateway.url}/credit`)
  await page.fill('#key', /tg_live_[0-9A-Za-z]{38}/.exec(gateway.output())?.[0] ?? '')
  await page.keyboard.press('Enter')
  await page.waitForSelector('[data-buy]')
})

async function notify(event: object): Promise<void> {
  const { payload, headers } = stripe.signed(event, systemClock())
  const answer = await fetch(`${gateway.url}/balance/card-events`, {
    method: 'POST',
    headers,
    body: payload,
  })
  assert.equal(answer.status, 200)
}

it('a payment with a late webhook arrives on the page that waits for it', async () => {
  assert.deepEqual(await faults(), [])
  await page.check('[name=pack][value=other]')
  await page.fill('#amount', '37.5')
  const button = page.locator('[data-buy] button[type=submit]')
  assert.equal((await button.innerText()).replaceAll(/\s+/g, ' '), 'Pay $37.50')
  await button.click()
  await page.waitForURL(`${stripe.vendor.url}/checkout/**`)
  const session = stripe.sessions.at(-1)
  assert.equal(session?.cents, 3_750)
  const event = stripe.pay(session.id)
  await page.goto(session.successUrl.replace('{CHECKOUT_SESSION_ID}', session.id))
  await page.waitForSelector('text=Confirming your payment of $37.50…')
  assert.deepEqual(await faults(), [])
  await notify(event)
  await page.waitForSelector('text=Payment received, $37.50 added')
  assert.ok((await page.innerText('.payment-sum')).includes('$39.50'))
  assert.deepEqual(await faults(), [])
  await page.click('main >> text=Receipt')
  await page.waitForSelector('.receipt')
  assert.deepEqual(await faults(), [])
  assert.deepEqual(await auditPage(page), [], 'receipt')
  for (const path of [`/credit/return?session_id=${session.id}`, '/credit/cancelled']) {
    await page.goto(gateway.url + path)
    assert.deepEqual(await auditPage(page), [], path)
  }
})
