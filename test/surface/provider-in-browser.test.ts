/** Sign-in with a provider in a real browser, with redirects in between. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  dataFolder,
  startGateway,
  type GatewayProcess,
} from '../harness/clients/gateway-process.ts'
import {
  CLIENT,
  startSignInProvider,
  type SignInProvider,
} from '../harness/vendors/sign-in-provider.ts'
import { openBrowser, type Look, type Visitor } from '../harness/clients/visitor.ts'

const LOOKS: readonly Look[] = [
  { width: 1200, scheme: 'light' },
  { width: 400, scheme: 'dark' },
]

/** Longer than a phone is wide. */
const NAME = `accounts.${'department.'.repeat(5)}example.com`

let gateway: GatewayProcess
let provider: SignInProvider
let visit: (look: Look) => Promise<Visitor>

before(async () => {
  provider = await startSignInProvider()
  gateway = await startGateway({
    DATA_DIR: dataFolder(),
    SIGN_UP: 'open',
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT.clientId,
    OIDC_CLIENT_SECRET: CLIENT.clientSecret,
    OIDC_NAME: NAME,
  })
  visit = await openBrowser()
})

for (const look of LOOKS) {
  describe(`at ${look.width} px, ${look.scheme}`, () => {
    it('the button leads to the provider and back without a browser error', async () => {
      const { page, faults } = await visit(look)
      // Other names of this machine: for the browser they are other sites.
      provider.lies = {
        document: {
          authorization_endpoint: provider.issuer
            .replace('127.0.0.1', 'id.example')
            .concat('/authorize'),
        },
      }
      provider.through = provider.issuer.replace('127.0.0.1', 'company.example')
      provider.person = {
        subject: `w${look.width}`,
        email: `w${look.width}@example.com`,
        email_verified: true,
      }
      await page.goto(`${gateway.url}/balance`)
      assert.deepEqual(await faults(), [])
      await page.click(`text=Sign in with ${NAME}`)
      await page.waitForSelector('text=Account created')
      assert.deepEqual(
        [
          new Set((await page.innerText('main')).match(/tg_(live|test)_\w{38}/g)).size,
          await faults(),
        ],
        [2, []],
      )
      await page.goto(`${gateway.url}/account`)
      assert.ok((await page.innerText('#providers')).includes(NAME))
      assert.deepEqual(await faults(), [])
      await page.goBack()
      await page.click('text=Open Balance')
      await page.waitForSelector('#history')
      assert.deepEqual(await faults(), [])
    })

    it('a canceled sign-in at the provider is explained on the sign-in page', async () => {
      const { page, faults } = await visit(look)
      provider.lies = { error: 'access_denied' }
      await page.goto(`${gateway.url}/sign-in`)
      await page.click(`text=Sign in with ${NAME}`)
      await page.waitForSelector('[role=alert]')
      assert.deepEqual(
        [await page.innerText('[role=alert]'), await faults()],
        [`You were not signed in at ${NAME}. Try again, or sign in another way.`, []],
      )
    })
  })
}
