import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify, { LogController } from 'fastify'
import { pino } from 'pino'
import { AppError } from '../../../../errors/app-error.ts'
import { newId } from '../../../../lib/ids.ts'
import { sendErrorPage } from './send-page.ts'

test('sends an error page with status and Retry-After, and logs faults of the gateway', async () => {
  const lines: string[] = []
  const app = Fastify({
    genReqId: () => newId(0),
    loggerInstance: pino({ level: 'info' }, { write: (line) => void lines.push(line) }),
    logController: new LogController({ disableRequestLogging: true }),
  })
  const refusals = {
    '/busy': new AppError('overloaded', 'Too many.', { retryAfterSeconds: 5 }),
    '/wrong': new AppError('sign_in_refused'),
  }
  for (const [path, error] of Object.entries(refusals))
    app.get(path, async (_request, reply) => sendErrorPage(reply, error, '<p>'))
  const [busy, wrong] = [await app.inject('/busy'), await app.inject('/wrong')]
  assert.deepEqual(
    [busy.statusCode, busy.headers['retry-after'], busy.headers['cache-control'], busy.body],
    [503, '5', 'no-store', '<p>'],
  )
  assert.deepEqual([wrong.statusCode, wrong.headers['retry-after']], [401, undefined])
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { code: string }).code),
    ['overloaded'],
  )
})
