/** A gateway with one account that has something on every page, and one that has nothing. */
import type { Database } from '../../../src/db/database.ts'
import { createLink, signInByLink } from '../../../src/auth/sign-in-link.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { newId, publicId, type Id } from '../../../src/lib/ids.ts'
import type { Role } from '../../../src/lib/permissions.ts'
import { dataFolder, startGateway } from '../clients/gateway-process.ts'
import { cloneDatabase, databaseUrl } from '../postgres.ts'
import { startVendor } from '../vendors/vendor.ts'

export type PageHolder = { readonly email: string; readonly password: string }

export type PageWorld = {
  readonly url: string
  readonly filled: PageHolder
  readonly empty: PageHolder
  /** Further members of the filled account. Each has an account of their own, too. */
  readonly members: Readonly<Record<'billing' | 'developer' | 'viewer', PageHolder>>
  /** The live primary key of the filled account. */
  readonly key: string
  /** The ids of the filled account, by their names in the paths of the page list. */
  readonly ids: Readonly<Record<string, string>>
}

const PASSWORD = 'four words in a row'
const FOUND = { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] }

type Send = (path: string, body: unknown, key?: string) => Promise<Record<string, unknown>>

/** Call it in a `before` of a test file. */
export async function openPageWorld(): Promise<PageWorld> {
  const vendor = await startVendor()
  vendor.answerWith(({ body }) =>
    (body as { query?: string }).query === 'fail' ? { status: 500, body: {} } : { body: FOUND },
  )
  const { database, target } = await cloneDatabase()
  const gateway = await startGateway({
    DATA_DIR: dataFolder(),
    DATABASE_URL: databaseUrl(target),
    UPSTREAM_SEMANTIC_URL: vendor.url,
    UPSTREAM_SEMANTIC_KEY: 'k',
    ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
  })
  const primary = /tg_live_[0-9A-Za-z]{38}/.exec(gateway.output())?.[0] ?? ''
  const send: Send = async (path, body, key = primary) => {
    const response = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await response.json()) as Record<string, unknown>
  }
  const ids = {
    ...(await addKeysAndCalls(send, gateway.url, primary)),
    ...(await addWebhook(send, gateway.url, { primary, receiver: vendor.url })),
  }
  const { rows } = await database.query<{ id: Id; email: string }>('select id, email from accounts')
  const owner = rows[0] ?? { id: '', email: '' }
  return {
    url: gateway.url,
    key: primary,
    filled: await withPassword(database, owner.email),
    empty: await withPassword(database, 'newcomer@example.com'),
    members: {
      billing: await withMember(database, owner.id, 'billing'),
      developer: await withMember(database, owner.id, 'developer'),
      viewer: await withMember(database, owner.id, 'viewer'),
    },
    ids: {
      ...ids,
      browser: await addBrowser(database, owner.id),
      account: publicId('account', owner.id),
    },
  }
}

/** Keys in every state, and calls that were charged, failed and refused. */
async function addKeysAndCalls(
  send: Send,
  url: string,
  primary: string,
): Promise<Record<string, string>> {
  const search = (query: string, key?: string) => send('/api/run/semantic/search', { query }, key)
  const create = async (path: string, body: object, key?: string) =>
    (await send(path, body, key))['data'] as { readonly id: string; readonly key: string }

  await search('found')
  await search('fail')
  const parent = await create('/api/v1/agents', {
    label: 'orchestrator',
    external_id: 'team-7',
    ceiling_cents: 500,
    ceiling_period: 'day',
    allow: ['core/*', 'semantic/search', 'llm/core/cheap'],
    deny: ['*/sandbox-*'],
    max_call_cents: 20,
    rate_limit_per_minute: 60,
    may_mint: true,
    breaker: 'stop',
  })
  await search('found', parent.key)
  const child = await create(
    '/api/v1/agents/me/children',
    { label: 'summariser', ceiling_cents: 50, ttl_s: 1200, allow: ['semantic/search'] },
    parent.key,
  )
  await search('found', child.key)
  const capped = await create('/api/v1/agents', {
    label: 'W'.repeat(100),
    ceiling_cents: 1,
    deny: ['semantic/*'],
  })
  await search('found', capped.key)
  for (const label of ['paused', 'revoked']) {
    const { id } = await create('/api/v1/agents', { label, ceiling_cents: 100 })
    await fetch(`${url}/api/v1/agents/${id}`, {
      method: label === 'paused' ? 'PATCH' : 'DELETE',
      headers: { authorization: `Bearer ${primary}`, 'content-type': 'application/json' },
      ...(label === 'paused' ? { body: JSON.stringify({ paused: true }) } : {}),
    })
  }
  const history = await fetch(`${url}/api/v1/transactions`, {
    headers: { authorization: `Bearer ${primary}` },
  })
  const { data } = (await history.json()) as { data: readonly { readonly request_id: string }[] }
  const calls = await fetch(`${url}/api/v1/calls?http_status=4xx`, {
    headers: { authorization: `Bearer ${primary}` },
  })
  const { data: rejected } = (await calls.json()) as {
    data: readonly { readonly id: string }[]
  }
  return {
    key: child.id,
    parent: parent.id,
    call: data[0]?.request_id ?? '',
    rejected: rejected[0]?.id ?? '',
  }
}

/** A webhook with a delivery. */
async function addWebhook(
  send: Send,
  url: string,
  { primary, receiver }: { readonly primary: string; readonly receiver: string },
): Promise<Record<string, string>> {
  const made = (await send('/api/v1/webhooks', {
    url: receiver,
    events: ['job.*', 'key.threshold', 'balance.low'],
    label: 'ops',
  })) as { readonly data: { readonly id: string } }
  await send(`/api/v1/webhooks/${made.data.id}/test`, {})
  const listed = await fetch(`${url}/api/v1/webhooks/deliveries`, {
    headers: { authorization: `Bearer ${primary}` },
  })
  const { data } = (await listed.json()) as { data: readonly { readonly id: string }[] }
  return { webhook: made.data.id, delivery: data[0]?.id ?? '' }
}

/** An open browser session of a vendor. */
async function addBrowser(database: Database, accountId: Id): Promise<string> {
  const [session, nowMs] = ['browser-session', systemClock()]
  await database.query(
    'insert into browser_sessions (id, account_id, session, opened_ms, paid_until_ms, lasts_until_ms) values ($1, $2, $3, $4, $5, $5)',
    [newId(nowMs), accountId, session, nowMs, nowMs + 3_600_000],
  )
  return session
}

async function withPassword(database: Database, email: string): Promise<PageHolder> {
  const people = { database, now: systemClock }
  const link = await createLink(people, { email, makesAccount: true, seconds: 60 })
  await signInByLink(people, link, PASSWORD)
  return { email, password: PASSWORD }
}

/** A person with an account of their own, which they used less recently. */
async function withMember(database: Database, accountId: Id, role: Role): Promise<PageHolder> {
  const holder = await withPassword(database, `${role}@example.com`)
  await database.query(
    `insert into members (account_id, person_id, role, joined_at, last_seen_at)
     select $1, id, $3, now(), now() from people where email = $2`,
    [accountId, holder.email, role],
  )
  return holder
}
