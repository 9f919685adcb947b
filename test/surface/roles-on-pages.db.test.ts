/** The console offers a person no form and no page that their role may not use. */
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { addMember, findOrCreatePerson } from '../../src/auth/records/add-member.ts'
import { openPersonSession } from '../../src/auth/records/browser-session.ts'
import { findCaller } from '../../src/keys/find-caller.ts'
import { hashSecret } from '../../src/keys/format.ts'
import { ROLES, roleMay, type Role } from '../../src/lib/permissions.ts'
import type { RoutePermission } from '../../src/surfaces/http/guards/requires.ts'
import { openAppBed, type AppBed } from '../harness/beds/app.ts'
import { CONSOLE_PAGES } from '../harness/pages/page-list.ts'
import { startStripe } from '../harness/vendors/stripe.ts'

type Route = { readonly method: string; readonly pattern: RegExp; readonly may: RoutePermission }

const routes: Route[] = []
let bed: AppBed
let ids: Readonly<Record<string, string>>

before(async () => {
  const listen = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url, config }) => {
      const may = config?.permission
      if (may !== undefined)
        for (const one of [method].flat())
          routes.push({ method: one, pattern: patternOf(url), may })
    })
  }
  subscribe('fastify.initialization', listen)
  bed = await openAppBed({ cards: (await startStripe()).desk })
  unsubscribe('fastify.initialization', listen)
  const create = async (url: string, body: object): Promise<string> =>
    (await bed.post(url, body)).json<{ data: { id: string } }>().data.id
  const parent = await create('/api/v1/agents', {
    label: 'parent',
    ceiling_cents: 9,
    may_mint: true,
  })
  const webhook = await create('/api/v1/webhooks', { url: 'https://hook.example/', events: ['*'] })
  const called = await bed.post('/api/run/none/none', {})
  await bed.database.query('update accounts set is_operator = true where email = $1', [
    'mine@gate.example.com',
  ])
  ids = { key: parent, parent, webhook, call: called.json<{ request_id: string }>().request_id }
})

/** The pattern of a route's address. Static parts match before parameters, as in the router. */
function patternOf(url: string): RegExp {
  return new RegExp(`^${url.replaceAll(/:[A-Za-z]+/g, '[^/]+').replaceAll('*', '.*')}$`)
}

function permissionOf(method: string, address: string): RoutePermission | undefined {
  const path = new URL(address.replaceAll('&amp;', '&'), 'https://gate.example').pathname
  const found = routes.filter((route) => route.method === method && route.pattern.test(path))
  return found.toSorted(
    (left, right) =>
      left.pattern.source.split('[^').length - right.pattern.source.split('[^').length,
  )[0]?.may
}

async function join(role: Role): Promise<string> {
  const found = await findCaller(bed.database, hashSecret(bed.liveKey), bed.clock())
  const accountId = found?.caller.accountId ?? ''
  return bed.database.transaction(async (tx) => {
    const personId = await findOrCreatePerson(tx, `${role}@example.com`, bed.clock())
    await addMember(tx, { accountId, personId, role, nowMs: bed.clock() })
    return (await openPersonSession({ database: tx, now: bed.clock }, personId)).session
  })
}

/** Pages of the account whose ids exist here. */
const PAGES = CONSOLE_PAGES.filter((path) => !path.startsWith('/operate')).map((path) => ({
  path,
  names: [...path.matchAll(/:([a-z]+)/g)].map(([, name = '']) => name),
}))

for (const role of ROLES)
  it(`offers the role ${role} only what it may use`, async () => {
    const cookie = `__Host-tollgate-page=${await join(role)}`
    const offered: string[] = []
    let forms = 0
    for (const { path, names } of PAGES) {
      if (names.some((name) => ids[name] === undefined)) continue
      const url = path.replaceAll(/:([a-z]+)/g, (_, name: string) => ids[name] ?? '')
      const { body, statusCode } = await bed.app.inject({
        url,
        headers: { cookie, accept: 'text/html' },
      })
      const isAllowed = isUsable(role, permissionOf('GET', url))
      assert.equal(statusCode === 403, !isAllowed, `${url} answers ${statusCode}`)
      if (statusCode !== 200) continue
      for (const [, action = ''] of body.matchAll(/<form[^>]*? action="([^"]*)" method="post"/g)) {
        forms += 1
        const permission = permissionOf('POST', action)
        assert.ok(permission !== undefined, `${url} sends a form to ${action}, which has no route`)
        if (!isUsable(role, permission)) offered.push(`${url}: form ${action} (${permission})`)
        const isForeignKey = role === 'developer' && action.startsWith('/keys/agk_')
        if (isForeignKey) offered.push(`${url}: form ${action} of the key of another member`)
      }
      for (const [, href = ''] of body.matchAll(/<a[^>]*? href="(\/[^"]*)"/g))
        if (
          (href.startsWith('/operate') && role !== 'owner') ||
          !isUsable(role, permissionOf('GET', href) ?? 'public')
        )
          offered.push(`${url}: link ${href}`)
    }
    assert.ok(forms > 0)
    assert.deepEqual(offered, [])
  })

function isUsable(role: Role, permission: RoutePermission | undefined): boolean {
  return (
    permission === undefined ||
    permission === 'public' ||
    permission === 'member' ||
    roleMay(role, permission)
  )
}
