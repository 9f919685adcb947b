/** Every page in a real browser: axe-core, widths, zoom, keyboard, print, and use without scripts. */
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type { BrowserContext, Page } from 'playwright-core'
import { openAppBed } from '../harness/beds/app.ts'
import { openOwnerSession } from '../harness/owner-session.ts'
import type { Id } from '../../src/lib/ids.ts'
import { openBrowser, type Look, type Visitor } from '../harness/clients/visitor.ts'
import { auditPage, auditWithoutScripts } from '../harness/pages/page-audit.ts'
import { CONSOLE_PAGES, NO_PAGES, PUBLIC_PAGES } from '../harness/pages/page-list.ts'
import { openPageWorld, type PageWorld } from '../harness/pages/page-world.ts'
import { fillPath, signIn } from '../harness/pages/sign-in.ts'

/** Pages that answer with another status than 200. */
const STATUS_OF: ReadonlyMap<string, number> = new Map([
  ['/nowhere', 404],
  ['/invitations/unknown', 403],
  ['/welcome?token=unknown', 403],
])
/** Addresses that lead to another page. */
const LED_ON: ReadonlySet<string> = new Set(['/catalog/core'])

const LOOK: Look = { width: 1280, scheme: 'light' }

let world: PageWorld
let visit: (look: Look) => Promise<Visitor>

before(async () => {
  world = await openPageWorld()
  visit = await openBrowser()
})

/** Opens each path, and reports the defects of all of them by path. */
async function auditAll(
  page: Page,
  paths: readonly string[],
  audit: (page: Page) => Promise<string[]>,
): Promise<Record<string, readonly string[]>> {
  const found: Record<string, readonly string[]> = {}
  for (const path of paths) {
    const response = await page.goto(world.url + path)
    const defects = await audit(page)
    const status = response?.status() ?? 0
    const expected = STATUS_OF.get(path) ?? 200
    const all = status === expected ? defects : [`answers ${status}`, ...defects]
    if (new URL(page.url()).pathname !== new URL(path, world.url).pathname && !LED_ON.has(path))
      all.push(`leads to ${page.url()}`)
    if (all.length > 0) found[path] = all
  }
  return found
}

it('has no defect on public pages', async () => {
  const { page } = await visit(LOOK)
  assert.deepEqual(await auditAll(page, PUBLIC_PAGES, auditPage), {})
})

it('shows public pages without scripts', async () => {
  const { page } = await visit({ ...LOOK, width: 360, scripts: false })
  assert.deepEqual(await auditAll(page, PUBLIC_PAGES, auditWithoutScripts), {})
})

for (const name of ['filled', 'empty'] as const) {
  describe(`for the holder of a${name === 'empty' ? 'n' : ''} ${name} account`, () => {
    let page: Page
    let context: BrowserContext
    let paths: readonly string[]

    before(async () => {
      ;({ page } = await visit(LOOK))
      context = page.context()
      await signIn(page, world, name)
      paths =
        name === 'filled'
          ? CONSOLE_PAGES.map((path) => fillPath(world, path))
          : CONSOLE_PAGES.filter((path) => !path.includes('/:') && !path.startsWith('/operate'))
    })

    it('has no defect on console pages', async () => {
      assert.deepEqual(await auditAll(page, paths, auditPage), {})
    })

    it('shows console pages without scripts', async () => {
      const { page: plain } = await visit({ ...LOOK, width: 360, scripts: false })
      await plain.context().addCookies(await context.cookies())
      assert.deepEqual(await auditAll(plain, paths, auditWithoutScripts), {})
    })
  })
}

/** Pages that look different for a role. The other pages differ by absent buttons only. */
const PAGES_OF_ROLE = {
  billing: ['/balance', '/credit', '/keys/:key', '/team'],
  developer: ['/balance', '/credit', '/keys', '/keys/:key', '/webhooks/:webhook', '/team'],
  viewer: ['/balance', '/keys/:key', '/webhooks', '/webhooks/:webhook', '/calls/bodies', '/team'],
} as const

for (const role of ['billing', 'developer', 'viewer'] as const)
  it(`has no defect on console pages for the role ${role}`, async () => {
    const { page } = await visit(LOOK)
    await signIn(page, world, role)
    assert.ok((await page.locator('.account-switch').count()) > 0)
    assert.deepEqual(
      await auditAll(
        page,
        PAGES_OF_ROLE[role].map((path) => fillPath(world, path)),
        auditPage,
      ),
      {},
    )
  })

it('finds a defect that is put into a page', async () => {
  const { page } = await visit(LOOK)
  await page.goto(`${world.url}/sign-in`)
  await page.evaluate(
    `document.querySelector('main').insertAdjacentHTML('beforeend', '<img src="/assets/mark.svg"><button tabindex="3" class="wide-test">x</button>')
     const wide = document.querySelector('.wide-test')
     wide.style.width = '3000px'
     wide.style.outline = 'none'`,
  )
  const defects = (await auditPage(page)).join('\n')
  for (const part of ['image-alt', 'scrolls sideways', 'shows no focus', 'order of Tab'])
    assert.ok(defects.includes(part), `${part} in ${defects}`)
})

it('lists every page', async () => {
  const routes = new Set<string>()
  const listen = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      if ([method].flat().includes('GET')) routes.add(url)
    })
  }
  subscribe('fastify.initialization', listen)
  const bed = await openAppBed()
  unsubscribe('fastify.initialization', listen)
  const { rows } = await bed.database.query<{ id: Id }>(
    "update accounts set is_operator = true where email = 'mine@gate.example.com' returning id",
  )
  const session = await openOwnerSession(
    { database: bed.database, now: bed.clock },
    rows[0]?.id ?? assert.fail('no account'),
  )

  const listed = [...PUBLIC_PAGES, ...CONSOLE_PAGES].map((path) => path.split('?', 1)[0] ?? '')
  const isListed = (url: string): boolean => {
    const pattern = new RegExp(`^${url.replaceAll(/:[A-Za-z]+/g, '[^/]+').replaceAll('*', '.+')}$`)
    return listed.some((path) => pattern.test(path))
  }
  const unlisted: string[] = []
  for (const url of routes) {
    if (/^\/(api|git|llms|mcp|\.well-known)\b/.test(url) || NO_PAGES.some((one) => one.test(url)))
      continue
    if (isListed(url)) continue
    const response = await bed.app.inject({
      url: url.replaceAll(/:[A-Za-z]+/g, 'x').replaceAll('*', 'x'),
      headers: { accept: 'text/html', cookie: `__Host-tollgate-page=${session}` },
      // Streams of events have no end.
      payloadAsStream: true,
    })
    response.stream().destroy()
    const isPage = String(response.headers['content-type']).startsWith('text/html')
    if (isPage && response.statusCode < 300) unlisted.push(url)
  }
  assert.deepEqual(unlisted, [], 'add the pages to test/harness/pages/page-list.ts')
})
