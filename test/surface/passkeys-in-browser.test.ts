/** Passkeys as people use them: in a real browser, with an authenticator that the browser plays. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createAccount } from '../../src/accounts/create-account.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { signInByLink, createLink } from '../../src/auth/sign-in-link.ts'
import {
  dataFolder,
  startGateway,
  type GatewayProcess,
} from '../harness/clients/gateway-process.ts'
import { cloneDatabase } from '../harness/postgres.ts'
import { openBrowser, type Look, type Visitor } from '../harness/clients/visitor.ts'

const EMAIL = 'jo@example.com'
const PASSWORD = 'four words in a row'
const { database, target } = await cloneDatabase()
const context = { database, now: systemClock }

let gateway: GatewayProcess
let visit: (look: Look) => Promise<Visitor>
/** The same gateway by the name of this machine. */
let named: string

before(async () => {
  await createAccount(context, { email: EMAIL, tier: 'personal' })
  await signInByLink(
    context,
    await createLink(context, { email: EMAIL, makesAccount: false, seconds: 60 }),
    PASSWORD,
  )
  gateway = await startGateway({
    DATA_DIR: dataFolder(),
    DATABASE_URL: `postgres://${target.user}@localhost/${target.database}?host=${encodeURIComponent(target.host)}`,
  })
  named = gateway.url.replace('127.0.0.1', 'localhost')
  visit = await openBrowser()
})

/** An authenticator that accepts everything immediately; in fields only after `offerInFields`. */
async function plugIn(page: Page): Promise<void> {
  await page.addInitScript(
    "PublicKeyCredential.isConditionalMediationAvailable = async () => localStorage.getItem('fields') === 'yes'",
  )
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('WebAuthn.enable')
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

const offerInFields = (page: Page): Promise<unknown> =>
  page.evaluate("localStorage.setItem('fields', 'yes')")

const signOut = (page: Page): Promise<void> => page.click('form[action="/balance/sign-out"] button')

async function signInByPassword(page: Page, home: string): Promise<void> {
  await page.goto(`${home}/sign-in`)
  await page.fill('#email', EMAIL)
  await page.fill('#password', PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${home}/balance`)
}

test('at an IP address the page links to the host name where passkeys work', async () => {
  const { page, faults } = await visit({ width: 1280, scheme: 'light' })
  await signInByPassword(page, gateway.url)
  await page.goto(`${gateway.url}/account`)
  await page.waitForSelector('[data-when=elsewhere] a')
  assert.deepEqual(
    [
      await page.isVisible('[data-passkeys] form'),
      await page.getAttribute('[data-when=elsewhere] a', 'href'),
    ],
    [false, `${named}/account`],
  )
  assert.deepEqual(await faults(), [])
  await signOut(page)
  await page.waitForSelector('[data-when=elsewhere] a')
  assert.equal(await page.isVisible('[data-passkeys] button'), false)
})

test('a holder adds a passkey, signs in by button and field, and removes it', async () => {
  const { page, faults } = await visit({ width: 1280, scheme: 'light' })
  await plugIn(page)
  await signInByPassword(page, named)
  await page.goto(`${named}/account`)
  await page.fill('#label', 'My phone')
  await page.click('[data-passkeys] button')
  await page.waitForURL(/done=passkey/)
  assert.match(await page.innerText('main table'), /My phone.*Never/s)
  assert.deepEqual(await faults(), [])

  await page.fill('#label', 'My phone again')
  await page.click('[data-passkeys] button')
  await page.waitForSelector('[data-passkeys] [role=alert]:not([hidden])')
  assert.match(
    await page.innerText('[data-passkeys] [role=alert]'),
    /already has a passkey for this account/,
  )

  await signOut(page)
  await page.goto(`${named}/keys`)
  await page.click('[data-passkeys=sign-in] button')
  await page.waitForSelector('main a[href="/keys/new"]')
  assert.equal(page.url(), `${named}/keys`)
  await page.goto(`${named}/account`)
  assert.match(await page.innerText('main table'), /My phone(?!.*Never)/s)

  await offerInFields(page)
  await signOut(page)
  await page.waitForSelector('#history')

  await page.goto(`${named}/account`)
  await page.click('[aria-label="Remove My phone"]')
  await page.waitForURL(/done=passkey-removed/)
  await signOut(page)
  await page.waitForSelector('[data-passkeys=sign-in] [role=alert]:not([hidden])')
  assert.match(
    await page.innerText('[data-passkeys=sign-in] [role=alert]'),
    /This passkey is unknown/,
  )
  assert.deepEqual(await faults(), [])
})
