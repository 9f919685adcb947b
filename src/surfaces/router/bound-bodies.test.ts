import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors/app-error.ts'
import { boundBodies } from './bound-bodies.ts'

const MIB = 1024 * 1024

test('large bodies are taken up to the bound, and again when those before them are done; small ones always', () => {
  const hook = boundBodies({ mostBytes: 40 * MIB, bodyLimitBytes: 20 * MIB })
  const send = (contentLength: string | undefined): { error: unknown; close: () => void } => {
    const raw = new EventEmitter()
    let error: unknown
    hook({ headers: { 'content-length': contentLength } } as unknown as FastifyRequest, { raw } as unknown as FastifyReply, (given) => (error = given))
    return { error, close: () => raw.emit('close') }
  }
  const isRefused = ({ error }: { error: unknown }): boolean => error instanceof AppError && error.code === 'overloaded'
  const first = send(String(20 * MIB))
  assert.ok(!isRefused(first))
  assert.ok(!isRefused(send(undefined)), 'counted as the largest there is')
  assert.ok(isRefused(send(String(MIB))))
  assert.ok(!isRefused(send('1000')))
  first.close()
  assert.ok(!isRefused(send(String(15 * MIB))))
  assert.ok(isRefused(send(String(6 * MIB))))
})
