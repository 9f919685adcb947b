/** A whole gateway without vendor keys. Local servers replace public sources, the model upstream and the web. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { createAccount } from '../../src/accounts/create-account.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { readOwn } from '../../src/app/wiring/own/read-own.ts'
import { openEngine, type Engine } from '../../src/app/wiring/engine.ts'
import { runCall } from '../../src/calls/run.ts'
import { createCatalog } from '../../src/catalog/index.ts'
import { isOpen, type Vendor } from '../../src/catalog/vocabulary/wire.ts'
import type { Data } from '../../src/catalog/vocabulary/outcome.ts'
import type { Database } from '../../src/db/database.ts'
import { createAuthenticator } from '../../src/keys/authenticate.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/ids.ts'
import { dollars } from '../../src/lib/money.ts'
import { startSimulators } from '../../src/simulators/start.ts'
import type { EmailWorld } from '../../src/app/wiring/in-house/emails.ts'
import { cleanUp } from '../harness/clean-up.ts'
import { cloneDatabase } from '../harness/postgres.ts'
import { startRecipientServer } from '../harness/vendors/recipient-server.ts'
import { startSearxng } from '../harness/vendors/searxng-server.ts'

export type LiveAnswer = {
  readonly status: number
  readonly ok: boolean
  readonly data: Data
  readonly charged: bigint
  readonly error?: { readonly code: string; readonly message: string }
}
export type LiveBed = {
  readonly engine: Engine
  readonly database: Database
  /** The address of the local web. */
  readonly site: string
  /** A call with a live key. */
  ask(service: string, action: string, body: Data): Promise<LiveAnswer>
}

const TEXT = 'A group commit shares the price of one durable write between many callers. '
const PAGE = `<!doctype html><html lang="en"><head><title>Ledger notes</title></head><body><main><article><h1>Group commits</h1><p>${TEXT.repeat(8)}</p><p><a href="/more">More information</a></p><p>It costs 12 dollars a month.</p></article></main></body></html>`

export async function openLiveBed(environment: Record<string, string> = {}): Promise<LiveBed> {
  const { database } = await cloneDatabase()
  const site = await startSite()
  const simulators = await startSimulators({ now: systemClock })
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-live-'))
  const sources = Object.fromEntries(
    openLabels().map((label) => [
      `UPSTREAM_${label.toUpperCase().replaceAll('-', '_')}_URL`,
      `${simulators.url}/${label}`,
    ]),
  )
  const config = loadConfig({
    ...sources,
    DATA_DIR: dataDir,
    PATH: process.env['PATH'],
    ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
    ALLOW_UNSANDBOXED_BROWSER: 'true',
    UPSTREAM_LLM_URL: `${simulators.url}/llm`,
    // Only a gateway with a public name asks email servers.
    PUBLIC_URL: 'https://gate.example.com',
    SEARXNG_URL: await startEngines(site),
    ...environment,
  })
  const engine = await openEngine({
    config,
    own: await readOwn(config),
    database,
    logger: pino({ level: 'silent' }),
    now: systemClock,
    work: true,
    emailWorld: await openEmailWorld(site),
  })
  cleanUp(async () => {
    await engine.close()
    await simulators.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const caller = await openCaller(database)
  return {
    engine,
    database,
    site,
    async ask(service, action, body) {
      const request = {
        id: newId(systemClock()),
        caller,
        service,
        action,
        body,
        idempotency: null,
      }
      const { status, body: text, charged } = await runCall(engine.calls, request)
      return { status, charged, ...(JSON.parse(text) as Omit<LiveAnswer, 'status' | 'charged'>) }
    },
  }
}

/** Engines that know the local web, with answers to the questions of the examples. */
async function startEngines(site: string): Promise<string> {
  const { url, behave } = await startSearxng()
  const row = { title: 'Group commits', engines: ['bing', 'mojeek'], positions: [1, 1] }
  behave(() => ({
    failed: [['google', 'CAPTCHA']],
    rows: [
      { ...row, url: `${site}/`, content: 'PostgreSQL was first released in 1996.' },
      {
        ...row,
        url: `${site}/more`,
        content: 'The licences of three open vector databases differ: Apache-2.0 or BSD-3-Clause.',
      },
    ],
  }))
  return url
}

/** Every domain receives email at a local server, which knows the address of the examples. */
async function openEmailWorld(site: string): Promise<Partial<EmailWorld>> {
  const { port } = await startRecipientServer({
    rcpt: (email) => (email === 'ana.example@example.com' ? '250 ok' : '550 5.1.1 no such user'),
  })
  return {
    port,
    names: {
      resolve: async (domain, kind) =>
        kind === 'MX' ? [{ exchange: `mx.${domain}`, priority: 10 }] : [],
    },
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    homePages: () => [`${site}/`],
    pause: async () => {},
  }
}

/** The labels of vendors and public sources that need no key. */
function openLabels(): readonly string[] {
  const { services } = createCatalog()
  const labels = services.flatMap(({ id, vendor, actions }) => {
    const sources = Object.values(actions).flatMap((action) =>
      action.kind === 'endpoint'
        ? action.endpoints.map((entry) => entry.openSource?.vendor)
        : action.kind === 'call'
          ? [action.openSource?.vendor]
          : [],
    )
    const own = vendor !== undefined && isOpen(vendor) ? [vendor] : []
    return [...own, ...sources.filter((source): source is Vendor => source !== undefined)].map(
      ({ label }) => label ?? id,
    )
  })
  return [...new Set(labels)]
}

async function startSite(): Promise<string> {
  const pdf = readFileSync('src/reader/document/testing/harbour.pdf')
  const server = createServer((request, response) => {
    const isPdf = request.url?.endsWith('.pdf') === true
    response.writeHead(request.url === '/robots.txt' ? 404 : 200, {
      'content-type': isPdf ? 'application/pdf' : 'text/html; charset=utf-8',
    })
    response.end(isPdf ? pdf : PAGE)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function openCaller(database: Database) {
  const parts = { database, now: systemClock }
  const { live } = await createAccount(parts, { email: 'live@gate.example.com', tier: 'personal' })
  const authenticator = createAuthenticator({ ...parts, cacheSize: 10, cacheMs: 1_000 })
  const caller = await authenticator.authenticate(live.key)
  await authenticator.close()
  await database.query(
    "select ledger_credit($1, $2, $3, 'adjustment', 'adjustments', $4, null, null)",
    [systemClock(), newId(systemClock()), caller.walletId, dollars('1000')],
  )
  return caller
}
