/** A route that its vendor no longer offers is no lane, in every process, until it answers again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCallBed } from '../../../test/harness/beds/calls.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { HOUR_MS } from '../../lib/clock.ts'
import { AppError } from '../../errors/app-error.ts'
import type { CallRequest } from '../call.ts'
import { get } from '../../catalog/vocabulary/wire.ts'
import { runCall } from '../run.ts'
import { openGoneRoutes, readGoneRoutes } from './gone-routes.ts'

const GONE = { status: 410, body: { error: 'Gone' } }
const UNKNOWN_PATH = { status: 404, body: { detail: 'Not Found' } }
const PAGES = { ok: true as const, body: { success: true, links: ['https://a.example/'] } }
const PROFILE = '/api/v1/tiktok/web/fetch_user_profile'
const POSTS = '/api/v1/tiktok/web/fetch_user_post'

const bed = await openCallBed()
const { calls, vendor, clock, database } = bed

async function codeOf(request: CallRequest): Promise<string> {
  try {
    await runCall(calls, request)
    return 'done'
  } catch (error) {
    assert.ok(error instanceof AppError)
    return error.code
  }
}
const map = (extra: Partial<CallRequest> = {}) =>
  bed.request('render', 'map', { url: 'https://a.example/' }, extra)
const social = (endpoint: string) =>
  bed.request('socialread', 'fetch', { endpoint, uniqueId: 'x', secUid: 'y' })
const statusOf = (service: string, action: string, endpoint?: string) =>
  calls.lanes.statusOf(service, action, endpoint)

test('a 410 is free, makes the action not live, and a success makes it live again', async () => {
  assert.equal(statusOf('render', 'map').live, 'vendor')
  vendor.answerWith(() => GONE)
  assert.equal(await codeOf(map()), 'upstream_gone')
  assert.deepEqual(statusOf('render', 'map'), {
    live: null,
    lanes: ['vendor', 'in-house'],
    gone: true,
  })
  assert.equal(statusOf('render', 'scrape').live, 'vendor')
  assert.equal((await bed.balance()).held, 0n)
  assert.equal((await bed.transactions()).at(-1)?.error_code, 'upstream_gone')
  vendor.answerWith(() => PAGES)
  assert.equal(await codeOf(map()), 'done')
  assert.equal(statusOf('render', 'map').live, 'vendor')
})

test('an unknown path of a passthrough leaves its other paths live', async () => {
  vendor.answerWith(() => UNKNOWN_PATH)
  assert.equal(await codeOf(social(PROFILE)), 'upstream_gone')
  assert.equal(statusOf('socialread', 'fetch', PROFILE).live, null)
  assert.equal(statusOf('socialread', 'fetch', POSTS).live, 'vendor')
  assert.equal(statusOf('socialread', 'fetch').live, 'vendor')
})

test('other processes and a restart know the route', async () => {
  await eventually(async () => assert.equal((await readGoneRoutes(database)).length, 1))
  const other = await openGoneRoutes(database, clock)
  cleanUp(() => other.close())
  assert.deepEqual(
    other.list().map(({ service, endpoint, status }) => [service, endpoint, status]),
    [['socialread', PROFILE, 404]],
  )
})

test('a path that names an item of the caller changes no lane', async () => {
  const gone = await openGoneRoutes(database, clock)
  cleanUp(() => gone.close())
  const route = { service: 'x', action: 'read', endpoint: '', lane: 'vendor', vendor: 'x' } as const
  const failure = {
    code: 'upstream_gone',
    message: 'Gone',
    details: { upstream: { service: 'x', status: 410, code: null, message: null } },
  } as const
  const wire = get('/items/a%20b/parts')
  gone.observe(route, wire, { id: 'a b' }, { ok: false, failure })
  assert.equal(gone.isGone(route), false)
  gone.observe(route, wire, { id: 'other' }, { ok: false, failure })
  assert.equal(gone.isGone(route), true)
})

test('a gone route falls back to the lane of the gateway, and is tried again after an hour', async () => {
  const own = await openCallBed({
    inHouse: new Map([['render.map', async () => PAGES.body]]),
  })
  const request = () => own.request('render', 'map', { url: 'https://a.example/' })
  own.vendor.answerWith(() => GONE)
  await runCall(own.calls, request())
  assert.equal(own.calls.lanes.statusOf('render', 'map').live, 'in-house')
  const seen = own.vendor.requests.length
  await runCall(own.calls, request())
  assert.equal(own.vendor.requests.length, seen)
  own.clock.advance(HOUR_MS)
  own.vendor.answerWith(() => PAGES)
  await runCall(own.calls, request())
  assert.equal(own.vendor.requests.length, seen + 1)
  assert.equal(own.calls.lanes.statusOf('render', 'map').live, 'vendor')
})
