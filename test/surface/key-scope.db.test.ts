/** The access of a key of scope "own": every route, action and tool, with keys of each kind, live and test. */
import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { createAccount } from '../../src/accounts/create-account.ts'
import { openKeySession } from '../../src/auth/records/browser-session.ts'
import { cancelHandler, resultHandler } from '../../src/calls/jobs/job-actions.ts'
import { storedAnswerHandler } from '../../src/calls/idempotency/stored-answer.ts'
import { routeFor } from '../../src/calls/idempotency/claim.ts'
import { storeReference } from '../../src/calls/perform/vendor-references.ts'
import { createCatalog, type Entry } from '../../src/catalog/index.ts'
import { done } from '../../src/catalog/vocabulary/outcome.ts'
import type { LocalHandler } from '../../src/catalog/vocabulary/handlers.ts'
import { createConsult } from '../../src/composites/consult/consult.ts'
import { createStoredConversations } from '../../src/composites/consult/stored-conversations.ts'
import { createDiscover } from '../../src/composites/discover/create-discover.ts'
import { createJobWaiters } from '../../src/jobs/waiters.ts'
import { submitJob } from '../../src/jobs/submit.ts'
import { ownerOf, type Caller } from '../../src/keys/caller.ts'
import { findCaller } from '../../src/keys/find-caller.ts'
import { hashSecret } from '../../src/keys/format.ts'
import type { KeyRecord } from '../../src/keys/key-record.ts'
import { newId, publicId, type IdKind } from '../../src/lib/ids.ts'
import type { Mode } from '../../src/lib/mode.ts'
import { cents, dollars } from '../../src/lib/money.ts'
import { ownRoute } from '../../src/lib/owner.ts'
import { readFileBytes } from '../../src/resources/files/read-file.ts'
import { snapshotHandlers } from '../../src/resources/sessions/snapshot-handlers.ts'
import { startSimulators, type Simulators } from '../../src/simulators/start.ts'
import { tools } from '../../src/surfaces/mcp/tools/tools.ts'
import { createFakeBrowsers } from '../harness/fake-browsers.ts'
import { storeInbox } from '../harness/store-inbox.ts'
import { openAppBed, type AppBed } from '../harness/beds/app.ts'
import { openOwnerSession } from '../harness/owner-session.ts'
import { mcpClient } from '../harness/clients/mcp.ts'

/**
 * The rule for each route. "none": it shows and changes nothing that is stored for an account. "link": the signed
 * link or the sign-in form of the caller is the permission. "holder": only signed-in holders.
 * "operator": only holders of an operator's account; tests are next to the routes.
 * "primary": the primary key and the holder. "scoped": a test below asks it with every kind of key.
 */
const DECISIONS: Readonly<
  Record<'none' | 'link' | 'holder' | 'operator' | 'primary' | 'scoped', readonly string[]>
> = {
  none: [
    'GET /metrics',
    'GET /healthz',
    'GET /readyz',
    'GET /assets/*',
    'GET /favicon.ico',
    'GET /robots.txt',
    'GET /login',
    'GET /signup',
    'GET /sitemap.xml',
    'GET /dashboard',
    'GET /docs',
    'GET /docs/design',
    'GET /status',
    'GET /api/status',
    'GET /docs.md',
    'GET /docs/search',
    'GET /docs/search.json',
    'GET /search.json',
    'GET /docs/images/:name',
    'GET /docs/*',
    'GET /pricing',
    'GET /models',
    'GET /models/*',
    'GET /',
    'GET /guide',
    'GET /api/run',
    'GET /api/run/:service/:action',
    'GET /openapi.json',
    'GET /llms.txt',
    'GET /llms/:page',
    'GET /llms-full.txt',
    'GET /api/catalog',
    'GET /playground',
    'GET /catalog',
    'GET /sdk/:name',
    'GET /catalog/:service',
    'GET /catalog/:service/:action',
    'GET /catalog/:service/:action/*',
    'GET /api/llm/v1/pricing',
    'GET /api/llm/v1/models',
    'POST /api/llm/v1/messages/count_tokens',
    'GET /api/llm/v1/models/*',
    'GET /.well-known/oauth-protected-resource',
    'GET /.well-known/oauth-protected-resource/mcp',
    'GET /.well-known/oauth-authorization-server',
    'GET /.well-known/oauth-authorization-server/mcp',
    'POST /oauth/register',
    'GET /oauth/consent',
    'GET /sign-up',
    'GET /sign-in',
    'POST /sign-in',
    'GET /balance/sign-in',
    'POST /balance/sign-in',
    'GET /balance/sign-out',
    'POST /balance/sign-out',
    'POST /sign-in/passkey/options',
    'POST /sign-in/passkey',
    'GET /balance/buy',
    'GET /credit/buy',
    'GET /credit/alerts',
    'GET /credit/top-up',
    'GET /credit/card',
    'GET /calls/bodies/on',
    'GET /calls/bodies/off',
    'GET /calls/bodies/deleted',
    'GET /balance/calls',
    'GET /balance/calls/:id',
    'GET /keys/:id/alerts',
    'GET /keys/:id/children',
    'GET /keys/:id/pause',
    'GET /keys/:id/rotate',
    'GET /keys/:id/end-former',
    'GET /keys/:id/revoke',
    'GET /team/invitations',
    'GET /team/invitations/:id/revoke',
    'GET /team/leave',
    'GET /team/members/:id/role',
    'GET /team/members/:id/remove',
    'GET /team/switch',
    'GET /invitations/:token/new',
    'GET /browsers/:session/release',
    'GET /webhooks/:id/test',
    'GET /webhooks/:id/status',
    'GET /webhooks/:id/rotate',
    'GET /webhooks/:id/redeliver',
    'GET /webhooks/:id/delete',
    'GET /webhooks/deliveries/:id/redeliver',
  ],
  link: [
    'GET /browsers/:session/cdp',
    'PUT /files/:id',
    'GET /files/:id',
    'GET /sign-in/link',
    'GET /welcome',
    'GET /invitations/:token',
    'POST /invitations/:token',
    'POST /invitations/:token/new',
    'POST /welcome',
    'POST /balance/card-events',
    'POST /oauth/token',
    'POST /oauth/revoke',
  ],
  holder: [
    'GET /account',
    'GET /account/password',
    'POST /account/password',
    'GET /account/passkeys/remove',
    'POST /account/passkeys/remove',
    'GET /account/identities/remove',
    'POST /account/identities/remove',
    'GET /account/sign-out-others',
    'POST /account/sign-out-others',
    'GET /account/browsers/sign-out',
    'POST /account/browsers/sign-out',
    'POST /team/leave',
    'POST /account/passkeys/options',
    'POST /account/passkeys',
    'POST /team/switch',
  ],
  operator: [
    'GET /operate',
    'GET /operate/accounts',
    'GET /operate/accounts/:id',
    'GET /operate/money',
    'GET /operate/money/csv',
    'GET /operate/health',
    'GET /operate/audit',
    'GET /operate/audit/csv',
    'GET /operate/accounts/create',
    'POST /operate/accounts/create',
    'GET /operate/accounts/:id/grant',
    'POST /operate/accounts/:id/grant',
    'GET /operate/accounts/:id/take',
    'POST /operate/accounts/:id/take',
    'GET /operate/accounts/:id/link',
    'POST /operate/accounts/:id/link',
    'GET /operate/accounts/:id/daily-cap',
    'POST /operate/accounts/:id/daily-cap',
    'GET /operate/accounts/:id/pause',
    'POST /operate/accounts/:id/pause',
    'GET /operate/accounts/:id/resume',
    'POST /operate/accounts/:id/resume',
    'GET /operate/accounts/:id/close',
    'POST /operate/accounts/:id/close',
    'GET /operate/accounts/:id/operator',
    'POST /operate/accounts/:id/operator',
    'GET /operate/money/resolve',
    'POST /operate/money/resolve',
    'GET /operate/health/cancel-job',
    'POST /operate/health/cancel-job',
    'GET /operate/health/enable-webhook',
    'POST /operate/health/enable-webhook',
    'GET /operate/health/redeliver',
    'POST /operate/health/redeliver',
    'GET /operate/settings',
    'GET /operate/settings/check',
    'POST /operate/settings/check',
    'GET /operate/vendors',
    'GET /operate/vendors/add',
    'POST /operate/vendors/add',
    'GET /operate/vendors/clear-route',
    'POST /operate/vendors/clear-route',
    'GET /operate/vendors/replace',
    'POST /operate/vendors/replace',
    'GET /operate/vendors/restore',
    'POST /operate/vendors/restore',
    'GET /operate/vendors/test',
    'POST /operate/vendors/test',
    'GET /operate/vendors/test-all',
    'POST /operate/vendors/test-all',
  ],
  primary: [
    'GET /api/v1/changes',
    'GET /team',
    'POST /team/invitations',
    'POST /team/invitations/:id/revoke',
    'POST /team/members/:id/role',
    'POST /team/members/:id/remove',
    'GET /api/v1/members',
    'PATCH /api/v1/members/:id',
    'DELETE /api/v1/members/:id',
    'GET /api/v1/members/invitations',
    'POST /api/v1/members/invitations',
    'DELETE /api/v1/members/invitations/:id',
    'GET /api/v1/alerts',
    'PUT /api/v1/alerts',
    'PUT /api/v1/agents/:id/alerts',
    'POST /api/v1/agents',
    'PATCH /api/v1/agents/:id',
    'POST /api/v1/agents/:id/rotate',
    'DELETE /api/v1/agents/:id',
    'POST /keys',
    'POST /keys/:id',
    'GET /keys/new',
    'GET /keys/:id/children/new',
    'POST /keys/:id/alerts',
    'POST /keys/:id/children',
    'POST /keys/:id/pause',
    'POST /keys/:id/rotate',
    'POST /keys/:id/end-former',
    'POST /keys/:id/revoke',
    'POST /balance/first-steps',
    'POST /credit/alerts',
    'POST /credit/top-up',
    'POST /credit/card',
    'GET /oauth/authorize',
    'POST /oauth/consent',
  ],
  scoped: [
    'GET /api/v1/agents',
    'GET /api/v1/agents/me',
    'GET /api/v1/agents/me/children',
    'POST /api/v1/agents/me/children',
    'DELETE /api/v1/agents/me/children/:id',
    'GET /api/v1/balance',
    'GET /api/v1/calls',
    'GET /api/v1/calls/:id',
    'GET /api/v1/transactions',
    'GET /api/v1/spending',
    'POST /api/run/:service/:action',
    'POST /playground/test/run/:service/:action',
    'POST /playground/test/price/:service/:action',
    'POST /playground/test/chat/completions',
    'GET /playground/test/calls/:id',
    'GET /playground/live/calls/:id',
    'POST /playground/live/run/:service/:action',
    'POST /playground/live/price/:service/:action',
    'POST /playground/live/chat/completions',
    'POST /api/llm/v1/chat/completions',
    'POST /api/llm/v1/completions',
    'POST /api/llm/v1/messages',
    'POST /api/llm/v1/responses',
    'POST /api/llm/v1/embeddings',
    'POST /api/llm/v1/images/generations',
    'POST /api/llm/v1/images',
    'POST /api/llm/v1/audio/speech',
    'GET /api/llm/v1/key',
    'GET /api/llm/v1/auth/key',
    'GET /api/llm/v1/credits',
    'GET /api/llm/v1/generation',
    'POST /api/fetch',
    'POST /mcp',
    'GET /balance',
    'GET /balance/transactions',
    'GET /balance/transactions.csv',
    'GET /balance/first-steps',
    'GET /balance/spending',
    'GET /credit',
    'GET /credit/return',
    'GET /credit/cancelled',
    'GET /credit/receipts/:id',
    'POST /credit/buy',
    'GET /calls',
    'GET /calls.csv',
    'GET /calls/find',
    'GET /calls/bodies',
    'POST /calls/bodies/on',
    'POST /calls/bodies/off',
    'POST /calls/bodies/deleted',
    'GET /calls/:id',
    'GET /calls/stream',
    'GET /api/v1/calls/stream',
    'GET /keys',
    'GET /keys/:id',
    'GET /changes',
    'GET /api/v1/agents/:id/alerts',
    'GET /api/v1/events',
    'GET /api/v1/events/:id',
    'GET /api/v1/webhooks',
    'POST /api/v1/webhooks',
    'GET /api/v1/webhooks/:id',
    'PATCH /api/v1/webhooks/:id',
    'DELETE /api/v1/webhooks/:id',
    'POST /api/v1/webhooks/:id/rotate',
    'POST /api/v1/webhooks/:id/test',
    'POST /api/v1/webhooks/:id/redeliver',
    'GET /api/v1/webhooks/deliveries',
    'GET /api/v1/webhooks/deliveries/:id',
    'POST /api/v1/webhooks/deliveries/:id/redeliver',
    'GET /api/v1/webhooks/job-secret',
    'POST /api/v1/repositories/:repo/clone-url',
    'GET /api/v1/inboxes',
    'DELETE /api/v1/inboxes/:inbox',
    'DELETE /api/v1/inboxes/:inbox/messages',
    'GET /api/v1/cassettes',
    'GET /api/v1/cassettes/:name',
    'DELETE /api/v1/cassettes/:name',
    'GET /api/v1/cassettes/:name/recordings',
    'POST /api/v1/cassettes/:name/recordings',
    'GET /browsers',
    'GET /browsers/:session',
    'POST /browsers/:session/release',
    'GET /api/v1/browsers/:session/live',
    'GET /webhooks',
    'POST /webhooks',
    'GET /webhooks/new',
    'GET /webhooks/:id',
    'POST /webhooks/:id',
    'POST /webhooks/:id/test',
    'POST /webhooks/:id/status',
    'POST /webhooks/:id/rotate',
    'POST /webhooks/:id/redeliver',
    'POST /webhooks/:id/delete',
    'GET /webhooks/deliveries/:id',
    'POST /webhooks/deliveries/:id/redeliver',
  ],
}

/** Actions of the gateway's own: those that touch something stored, which tests below call, and those that only make something. */
const LOCAL_ACTIONS = {
  scoped: [
    'core/result',
    'core/cancel',
    'core/consult',
    'media/result',
    'files/get',
    'reader/document',
    'files/list',
    'files/delete',
    'boxd/snapshot',
    'boxd/list_snapshots',
    'boxd/delete_snapshot',
    'boxd/create_session',
  ],
  makes: [
    'files/upload',
    'files/upload_from_url',
    'core/onescrape',
    'core/discover',
    'core/onescrape-deep',
    'core/onefind',
    'core/onefind-deep',
    'core/onesearch',
    'core/onesearch-deep',
    'core/produce_demo',
    'core/produce_autodemo',
    'scraping/scrape',
    'boxa/create_session',
    'boxb/create_session',
    'boxc/create_session',
    'boxe/create_session',
  ],
} as const

/** `session` and `close` have tests below; `run` and `result` are catalog calls; `balance` and `budget` equal their routes. */
const TOOLS = {
  none: ['discover', 'describe'],
  scoped: ['run', 'result', 'balance', 'budget', 'session', 'close'],
} as const

type Who = {
  readonly key: string
  readonly caller: Caller
  readonly id: string
  readonly session: string
}
/** `maker` and `sibling` have scope "own", `wide` has "account"; `primary` and `holder` manage the account. */
type Keys = Readonly<Record<'maker' | 'sibling' | 'wide' | 'primary' | 'stranger', Who>> & {
  readonly holder: string
}

const MODELS = {
  data: [{ id: 'test/model', pricing: { prompt: '0.000001', completion: '0.000001' } }],
}
const COMPLETION = {
  id: 'c',
  object: 'chat.completion',
  model: 'test/model',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}
/** A machine, and a snapshot of it that is finished. */
const DEVBOX = { id: 'dbx_1', status: 'complete' }

const routes: string[] = []
const actions = createCatalog().allActions()
const asking = actions.filter(
  ({ action }) => action.kind === 'call' && action.ownership?.targetId !== undefined,
)

let bed: AppBed
let simulators: Simulators
let keysOf: Readonly<Record<Mode, Keys>>

before(async () => {
  simulators = await startSimulators({ now: Date.now })
  diagnostics.subscribe('fastify.initialization', noteRoutes)
  const local = new Map<string, LocalHandler>()
  const late = (name: string) =>
    [name, (input, callTools) => local.get(name)?.(input, callTools) ?? assert.fail(name)] as [
      string,
      LocalHandler,
    ]
  const cards = { packs: [500], range: [500, 5_000], seller: 'Shop' } as unknown as NonNullable<
    Parameters<typeof openAppBed>[0]
  >['cards']
  bed = await openAppBed({
    browsers: createFakeBrowsers().own,
    simulatorUrl: simulators.url,
    metricsToken: 'm'.repeat(32),
    ...(cards === undefined ? {} : { cards }),
    local: new Map(
      [
        'core.result',
        'core.cancel',
        'media.result',
        'core.consult',
        'boxd.snapshot',
        'boxd.list_snapshots',
        'boxd.delete_snapshot',
        'reader.document',
      ].map(late),
    ),
  })
  diagnostics.unsubscribe('fastify.initialization', noteRoutes)
  const {
    database,
    clock,
    calls: { catalog, validator, lanes },
  } = bed
  bed.vendor.answerWith(({ path }) => ({
    body: path.endsWith('/models')
      ? MODELS
      : path.endsWith('/chat/completions')
        ? COMPLETION
        : path.startsWith('/v1/devboxes')
          ? DEVBOX
          : {},
  }))
  const ends = createJobWaiters()
  local
    .set('core.result', resultHandler(database, ends))
    .set('core.cancel', cancelHandler(database))
    .set('media.result', storedAnswerHandler(database, ends, 'media/generate'))
  // Reads the stored file as the product does, and returns its size instead of parsing it.
  local.set('reader.document', async ({ file_id: fileId }, call) => {
    const { bytes } = await readFileBytes(bed.files, call, String(fileId), 1_000)
    return done({ bytes: bytes.length })
  })
  for (const [name, handler] of snapshotHandlers(bed.sessions, 'boxd')) local.set(name, handler)
  local.set(
    'core.consult',
    createConsult({
      catalog,
      validator,
      discover: createDiscover({ services: catalog.services, laneOf: lanes.statusOf }),
      laneOf: lanes.statusOf,
      conversations: createStoredConversations({ database, now: clock }),
    }),
  )
  const stranger = await createAccount(
    { database, now: clock },
    { email: 'far@gate.example.com', tier: 'personal' },
  )
  keysOf = {
    live: await openKeys('live', stranger.live.key),
    test: await openKeys('test', stranger.test.key),
  }
})
after(() => simulators.close())

function noteRoutes(message: unknown): void {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url }) => {
    routes.push(...[method].flat().map((one) => `${one} ${url}`))
  })
}

async function openKeys(mode: Mode, far: string): Promise<Keys> {
  const { database, clock } = bed
  const parts = { database, now: clock }
  const make = async (label: string, scope: 'own' | 'account' | undefined): Promise<Who> => {
    const made = await send('POST', '/api/v1/agents', bed.liveKey, {
      label: `${label}-${mode}`,
      mode,
      ceiling_cents: 5_000,
      ...(scope === undefined ? {} : { scope }),
    })
    const { key, scope: given } = made.data as KeyRecord & { key: string }
    assert.deepEqual([made.status, given], [201, scope ?? 'own'])
    return whoHas(key)
  }
  const whoHas = async (key: string): Promise<Who> => {
    const found = await findCaller(database, hashSecret(key), clock())
    assert.ok(found !== null)
    return {
      key,
      caller: found.caller,
      id: publicId('key', found.caller.keyId),
      session: await openKeySession(parts, key),
    }
  }
  const primary = await whoHas(mode === 'live' ? bed.liveKey : bed.testKey)
  for (const { walletId } of [primary.caller, (await whoHas(far)).caller])
    await database.query(
      "select ledger_credit($1, $2, $3, 'adjustment', 'adjustments', $4, null, null)",
      [clock(), newId(clock()), walletId, dollars('500')],
    )
  return {
    maker: await make('maker', undefined),
    sibling: await make('sibling', 'own'),
    wide: await make('wide', 'account'),
    primary,
    stranger: await whoHas(far),
    holder: await openOwnerSession(parts, primary.caller.accountId),
  }
}

type Told = {
  readonly status: number
  readonly text: string
  readonly data: unknown
  readonly code: string | undefined
  readonly headers: Readonly<Record<string, unknown>>
}

async function send(
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  url: string,
  key: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Told> {
  const reply = await bed.app.inject({
    method,
    url,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
  const isJson = String(reply.headers['content-type']).startsWith('application/json')
  const { data, error } = isJson ? reply.json<{ data?: unknown; error?: { code: string } }>() : {}
  return {
    status: reply.statusCode,
    text: reply.body.replaceAll(/req_\w+/g, 'req'),
    data,
    code: error?.code,
    headers: reply.headers,
  }
}

const run = (
  action: string,
  key: string,
  body: unknown,
  headers?: Record<string, string>,
): Promise<Told> => send('POST', `/api/run/${action}`, key, body, headers)
const page = async (url: string, token: string, mode: Mode, isHolder = false): Promise<Told> => {
  const reply = await bed.app.inject({
    method: 'GET',
    url: isHolder ? `${url}?mode=${mode}` : url,
    headers: { cookie: `__Host-tollgate-page=${token}` },
  })
  return {
    status: reply.statusCode,
    text: reply.body,
    data: undefined,
    code: undefined,
    headers: reply.headers,
  }
}

/** Requested with each kind of key. Its creator and the account get `sees`; all others get the answer for a missing resource. */
async function askAll(
  mode: Mode,
  ask: (key: string, id: string) => Promise<Told>,
  {
    id,
    never,
    sees,
    isOfBothModes = false,
  }: {
    readonly id: string
    readonly never: string
    readonly sees: (told: Told) => boolean
    /** Whether live and test keys of the account share it. */
    readonly isOfBothModes?: boolean
  },
): Promise<void> {
  const { maker, sibling, wide, primary, stranger } = keysOf[mode]
  const otherMode = keysOf[mode === 'live' ? 'test' : 'live']
  const [seers, others] = isOfBothModes ? [[otherMode.wide], []] : [[], [otherMode.wide]]
  for (const { key, id: who } of [maker, wide, primary, ...seers]) {
    const told = await ask(key, id)
    assert.ok(sees(told), `${who} ${told.text}`)
  }
  for (const { key } of [sibling, stranger, otherMode.maker, ...others]) {
    const [told, missing] = [await ask(key, id), await ask(key, never)]
    assert.equal(told.status, 404, told.text)
    assert.equal(told.text.replaceAll(id, 'ID'), missing.text.replaceAll(never, 'ID'))
  }
}

describe('the decisions', () => {
  it('name every route, every own action and every tool exactly once', () => {
    const known = routes.filter((route) => !/^(HEAD|OPTIONS) /.test(route))
    assert.deepEqual([...new Set(known)].sort(), Object.values(DECISIONS).flat().sort())
    assert.deepEqual(
      actions
        .filter(({ action }) => action.kind === 'local')
        .map(nameOf)
        .sort(),
      Object.values(LOCAL_ACTIONS).flat().sort(),
    )
    assert.deepEqual(tools.map(({ name }) => name).sort(), Object.values(TOOLS).flat().sort())
  })
})

function nameOf({ service, name }: Entry): string {
  return `${service.id}/${name}`
}

for (const mode of ['live', 'test'] as const) {
  describe(`a ${mode} key of scope "own"`, () => {
    it('lists itself alone among the keys, and the whole account lists all', async () => {
      const { maker, sibling, wide, primary } = keysOf[mode]
      for (const { key, id } of [maker, sibling]) {
        assert.deepEqual(
          ((await send('GET', '/api/v1/agents', key)).data as KeyRecord[]).map((one) => one.id),
          [id],
        )
        assert.equal(((await send('GET', '/api/v1/agents/me', key)).data as KeyRecord).id, id)
      }
      for (const { key } of [wide, primary]) {
        const ids = ((await send('GET', '/api/v1/agents', key)).data as KeyRecord[]).map(
          (one) => one.id,
        )
        for (const { id } of [maker, sibling, wide, primary]) assert.ok(ids.includes(id))
      }
    })

    it('lists and ends only its own child keys', async () => {
      const { maker, sibling, wide, primary } = keysOf[mode]
      const children = '/api/v1/agents/me/children'
      const patched = await send('PATCH', `/api/v1/agents/${maker.id}`, primary.key, {
        may_mint: true,
      })
      assert.equal(patched.status, 200)
      const child = (await send('POST', children, maker.key)).data as KeyRecord
      for (const { key } of [sibling, wide]) {
        assert.deepEqual((await send('GET', children, key)).data, [])
        assert.equal((await send('DELETE', `${children}/${child.id}`, key)).status, 404)
        assert.equal((await send('POST', children, key)).status, 403)
      }
      const listed = (await send('GET', children, maker.key)).data as KeyRecord[]
      assert.deepEqual(
        listed.map(({ id }) => id),
        [child.id],
      )
      assert.equal((await send('DELETE', `${children}/${child.id}`, maker.key)).status, 200)
    })

    it('changes no key, with equal answers for its own, other and unknown keys', async () => {
      const { maker, sibling, wide } = keysOf[mode]
      for (const { key } of [maker, wide]) {
        for (const id of [maker.id, sibling.id, publicId('key', newId(bed.clock()))]) {
          for (const [method, path, body] of [
            ['PATCH', '', { scope: 'account' }],
            ['POST', '/rotate', {}],
            ['DELETE', '', undefined],
          ] as const)
            assert.deepEqual(
              [(await send(method, `/api/v1/agents/${id}${path}`, key, body)).code],
              ['key_cannot_mint_keys'],
            )
        }
        assert.equal((await send('POST', '/api/v1/agents', key, {})).code, 'key_cannot_mint_keys')
      }
    })

    it('reads, lists and deletes its own files alone', async () => {
      const { maker, sibling, wide } = keysOf[mode]
      const { data } = await run('files/upload', maker.key, { filename: 'a.txt', size_bytes: 3 })
      const { file_id: id, put_url: url } = data as { file_id: string; put_url: string }
      assert.equal(
        (
          await bed.app.inject({
            method: 'PUT',
            url: url.replace('https://gate.example', ''),
            payload: 'abc',
          })
        ).statusCode,
        200,
      )
      const never = publicId('file', newId(bed.clock()))
      await askAll(mode, (key, fileId) => run('files/get', key, { file_id: fileId }), {
        id,
        never,
        sees: ({ status }) => status === 200,
      })
      const asDocument = async (key: string, fileId: string) =>
        (await run('reader/document', key, { file_id: fileId })).status
      assert.deepEqual(
        [await asDocument(sibling.key, id), await asDocument(sibling.key, never)],
        [404, 404],
      )
      assert.notEqual(await asDocument(maker.key, id), 404)
      const listed = async (key: string): Promise<{ ids: string[]; used_bytes: number }> => {
        const { files, used_bytes } = (await run('files/list', key, {})).data as {
          files: { file_id: string }[]
          used_bytes: number
        }
        return { ids: files.map((file) => file.file_id), used_bytes }
      }
      assert.deepEqual(await listed(maker.key), { ids: [id], used_bytes: 3 })
      assert.deepEqual(await listed(sibling.key), { ids: [], used_bytes: 0 })
      assert.ok((await listed(wide.key)).ids.includes(id))
      assert.equal((await run('files/delete', sibling.key, { file_id: id })).status, 404)
      assert.equal((await run('files/delete', maker.key, { file_id: id })).status, 200)
    })

    it('takes, lists, deletes and resumes its own snapshots alone', async () => {
      const { maker, sibling, wide } = keysOf[mode]
      const { session_id: session } = (await run('boxd/create_session', maker.key, {})).data as {
        session_id: string
      }
      await askAll(mode, (key, asked) => run('boxd/snapshot', key, { session_id: asked }), {
        id: session,
        never: publicId('session', newId(bed.clock())),
        sees: ({ status }) => status === 200,
      })
      const listed = async (key: string): Promise<string[]> =>
        (
          (await run('boxd/list_snapshots', key, {})).data as {
            snapshots: { snapshot_id: string }[]
          }
        ).snapshots.map((one) => one.snapshot_id)
      const [own, all] = [await listed(maker.key), await listed(wide.key)]
      assert.deepEqual(
        [own.length, all.length, all.includes(own[0] ?? ''), await listed(sibling.key)],
        [1, 3, true, []],
      )
      const [id = ''] = own
      const never = publicId('snapshot', newId(bed.clock()))
      await askAll(mode, (key, asked) => run('boxd/create_session', key, { snapshot_id: asked }), {
        id,
        never,
        sees: ({ status }) => status === 200,
      })
      for (const asked of [id, never])
        assert.deepEqual(
          [(await run('boxd/delete_snapshot', sibling.key, { snapshot_id: asked })).code],
          ['unknown_snapshot'],
        )
      assert.equal((await run('boxd/delete_snapshot', maker.key, { snapshot_id: id })).status, 200)
    })

    it('reads and changes its own events, webhooks and deliveries alone', async () => {
      const { maker, sibling, wide, stranger } = keysOf[mode]
      const ids = ({ data }: Told) => (data as { id: string }[]).map(({ id }) => id)
      const never = (kind: IdKind): string => publicId(kind, newId(bed.clock()))
      const list = '/api/v1/webhooks'
      const hook = { url: 'https://ops.example.com/own', events: ['*'] }
      const { id } = (await send('POST', list, maker.key, hook)).data as { id: string }
      const fine = { id, never: never('webhook'), sees: ({ status }: Told) => status < 300 }
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['PATCH', '', { label: 'mine' }],
        ['POST', '/rotate', {}],
        ['POST', '/redeliver', { since: '2020-01-01' }],
        ['POST', '/test', {}],
      ] as const)
        await askAll(mode, (key, one) => send(method, `${list}/${one}${path}`, key, body), fine)
      const [delivery] = ids(await send('GET', `${list}/deliveries`, maker.key))
      const [event] = ids(await send('GET', '/api/v1/events', maker.key))
      assert.ok(delivery !== undefined && event !== undefined)
      const asked = { never: never('delivery'), id: delivery, sees: fine.sees }
      await askAll(mode, (key, one) => send('GET', `${list}/deliveries/${one}`, key), asked)
      const repeat = (key: string, one: string): Promise<Told> =>
        send('POST', `${list}/deliveries/${one}/redeliver`, key, {})
      await askAll(mode, repeat, asked)
      const one = { never: never('event'), id: event, sees: fine.sees }
      await askAll(mode, (key, it) => send('GET', `/api/v1/events/${it}`, key), one)
      for (const { key } of [sibling, stranger])
        for (const url of [list, `${list}/deliveries`, '/api/v1/events'])
          assert.deepEqual(ids(await send('GET', url, key)), [], url)
      // A webhook of the account, and its deliveries of events of the key, belong to the account.
      const whole = (await send('POST', list, wide.key, hook)).data as { id: string }
      await send('POST', `${list}/${whole.id}/test`, wide.key, {})
      assert.equal(ids(await send('GET', list, maker.key)).includes(whole.id), false)
      assert.equal((await send('GET', `${list}/${whole.id}`, maker.key)).status, 404)
      const secret = (key: string) => send('GET', `${list}/job-secret`, key)
      const secrets = await Promise.all([maker, sibling, wide].map(({ key }) => secret(key)))
      assert.equal(new Set(secrets.map(({ text }) => text)).size, 3)
      await askAll(mode, (key, it) => send('GET', `${list}/${it}`, key), fine)
      const deletion = await send('DELETE', `${list}/${id}`, sibling.key)
      assert.deepEqual([deletion.status, deletion.code], [404, 'unknown_webhook'])
      assert.equal((await send('DELETE', `${list}/${id}`, maker.key)).status, 200)
    })

    it('sees and deletes its own inboxes alone', async () => {
      const { maker, sibling, wide, stranger } = keysOf[mode]
      const list = '/api/v1/inboxes'
      const { accountId, keyId } = maker.caller
      const inbox = await storeInbox(bed, { accountId, keyId })
      const ids = async (key: string): Promise<readonly string[]> =>
        ((await send('GET', list, key)).data as { inbox_id: string }[]).map((one) => one.inbox_id)
      const message = `/messages?message_id=${encodeURIComponent('<1@sender.example>')}`
      for (const { key } of [sibling, stranger]) {
        assert.deepEqual(await ids(key), [])
        for (const path of ['', message])
          assert.equal((await send('DELETE', `${list}/${inbox}${path}`, key)).code, 'unknown_inbox')
      }
      // Inboxes of test keys are simulated.
      const seen = mode === 'live' ? [inbox] : []
      assert.deepEqual([await ids(maker.key), await ids(wide.key)], [seen, seen])
      const status = mode === 'live' ? 200 : 404
      for (const path of [message, ''])
        assert.equal((await send('DELETE', `${list}/${inbox}${path}`, maker.key)).status, status)
    })

    it('sees, replays and deletes its own cassettes alone', async () => {
      const { maker, sibling, wide, stranger } = keysOf[mode]
      const list = '/api/v1/cassettes'
      const use = (key: string, cassette: string): Promise<Told> =>
        send(
          'POST',
          '/api/run/core/discover',
          key,
          { query: 'read a page' },
          {
            'x-tollgate-cassette': cassette,
          },
        )
      const recordings = [
        {
          route: 'run/core/discover',
          input: { query: 'read a page' },
          status: 200,
          answer: { ok: true },
          model: null,
          charged_micros: 0,
          live: true,
          recorded_at: '2026-01-01T00:00:00Z',
        },
      ]
      const made = await send('POST', `${list}/mine/recordings`, maker.key, { recordings })
      assert.equal(made.status, 201, made.text)
      const { id } = made.data as { id: string }
      const asked = {
        id,
        never: publicId('cassette', newId(bed.clock())),
        sees: ({ status }: Told) => status === 200,
        isOfBothModes: true,
      }
      for (const path of ['', '/recordings'])
        await askAll(mode, (key, one) => send('GET', `${list}/${one}${path}`, key), asked)
      for (const { key } of [sibling, wide, stranger])
        for (const [method, path] of [
          ['GET', ''],
          ['GET', '/recordings'],
          ['DELETE', ''],
        ] as const)
          assert.equal((await send(method, `${list}/mine${path}`, key)).code, 'unknown_cassette')
      for (const { key } of [sibling, stranger]) {
        assert.deepEqual((await send('GET', list, key)).data, [])
        assert.equal((await send('DELETE', `${list}/${id}`, key)).code, 'unknown_cassette')
        assert.equal((await use(key, 'mine; mode=replay')).code, 'cassette_miss')
      }
      assert.equal((await send('DELETE', `${list}/${id}`, maker.key)).status, 200)
    })

    it('sees its own webhooks on the page, and submits no form for others', async () => {
      const { maker, sibling, wide } = keysOf[mode]
      const hook = { url: 'https://ops.example.com/page', events: ['*'], label: `page-${mode}` }
      const made = await send('POST', '/api/v1/webhooks', wide.key, hook)
      const { id } = made.data as { id: string }
      assert.equal((await page('/webhooks', maker.session, mode)).text.includes(hook.label), false)
      assert.equal((await page('/webhooks', wide.session, mode)).text.includes(hook.label), true)
      assert.equal((await page(`/webhooks/${id}`, sibling.session, mode)).status, 404)
      for (const form of ['', '/test', '/status', '/rotate', '/redeliver', '/delete']) {
        const { statusCode } = await bed.app.inject({
          method: 'POST',
          url: `/webhooks/${id}${form}`,
          headers: {
            cookie: `__Host-tollgate-page=${maker.session}`,
            'content-type': 'application/x-www-form-urlencoded',
          },
          payload: `status=disabled&sure=yes&grace_seconds=0&once=${'x'.repeat(43)}&event+job.failed=yes`,
        })
        assert.equal(statusCode, 404, form)
      }
      const kept = await send('GET', `/api/v1/webhooks/${id}`, wide.key)
      assert.equal((kept.data as { status: string }).status, 'active')
      await send('DELETE', `/api/v1/webhooks/${id}`, wide.key)
    })

    it('reads its own alerts and changes none', async () => {
      const { maker, sibling, wide, primary } = keysOf[mode]
      const alerts = (id: string): string => `/api/v1/agents/${id}/alerts`
      assert.equal((await send('GET', alerts(maker.id), maker.key)).status, 200)
      assert.equal((await send('GET', alerts(sibling.id), maker.key)).status, 404)
      const percents = { threshold_percents: [70] }
      for (const { key } of [maker, wide])
        for (const told of [
          await send('PUT', alerts(maker.id), key, percents),
          await send('PUT', '/api/v1/alerts', key, { low_balance_cents: 1 }),
          await send('GET', '/api/v1/alerts', key),
        ])
          assert.equal(told.code, 'key_cannot_mint_keys')
      assert.equal((await send('GET', '/api/v1/alerts', primary.key)).status, 200)
    })

    it('polls and cancels its own jobs alone', async () => {
      const { maker, sibling } = keysOf[mode]
      const id = newId(bed.clock())
      const { accountId, walletId, budgetId } = maker.caller
      const hold = {
        id,
        walletId,
        budgetId,
        amount: cents('1'),
        deadlineMs: bed.clock() + 60_000,
        kind: 'job',
        service: 'core',
        action: 'onefind-deep',
        externalId: null,
        claim: null,
      } as const
      await submitJob(
        bed.database,
        {
          hold,
          accountId,
          mode,
          input: {},
          isDeep: false,
          deadlineMs: bed.clock() + 60_000,
          answer: { status: 200, body: '{}' },
        },
        bed.clock(),
      )
      const [jobId, never] = [publicId('job', id), publicId('job', newId(bed.clock()))]
      for (const action of ['core/result', 'media/result'])
        await askAll(mode, (key, asked) => run(action, key, { job_id: asked }), {
          id: jobId,
          never,
          sees: ({ status }) => status === 200,
        })
      const client = mcpClient(bed)
      assert.deepEqual(
        [
          (await client.tool('result', { job_id: jobId }, { key: sibling.key })).structuredContent
            .error.code,
          (await client.tool('result', { job_id: jobId }, { key: maker.key })).structuredContent.ok,
        ],
        ['unknown_job', true],
      )
      assert.equal((await run('core/cancel', sibling.key, { job_id: jobId })).status, 404)
      await askAll(mode, (key, asked) => run('core/cancel', key, { job_id: asked }), {
        id: jobId,
        never,
        sees: ({ status }) => status === 200,
      })
    })

    it('reads the stored answers of its own media calls alone', async () => {
      const { maker } = keysOf[mode]
      const id = newId(bed.clock())
      await bed.database.query(
        "insert into answers (account_id, route, idempotency_key, call_id, fingerprint, status, body, expires_ms) values ($1, $2, 'k', $3, 'x', 200, $4, $5)",
        [
          maker.caller.accountId,
          ownRoute(maker.caller, routeFor(mode, 'media/generate')),
          id,
          JSON.stringify({ data: { shown: true } }),
          bed.clock() + 60_000,
        ],
      )
      await askAll(mode, (key, asked) => run('media/result', key, { transaction_id: asked }), {
        id: publicId('transaction', id),
        never: publicId('transaction', newId(bed.clock())),
        sees: ({ text }) => text.includes('"shown":true'),
      })
    })

    it('continues only its own conversations', async () => {
      const { maker } = keysOf[mode]
      const { data } = await run('core/consult', maker.key, {
        intent: 'read the page https://example.com/',
      })
      const { conversation_id: id } = data as { conversation_id: string }
      await askAll(
        mode,
        (key, asked) =>
          run('core/consult', key, { intent: 'the same again', conversation_id: asked }),
        {
          id,
          never: publicId('conversation', newId(bed.clock())),
          sees: ({ status }) => status === 200,
        },
      )
    })

    for (const entry of asking) {
      it(`asks ${nameOf(entry)} about what it made itself alone`, async () => {
        const { action, service } = entry
        if (action.kind !== 'call' || action.ownership?.targetId === undefined)
          return assert.fail('it asks')
        const asked =
          action.ownership.targetId(bed.calls.validator.validate(action.input, action.example)) ??
          assert.fail('it asks')
        const { maker } = keysOf[mode]
        const [id, never] = [`${asked}-${mode}`, `${asked}-never`]
        await storeReference(
          bed.database,
          { ...ownerOf(maker.caller), service: service.id },
          id,
          bed.clock(),
        )
        const ask = (key: string, reference: string): Promise<Told> =>
          run(
            nameOf(entry),
            key,
            Object.fromEntries(
              Object.entries(action.example).map(([name, value]) => [
                name,
                value === asked ? reference : value,
              ]),
            ),
          )
        if (service.id === 'browser' && mode === 'live')
          await bed.database.query(
            'insert into browser_sessions (id, account_id, key_id, session, opened_ms, paid_until_ms, lasts_until_ms) values ($1, $2, $3, $4, $5, $6, $6) on conflict (session) do nothing',
            [
              newId(bed.clock()),
              maker.caller.accountId,
              maker.caller.keyId,
              id,
              bed.clock(),
              bed.clock() + 3_600_000,
            ],
          )
        const missing = (await ask(maker.key, never)).text
        await askAll(mode, ask, { id, never, sees: (told) => told.text !== missing })
      })
    }

    it('lists, shows, watches and releases only the browser sessions that it opened', async () => {
      const { maker, sibling, wide, primary, stranger, holder } = keysOf[mode]
      const session = `watched-${mode}`
      const row = newId(bed.clock())
      await bed.database.query(
        'insert into browser_sessions (id, account_id, key_id, session, opened_ms, paid_until_ms, lasts_until_ms) values ($1, $2, $3, $4, $5, $6, $6)',
        [
          row,
          keysOf.live.maker.caller.accountId,
          keysOf.live.maker.caller.keyId,
          session,
          bed.clock(),
          bed.clock() + 3_600_000,
        ],
      )
      const seers = mode === 'live' ? [maker, wide, primary] : []
      for (const who of [maker, wide, primary, sibling, stranger]) {
        const sees = seers.includes(who)
        const list = await page('/browsers', who.session, mode)
        assert.equal(list.text.includes(session), sees)
        const one = await page(`/browsers/${session}`, who.session, mode)
        assert.equal(one.status, sees ? 200 : 404)
        // A session of a vendor has no image.
        const live = await send('GET', `/api/v1/browsers/${session}/live`, who.key)
        assert.equal(live.status, sees ? 400 : 404)
        const released = await bed.app.inject({
          method: 'POST',
          url: `/browsers/${session}/release`,
          headers: {
            cookie: `__Host-tollgate-page=${who.session}`,
            'content-type': 'application/x-www-form-urlencoded',
          },
          payload: 'sure=no',
        })
        assert.equal(released.statusCode, sees ? 400 : 404)
      }
      const held = await page(`/browsers/${session}`, holder, mode, true)
      assert.equal(held.status, mode === 'live' ? 200 : 404)
      await bed.database.query('delete from browser_sessions where id = $1', [row])
    })

    it('reads only the vendor jobs that it launched', async () => {
      const { maker } = keysOf[mode]
      const id = newId(bed.clock())
      await bed.database.query(
        "insert into jobs (id, account_id, mode, wallet_id, budget_id, service, action, input, budget_micros, is_deep, created_ms, deadline_ms, vendor_reference, status, finished_ms, error_code, error_message) values ($1, $2, $3, $4, $5, 'companyfind', 'fullenrich-bulk', '{}', 1, false, 1, 2, 'ref', 'failed', 2, 'internal', '')",
        [id, maker.caller.accountId, mode, maker.caller.walletId, maker.caller.keyId],
      )
      const never = publicId('job', newId(bed.clock()))
      const ask = (key: string, asked: string): Promise<Told> =>
        run('companyfind/results', key, { kind: 'lookalikes', job_id: asked })
      const { code } = await ask(maker.key, never)
      await askAll(mode, ask, {
        id: publicId('job', id),
        never,
        sees: (told) => told.code !== code,
      })
    })

    it('sees its own calls in the history, its exports and the sums, and no balance but its own', async () => {
      const { maker, sibling, wide, primary } = keysOf[mode]
      for (const { key } of [maker, sibling])
        assert.equal(
          (await run('files/upload', key, { filename: 'b.txt', size_bytes: 1 })).status,
          200,
        )
      for (const [{ key, id }, other] of [
        [maker, sibling],
        [sibling, maker],
      ] as const) {
        const lines = (await send('GET', '/api/v1/transactions', key)).data as {
          agent_id: string
          balance_after_micros: number | null
        }[]
        assert.ok(
          lines.length > 0 &&
            lines.every((line) => line.agent_id === id && line.balance_after_micros === null),
        )
        assert.deepEqual((await send('GET', `/api/v1/transactions?key=${other.id}`, key)).data, [])
        for (const format of ['csv', 'ndjson']) {
          const { text } = await send('GET', `/api/v1/transactions?format=${format}`, key)
          assert.deepEqual([text.includes(id), text.includes(other.id)], [true, false])
        }
        const { keys, total } = (await send('GET', '/api/v1/spending', key)).data as {
          keys: { agent_id: string }[]
          total: { charged_micros: number }
        }
        assert.deepEqual(
          keys.map((one) => one.agent_id),
          [id],
        )
        const own = (await send('GET', '/api/v1/agents/me', key)).data as {
          spendable_micros: number
          spent_micros: number
        }
        const balance = (await send('GET', '/api/v1/balance', key)).data as {
          available_micros: number
          balance_micros: number
          held_micros: number
          spent_month_micros: number
          lots: unknown[]
        }
        assert.deepEqual(
          [
            balance.available_micros,
            balance.balance_micros - balance.held_micros,
            balance.spent_month_micros,
            balance.lots,
          ],
          [own.spendable_micros, own.spendable_micros, own.spent_micros, []],
        )
        assert.equal(total.charged_micros, own.spent_micros)
        assert.deepEqual((await send('GET', `/api/v1/spending?key=${other.id}`, key)).data, {
          ...((
            await send('GET', `/api/v1/spending?key=${publicId('key', newId(bed.clock()))}`, key)
          ).data as object),
        })
        assert.deepEqual((await send('GET', '/api/llm/v1/credits', key)).data, {
          total_credits: (own.spent_micros + own.spendable_micros) / 1_000_000,
          total_usage: own.spent_micros / 1_000_000,
        })
        for (const path of ['/api/llm/v1/key', '/api/llm/v1/auth/key'])
          assert.equal(
            ((await send('GET', path, key)).data as { usage: number }).usage,
            own.spent_micros / 1_000_000,
          )
        const tool = (await mcpClient(bed).tool('balance', {}, { key })).structuredContent.data
        assert.equal(tool['available_micros'], own.spendable_micros)
      }
      for (const { key } of [wide, primary]) {
        const lines = (await send('GET', '/api/v1/transactions', key)).data as {
          agent_id: string
        }[]
        assert.ok([maker.id, sibling.id].every((id) => lines.some((line) => line.agent_id === id)))
        assert.ok(
          ((await send('GET', '/api/v1/balance', key)).data as { available_micros: number })
            .available_micros > 50_000_000,
        )
      }
    })

    it('has an idempotency namespace of its own, on every surface that charges', async () => {
      const { maker, sibling, wide, primary } = keysOf[mode]
      const same = { 'idempotency-key': `same-${mode}` }
      const ask = (key: string, name = 'c.txt'): Promise<Told> =>
        run('files/upload', key, { filename: name, size_bytes: 1 }, same)
      const first = await ask(maker.key)
      assert.deepEqual([first.status, first.headers['x-credits-remaining-cents']], [200, undefined])
      assert.deepEqual(
        [(await ask(maker.key)).text, (await ask(maker.key)).headers['idempotency-replayed']],
        [first.text, 'true'],
      )
      const byOthers = [await ask(sibling.key), await ask(wide.key)]
      for (const { text, status, headers } of byOthers)
        assert.deepEqual(
          [status, headers['idempotency-replayed'], text === first.text],
          [200, undefined, false],
        )
      assert.equal((await ask(sibling.key, 'd.txt')).code, 'idempotency_key_reused', 'its own')
      assert.equal(
        (await ask(primary.key)).text,
        byOthers[1]?.text,
        'keys with the whole account share one',
      )
      const viaTool = await mcpClient(bed).tool(
        'run',
        {
          service: 'files',
          action: 'upload',
          params: { filename: 'c.txt', size_bytes: 1 },
          idempotency_key: `same-${mode}`,
        },
        { key: maker.key },
      )
      assert.deepEqual(viaTool.structuredContent.data, first.data)
      assert.equal(byOthers[1]?.headers['x-credits-remaining-cents'] === undefined, false)
      if (mode === 'live') return
      const chat = (key: string): Promise<Told> =>
        send(
          'POST',
          '/api/llm/v1/chat/completions',
          key,
          { model: 'test/model', messages: [{ role: 'user', content: 'hi' }] },
          same,
        )
      const fetched = (key: string): Promise<Told> =>
        send('POST', '/api/fetch', key, { url: 'https://example.com/', max_cost_cents: 5 }, same)
      const routed =
        (path: string, body: object) =>
        (key: string): Promise<Told> =>
          send('POST', `/api/llm/v1/${path}`, key, { model: 'test/model', ...body }, same)
      const messages = routed('messages', {
        max_tokens: 5,
        messages: [{ role: 'user', content: 'hi' }],
      })
      const responses = routed('responses', { input: 'hi', max_output_tokens: 5 })
      for (const surface of [chat, messages, responses, fetched]) {
        const own = await surface(maker.key)
        assert.equal(own.status, 200, own.text)
        assert.deepEqual(
          [
            (await surface(maker.key)).headers['idempotency-replayed'],
            (await surface(sibling.key)).headers['idempotency-replayed'],
            (await surface(wide.key)).headers['idempotency-replayed'],
          ],
          ['true', undefined, undefined],
        )
      }
    })

    it('sees its own figures and rows alone on the pages, where the holder sees everything', async () => {
      const { maker, sibling, wide, holder } = keysOf[mode]
      const labels = { maker: `maker-${mode}`, sibling: `sibling-${mode}` }
      for (const url of ['/balance', '/balance/spending', '/calls', '/keys']) {
        const own = await page(url, maker.session, mode)
        assert.deepEqual(
          [
            own.status,
            own.text.includes(labels.maker),
            own.text.includes(labels.sibling),
            own.text.includes('/credit/buy'),
          ],
          [200, true, false, false],
          url,
        )
        for (const all of [
          await page(url, wide.session, mode),
          await page(url, holder, mode, true),
        ])
          assert.deepEqual(
            [all.text.includes(labels.maker), all.text.includes(labels.sibling)],
            [true, true],
            url,
          )
      }
      const made = await run('files/upload', sibling.key, { filename: 'b.txt', size_bytes: 1 })
      const call = `/calls/${String(made.headers['x-request-id'])}`
      assert.deepEqual(
        [
          (await page(call, maker.session, mode)).status,
          (await page(call, sibling.session, mode)).status,
          (await page(call, wide.session, mode)).status,
          (await page(call, holder, mode, true)).status,
        ],
        [404, 200, 200, 200],
      )
      for (const file of ['/balance/transactions.csv', '/calls.csv']) {
        const csv = await page(file, maker.session, mode)
        assert.deepEqual(
          [csv.text.includes(maker.id), csv.text.includes(sibling.id)],
          [true, false],
          file,
        )
      }
      assert.deepEqual(
        [
          (await page(`/keys/${maker.id}`, maker.session, mode)).status,
          (await page(`/keys/${sibling.id}`, maker.session, mode)).status,
          (await page(`/keys/${sibling.id}`, holder, mode, true)).status,
        ],
        [200, 404, 200],
      )
      const bought = await bed.app.inject({
        method: 'POST',
        url: '/credit/buy',
        headers: {
          cookie: `__Host-tollgate-page=${maker.session}`,
          origin: 'https://gate.example',
          'content-type': 'application/x-www-form-urlencoded',
        },
        payload: 'pack=500',
      })
      assert.deepEqual([bought.statusCode, bought.headers.location], [303, '/credit'])
    })
  })
}

it('two test keys of scope "own" share no simulated session', async () => {
  const { maker, sibling } = keysOf.test
  const client = mcpClient(bed)
  const shell = async (key: string, command: string): Promise<unknown> =>
    (await client.tool('session', { session_id: 'ses_test_shared', command }, { key }))
      .structuredContent.data['stdout']
  await shell(maker.key, 'echo mine > note')
  assert.deepEqual(
    [await shell(maker.key, 'cat note'), await shell(sibling.key, 'ls')],
    ['mine\n', ''],
  )
  await client.tool('close', { session_id: 'ses_test_shared' }, { key: sibling.key })
  assert.equal(await shell(maker.key, 'cat note'), 'mine\n')
})

describe('a key whose scope changes', () => {
  it('is charged once for a repeat across the change and replays no other key’s answer', async () => {
    const { wide, primary } = keysOf.live
    const change = (scope: string): Promise<Told> =>
      send('PATCH', `/api/v1/agents/${wide.id}`, bed.liveKey, { scope })
    const ask = (key: string, once: string): Promise<Told> =>
      run('files/upload', key, { filename: 'e.txt', size_bytes: 1 }, { 'idempotency-key': once })
    const [mine, others] = [await ask(wide.key, 'mine'), await ask(primary.key, 'others')]
    assert.equal((await change('own')).status, 200)
    assert.equal((await ask(wide.key, 'mine')).text, mine.text)
    const anew = await ask(wide.key, 'others')
    assert.deepEqual([anew.status, anew.text === others.text], [200, false])
    assert.equal((await ask(primary.key, 'others')).text, others.text)
    assert.equal((await change('account')).status, 200)
    assert.deepEqual(
      [
        (await ask(wide.key, 'mine')).text,
        (await ask(primary.key, 'mine')).text,
        (await ask(wide.key, 'others')).text,
      ],
      [mine.text, mine.text, others.text],
    )
  })

  it('is refused for a primary key, which manages the account', async () => {
    const { status, code } = await send(
      'PATCH',
      `/api/v1/agents/${keysOf.live.primary.id}`,
      bed.liveKey,
      { scope: 'own' },
    )
    assert.deepEqual([status, code], [400, 'invalid_params'])
  })

  it('does not see resources without a recorded key, unless it has scope "account"', async () => {
    const { maker, wide } = keysOf.live
    const { file_id: id } = (
      await run('files/upload', maker.key, { filename: 'f.txt', size_bytes: 1 })
    ).data as { file_id: string }
    await bed.database.query('update files set key_id = null where filename = $1', ['f.txt'])
    assert.deepEqual(
      [
        (await run('files/delete', maker.key, { file_id: id })).status,
        (await run('files/delete', wide.key, { file_id: id })).status,
      ],
      [404, 200],
    )
  })
})

it('a paused key still reads and polls what it made, and nothing else', async () => {
  const { sibling, maker } = keysOf.live
  const { file_id: id } = (
    await run('files/upload', sibling.key, { filename: 'g.txt', size_bytes: 1 })
  ).data as { file_id: string }
  await send('PATCH', `/api/v1/agents/${sibling.id}`, bed.liveKey, { paused: true })
  assert.deepEqual(
    [
      (await run('files/upload', sibling.key, { filename: 'h.txt', size_bytes: 1 })).code,
      (await run('files/delete', maker.key, { file_id: id })).status,
      (await run('files/delete', sibling.key, { file_id: id })).status,
    ],
    ['api_key_paused', 404, 200],
  )
})
