import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCatalog } from '../../catalog/index.ts'
import { AppError } from '../../errors/app-error.ts'
import { errorCatalog, type ErrorCode } from '../../errors/catalog.ts'
import { adviseForTools } from './tool-advice.ts'

const NAMES_HTTP = /\b(?:GET|POST|PATCH|PUT|DELETE) \/|\bheader|Idempotency-Key|Retry-After|Prefer:/

/** Codes that no tool returns: they reject a request before its tool, or belong to other routes. */
const NOT_FROM_TOOLS = new Set<ErrorCode>([
  'invalid_token',
  'payment_required',
  'webhook_quota_exceeded',
  'unknown_webhook',
  'unknown_delivery',
  'cassette_quota_exceeded',
  'cassette_miss',
  'unknown_cassette',
  'method_not_allowed',
  'unsupported_media_type',
  'range_not_satisfiable',
  'headers_too_large',
])

test('advises with tools instead of routes and headers, for every code that a tool returns', () => {
  for (const code of Object.keys(errorCatalog) as ErrorCode[])
    if (!NOT_FROM_TOOLS.has(code))
      assert.doesNotMatch(adviseForTools(new AppError(code)), NAMES_HTTP, code)
})

test('names tools in the advice of unknown actions and endpoints', () => {
  const catalog = createCatalog()
  for (const [service, action] of [
    ['emailintel', 'verify'],
    ['semantic', 'serch'],
    ['nothing', 'serch'],
    ['emailintell', 'x'],
  ] as const)
    assert.throws(
      () => catalog.findAction(service, action),
      (error: unknown) => {
        assert.ok(error instanceof AppError)
        assert.doesNotMatch(adviseForTools(error), NAMES_HTTP)
        assert.match(adviseForTools(error), /discover/)
        return true
      },
    )
  const fix = 'GET /api/run/socialread/fetch lists its endpoints, if it has any.'
  assert.equal(
    adviseForTools(new AppError('not_found', 'x', { fix })),
    'describe with service "socialread" and action "fetch" lists its endpoints, if it has any.',
  )
})
