import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCatalog } from '../index.ts'
import type { Vendor } from '../vocabulary/wire.ts'
import { isRouteGone } from './gone-route.ts'
import { mapReplyToCode } from './vendor-failure.ts'

/** Answers of web frameworks and gateways on a path that they do not serve. */
const UNKNOWN_PATHS: readonly unknown[] = [
  '<!DOCTYPE html><html><body><pre>Cannot POST /v2/extract</pre></body></html>',
  { message: 'Cannot GET /v2/extract/1', error: 'Not Found', statusCode: 404 },
  { message: 'Route POST:/v2/extract not found', error: 'Not Found', statusCode: 404 },
  { detail: 'Not Found' },
  '404 page not found',
  '<title>404 Not Found</title><h1>Not Found</h1><p>The requested URL was not found on the server.',
  '<html><head><title>404 Not Found</title></head><body><center>nginx/1.27</center></body></html>',
  { message: 'The route api/v1/x could not be found.' },
  { message: 'no Route matched with those values' },
  { status: 404, error: 'Not Found', message: 'No static resource api/v1/x.', path: '/api/v1/x' },
  { error: { message: 'Invalid URL (POST /v1/x)', type: 'invalid_request_error' } },
  { error: { message: 'Unrecognized request URL (GET: /v1/x).' } },
  { error: 'Endpoint not found' },
  { message: 'This endpoint has been deprecated. Use /markets/keyset.' },
  { error: 'Unknown endpoint' },
  { success: false, error: 'The /extract endpoint is no longer available.' },
]

const MISSING_ITEMS: readonly unknown[] = [
  { detail: 'Not found.' },
  { message: 'Not Found' },
  { error: { code: 'not_found', message: 'market not found' } },
  { error: 'Job not found' },
  { detail: { code: 404, message: 'User not found' } },
  { message: 'No company was found for this domain.' },
  { error: { message: 'The model `x` does not exist or you do not have access to it.' } },
  { message: 'The url https://example.com/ was not found in the archive' },
  { message: 'The path /data/user/list.csv does not exist' },
  { message: 'This resource has been removed by its owner.' },
  { error: 'No such file or directory' },
  '',
  [],
  null,
]

/** Vendors whose replies may be those of the caller's page. */
const READERS = new Set(['cheapunblock'])

const vendors: readonly (readonly [string, Vendor])[] = createCatalog().services.flatMap(
  ({ id, vendor, actions }) => [
    ...(vendor === undefined ? [] : [[id, vendor] as const]),
    ...Object.values(actions).flatMap((action) => {
      const places = action.kind === 'endpoint' ? action.endpoints : [action]
      return places.flatMap((place) =>
        'openSource' in place && place.openSource !== undefined
          ? [[place.openSource.vendor.label ?? id, place.openSource.vendor] as const]
          : [],
      )
    }),
  ],
)

function codeOf(vendor: Vendor, status: number, body: unknown) {
  const reply = { status, headers: {}, body }
  return vendor.readFailure?.(reply)?.code ?? mapReplyToCode(reply)
}

test('distinguishes a path that is gone from a missing item', () => {
  for (const body of UNKNOWN_PATHS)
    assert.equal(isRouteGone({ status: 404, body }), true, JSON.stringify(body))
  for (const body of MISSING_ITEMS)
    assert.equal(isRouteGone({ status: 404, body }), false, JSON.stringify(body))
  for (const status of [200, 400, 403, 500])
    assert.equal(isRouteGone({ status, body: UNKNOWN_PATHS[0] }), false)
})

test('every vendor reports a route that is gone with its own code', () => {
  for (const [name, vendor] of vendors.filter(([id]) => !READERS.has(id))) {
    assert.equal(codeOf(vendor, 410, { message: 'Gone' }), 'upstream_gone', name)
    for (const body of UNKNOWN_PATHS)
      assert.equal(codeOf(vendor, 404, body), 'upstream_gone', `${name} ${JSON.stringify(body)}`)
  }
})

test('no vendor reports a missing item as a route that is gone', () => {
  for (const [name, vendor] of vendors)
    for (const body of MISSING_ITEMS)
      assert.notEqual(codeOf(vendor, 404, body), 'upstream_gone', `${name} ${JSON.stringify(body)}`)
})
