import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../errors/app-error.ts'
import { newId, publicId } from '../../lib/ids.ts'
import { envelopeOf, logFault } from './render-error.ts'

test('logs faults with the request id of the caller, but not the caller’s own mistakes', () => {
  const id = newId(0)
  const told = envelopeOf(new AppError('internal'), publicId('request', id)).request_id
  const logged: unknown[] = []
  const keep = ({ request_id: requestId }: { request_id: string }): number => logged.push(requestId)
  const request = { id, log: { error: keep, warn: keep } } as unknown as FastifyRequest
  for (const code of ['internal', 'overloaded', 'upstream_error', 'invalid_params'] as const)
    logFault(new AppError(code), new Error('why'), request)
  assert.deepEqual(logged, [told, told, told])
})

test('logs requests rejected during a stop as information, not as errors', () => {
  const levels: string[] = []
  const at = (level: string) => () => levels.push(level)
  const request = {
    id: newId(0),
    log: { error: at('error'), warn: at('warn'), info: at('info') },
  } as unknown as FastifyRequest
  for (const code of ['shutting_down', 'overloaded'] as const)
    logFault(new AppError(code), new Error('why'), request)
  assert.deepEqual(levels, ['info', 'error'])
})
