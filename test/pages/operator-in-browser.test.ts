/** Journey of an operator: finds a vendor key that the vendor rejects, and fixes it, in a real browser. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createLink, signInByLink } from '../../src/auth/sign-in-link.ts'
import { createCountingPass } from '../../src/operate/totals/count-transactions.ts'
import { systemClock } from '../../src/lib/clock.ts'
import {
  dataFolder,
  startGateway,
  type GatewayProcess,
} from '../harness/clients/gateway-process.ts'
import { openBrowser, type Look, type Visitor } from '../harness/clients/visitor.ts'
import { cloneDatabase, databaseUrl } from '../harness/postgres.ts'
import { startVendor } from '../harness/vendors/vendor.ts'

const OLD_KEY = 'revoked-key-0123456789-old'
const NEW_KEY = 'working-key-0123456789-new'
const SECRETS = {
  UPSTREAM_RAG_KEY: OLD_KEY,
  METRICS_TOKEN: 'metrics-token-0123456789-abc',
  VENDOR_KEYS_SECRET: 'sealing-secret-0123456789-0123456789-def',
}
const OWNER = { email: 'owner@localhost', password: 'a password of the owner' }

let gateway: GatewayProcess
let visit: (look: Look) => Promise<Visitor>
let call: () => Promise<number>
let count: () => Promise<number>

before(async () => {
  const vendor = await startVendor()
  vendor.answerWith(({ headers }) =>
    JSON.stringify(headers).includes(NEW_KEY)
      ? { body: { results: [{ title: 'A', url: 'https://a.example/', content: 'a', score: 1 }] } }
      : { status: 401, body: { detail: 'token revoked' } },
  )
  const { database, target } = await cloneDatabase()
  gateway = await startGateway({
    DATA_DIR: dataFolder(),
    DATABASE_URL: databaseUrl(target),
    UPSTREAM_RAG_URL: vendor.url,
    ...SECRETS,
  })
  const key = /tg_live_[0-9A-Za-z]{38}/.exec(gateway.output())?.[0] ?? ''
  const deps = { database, now: systemClock }
  const token = await createLink(deps, { email: OWNER.email, makesAccount: false, seconds: 600 })
  await signInByLink(deps, token, OWNER.password)
  call = async () =>
    (
      await fetch(`${gateway.url}/api/run/rag/search`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query: 'anything' }),
      })
    ).status
  count = () => createCountingPass({ database, onError: assert.ifError })()
  visit = await openBrowser()
})

async function signIn({ page }: Visitor): Promise<void> {
  await page.goto(`${gateway.url}/sign-in`)
  await page.fill('#email', OWNER.email)
  await page.fill('#password', OWNER.password)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${gateway.url}/balance`)
}

test('an operator finds a rejected vendor key and replaces it', async () => {
  assert.equal(await call(), 503)
  await count()
  const visitor = await visit({ width: 1280, scheme: 'light' })
  const { page } = visitor
  await signIn(visitor)
  await page.getByRole('link', { name: 'Operator console' }).click()
  await page.getByText('Key of rag refused since').waitFor()
  await page.getByRole('link', { name: 'Fix the key' }).click()
  const rag = page.locator('#rag')
  await rag.getByText('…old').waitFor()
  await rag.getByRole('button', { name: 'Test this key' }).click()
  await page.getByText('Key refused.').waitFor()

  const replaceWith = async (key: string): Promise<void> => {
    await rag.getByLabel('New key').fill(key)
    await rag.getByLabel('Reason').first().fill('The vendor revoked it')
    await rag.getByRole('button', { name: 'Test and save' }).click()
  }
  await replaceWith('another-wrong-key-0123456789')
  await page.getByText('The vendor refuses this key, too (401).').waitFor()
  assert.equal(await call(), 503)
  await replaceWith(NEW_KEY)
  await page.getByText('Key works.').waitFor()
  assert.equal(await rag.getByText('…new').count(), 1)
  assert.equal(await call(), 200)

  await page.goto(`${gateway.url}/operate`)
  assert.equal(await page.getByText('Key of rag refused').count(), 0)
  await page.goto(`${gateway.url}/operate/audit?by=operators`)
  await page.getByText('The vendor revoked it').first().waitFor()
  assert.deepEqual(await visitor.faults(), [])
})

test('no page of the console contains a secret, scrolls sideways or hides a focus', async () => {
  for (const width of [1280, 390]) {
    const visitor = await visit({ width, scheme: width === 390 ? 'dark' : 'light' })
    await signIn(visitor)
    for (const path of ['', '/accounts', '/vendors', '/money', '/health', '/audit', '/settings']) {
      await visitor.page.goto(`${gateway.url}/operate${path}`)
      const markup = await visitor.page.content()
      for (const secret of [...Object.values(SECRETS), NEW_KEY])
        assert.ok(!markup.includes(secret), `${path} contains ${secret}`)
      assert.deepEqual(await visitor.faults(), [], `${path} at ${width}`)
    }
  }
})
