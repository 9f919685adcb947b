/** Clients that connect with OAuth: the official MCP clients, a person, and a real browser. */
import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Page } from 'playwright-core'
import { testCertificate, testKey } from '../../src/upstream/http1/testing/certificate.ts'
import { cleanUp } from '../harness/clean-up.ts'
import { startConnectingApp, type ConnectingApp } from '../harness/clients/connecting-app.ts'
import {
  dataFolder,
  startGateway,
  type GatewayProcess,
} from '../harness/clients/gateway-process.ts'
import { openBrowser, type Look, type Visitor } from '../harness/clients/visitor.ts'
import { startMailServer, type MailServer } from '../harness/vendors/mail-server.ts'

const PASSWORD = 'four words in a row'
const LONGEST_CONNECTION_MS = 30_000
const LOOKS: readonly Look[] = [
  { width: 1280, scheme: 'light' },
  { width: 390, scheme: 'dark' },
]

let gateway: GatewayProcess
let mail: MailServer
let visit: (look: Look) => Promise<Visitor>
/** The document of a client that returns to this URL. */
let metadataUrlFor: (redirectUrl: string) => string

before(async () => {
  const authority = join(mkdtempSync(join(tmpdir(), 'tollgate-ca-')), 'ca.pem')
  writeFileSync(authority, testCertificate)
  ;[mail, visit, metadataUrlFor] = await Promise.all([
    startMailServer(),
    openBrowser(),
    startClientSite(),
  ])
  gateway = await startGateway({
    DATA_DIR: dataFolder(),
    SIGN_UP: 'open',
    SMTP_URL: mail.url,
    MAIL_FROM: 'gate@example.com',
    // The site of the client is on this machine, with a certificate of its own.
    ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8,::1/128',
    NODE_EXTRA_CA_CERTS: authority,
  })
})

/** A site with client id metadata documents. The redirect URI is in the query of its URL. */
async function startClientSite(): Promise<(redirectUrl: string) => string> {
  const server = createServer({ key: testKey, cert: testCertificate }, (request, response) => {
    const { port } = server.address() as AddressInfo
    const url = new URL(request.url ?? '', `https://localhost:${port}`)
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        client_id: url.href,
        client_name: 'Modern app',
        redirect_uris: [url.searchParams.get('redirect')],
        token_endpoint_auth_method: 'none',
      }),
    )
  })
  await new Promise<void>((ready) => server.listen(0, 'localhost', ready))
  cleanUp(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return (redirect) =>
    `https://localhost:${port}/client.json?${new URLSearchParams({ redirect }).toString()}`
}

type Connection = {
  /** Tries to connect. Rejects while there is no token. */
  connect(): Promise<void>
  finish(back: URLSearchParams): Promise<void>
  /** Calls the tool `balance` on a new connection. */
  call(): Promise<unknown>
}

/** The client of MCP 2025-11-25. */
function olderClient({ provider }: ConnectingApp): Connection {
  const open = () => ({
    client: new Client({ name: 'older', version: '1' }),
    transport: new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), {
      authProvider: provider,
    }),
  })
  const first = open()
  return {
    connect: () => first.client.connect(first.transport),
    finish: (back) => first.transport.finishAuth(back.get('code') ?? ''),
    async call() {
      const { client, transport } = open()
      await client.connect(transport)
      const result = await client.callTool({ name: 'balance', arguments: {} })
      await client.close()
      return result.structuredContent
    },
  }
}

/** The client of the official 2.x package. */
function modernClient({ provider }: ConnectingApp): Connection {
  const open = () => ({
    client: new ModernClient({ name: 'modern', version: '1' }),
    transport: new ModernTransport(new URL(`${gateway.url}/mcp`), {
      authProvider: provider,
    }),
  })
  const first = open()
  return {
    connect: () => first.client.connect(first.transport),
    finish: (back) => first.transport.finishAuth(back),
    async call() {
      const { client, transport } = open()
      await client.connect(transport)
      const result = await client.callTool({ name: 'balance', arguments: {} })
      await client.close()
      return result.structuredContent
    },
  }
}

async function signUp(page: Page, email: string): Promise<void> {
  await page.click('text=Create account')
  await page.fill('#email', email)
  await page.keyboard.press('Enter')
  // The email can arrive before this page. Opening its link earlier would interrupt the navigation.
  await page.waitForSelector(`text=${email}`)
  const { text } = await mail.mailTo(email, 0)
  await page.goto(/http\S+\/welcome\?token=\S+/.exec(text)?.[0] ?? '')
  await page.fill('#password', PASSWORD)
  await page.click('main button')
  await page.click('text=Continue to your page')
}

const unauthorized = (error: Error): boolean => error.constructor.name === 'UnauthorizedError'

for (const look of LOOKS) {
  describe(`at ${look.width} px, ${look.scheme}`, () => {
    for (const [name, open, register] of [
      ['the client of MCP 2025-11-25, which registers itself', olderClient, undefined],
      ['the 2.x client with a metadata document', modernClient, 'document'],
    ] as const)
      it(`${name}, goes from an empty browser to the first tool call within 30 s`, async (test) => {
        const fromMs = performance.now()
        const app = await startConnectingApp(
          'Older app',
          register === undefined ? undefined : metadataUrlFor,
        )
        const connection = open(app)
        await assert.rejects(connection.connect(), unauthorized)
        const { page, faults } = await visit(look)
        await page.goto(app.authorizationUrl())
        await signUp(page, `${register ?? 'registered'}-${look.width}@people.example.com`)
        await page.waitForSelector('text=Spending limit')
        assert.deepEqual(await faults(), [])
        const text = await page.innerText('main')
        assert.ok(text.includes(register === undefined ? 'Older app' : 'Modern app'))
        assert.ok(text.includes(register === undefined ? 'not verified' : 'localhost:'))
        await page.fill('#amount', '1.50')
        await page.click('text=Allow >> nth=-1')
        await page.waitForSelector('text=Connected to')
        const back = await app.returned
        assert.deepEqual(
          [back.get('state'), back.get('iss'), await faults()],
          ['state-of-the-app', gateway.url, []],
        )
        await connection.finish(back)
        const balance = (await connection.call()) as { ok: boolean }
        const passedMs = Math.round(performance.now() - fromMs)
        test.diagnostic(`from an empty browser to the first tool call: ${passedMs} ms`)
        assert.equal(balance.ok, true)
        assert.ok(passedMs <= LONGEST_CONNECTION_MS, `${passedMs} ms`)

        await page.goto(`${gateway.url}/keys`)
        await page.waitForSelector('text=Connected client')
        assert.ok((await page.innerText('main')).includes('$1.50 daily'))
        assert.deepEqual(await faults(), [])
      })

    it('a person who denies returns to the app without access', async () => {
      const app = await startConnectingApp('Denied app')
      const connection = olderClient(app)
      await assert.rejects(connection.connect(), unauthorized)
      const { page, faults } = await visit(look)
      await page.goto(app.authorizationUrl())
      await signUp(page, `denied-${look.width}@people.example.com`)
      await page.click('text=Deny')
      await page.waitForSelector('text=Connected to')
      const back = await app.returned
      assert.deepEqual(
        [back.get('error'), back.get('code'), await faults()],
        ['access_denied', null, []],
      )
    })
  })
}
