/** The permission of each role on each route that people use with a browser session. */
import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import { before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { PERMISSIONS, ROLES, roleMay, type Permission } from '../../src/lib/permissions.ts'
import type { RoutePermission } from '../../src/surfaces/http/guards/requires.ts'
import { createFakeBrowsers } from '../harness/fake-browsers.ts'
import { openAppBed } from '../harness/beds/app.ts'

/** Routes without a session: public documents, and routes that accept only a key or a signed link. */
const WITHOUT_SESSION = [
  /^\/$/,
  /^\/(?:guide|catalog|login|signup|docs|pricing|models|status|llms|assets|files|sdk|dashboard|git|mcp|oauth\/(?:register|token|revoke))(?:[/.-]|$)/,
  /^\/(?:favicon\.ico|robots\.txt|sitemap\.xml|openapi\.json|search\.json|llms-full\.txt|metrics|healthz|readyz)$/,
  /^\/\.well-known\//,
  /^\/api\/(?:run|llm|fetch|media|catalog|sell|status)(?:\/|$)/,
  /^\/api\/v1\/(?:key|credits|generation)$/,
  /^\/balance\/card-events$/,
  /^\/(?:playground|status|api\/status)$/,
  /^\*$/,
]

type Route = { readonly name: string; readonly permission: RoutePermission | undefined }
const routes: Route[] = []

function noteRoutes(message: unknown): void {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url, config }) => {
    if (WITHOUT_SESSION.some((pattern) => pattern.test(url))) return
    for (const one of [method].flat())
      routes.push({ name: `${one} ${url}`, permission: config?.permission })
  })
}

before(async () => {
  diagnostics.subscribe('fastify.initialization', noteRoutes)
  await openAppBed({
    cards: { packs: [500], range: [500, 5_000] } as never,
    browsers: createFakeBrowsers().own,
  })
  diagnostics.unsubscribe('fastify.initialization', noteRoutes)
})

describe('the permissions of routes', () => {
  it('names a permission for each route that accepts a browser session', () => {
    assert.ok(routes.length > 60)
    assert.deepEqual(
      routes.filter(({ permission }) => permission === undefined).map(({ name }) => name),
      [],
      'Name the permission: app.get(path, requires("calls.view"), …). Routes without a session are in WITHOUT_SESSION.',
    )
  })

  it('lets a viewer use no route that changes something', () => {
    const changing = routes.filter(
      ({ name, permission }) =>
        !/^(?:GET|HEAD) /.test(name) &&
        permission !== undefined &&
        permission !== 'public' &&
        permission !== 'member' &&
        roleMay('viewer', permission),
    )
    assert.deepEqual(changing, [])
  })

  it('grants owners everything, and viewers only what others see, too', () => {
    for (const permission of Object.keys(PERMISSIONS) as Permission[]) {
      assert.ok(roleMay('owner', permission), permission)
      assert.equal(roleMay('viewer', permission), permission.endsWith('.view'), permission)
      if (permission.endsWith('.view'))
        for (const role of ROLES) assert.ok(roleMay(role, permission), `${role} ${permission}`)
    }
  })
})
