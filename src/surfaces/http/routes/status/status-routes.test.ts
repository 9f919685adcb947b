import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { manualClock } from '../../../../../test/harness/manual-clock.ts'
import { fixturePublished } from '../../../../catalog/published/testing/small-catalog.ts'
import type { Database } from '../../../../db/database.ts'
import { createHealthReader } from '../../../../history/health-reader.ts'
import { statusRoutes } from './status-routes.ts'

type Rows = readonly Record<string, unknown>[]

/** A row of a service with these figures in each period. */
function rowOf(service: string, calls: bigint, failed: bigint) {
  const periods = ['hour', 'day', 'month'].map((name) => ({
    [`${name}_calls`]: calls,
    [`${name}_failed`]: failed,
    [`${name}_accounts`]: 4n,
    [`${name}_median`]: 410,
    [`${name}_p95`]: 2_340,
  }))
  return Object.assign({ service }, ...periods) as Record<string, unknown>
}

async function openStatus(answer: () => Promise<Rows>) {
  const now = manualClock(Date.parse('2027-03-17T12:00:00Z'))
  let reads = 0
  const query = (async () => {
    reads += 1
    return { rows: await answer() }
  }) as unknown as Database['query']
  const app = fastify()
  await app.register(statusRoutes, {
    readHealth: createHealthReader({ query }, now),
    site: { publicUrl: 'https://gate.example', version: '0' },
    published: fixturePublished,
    routerIsLive: true,
  })
  return { app, now, reads: () => reads }
}

test('shows share and times of live services, and lists the others apart', async () => {
  const { app } = await openStatus(async () => [rowOf('library', 40n, 3n)])
  const { body, headers } = await app.inject('/status?period=hour')
  assert.match(String(headers['cache-control']), /max-age=60/)
  assert.match(body, /92\.5%[\s\S]*410 ms[\s\S]*2\.3 s/)
  assert.match(body, /Some failures/)
  assert.match(body, /services? need operator setup/)
  assert.match(body, /live services without figures[\s\S]*Too few calls of this period/)
  assert.equal([...body.matchAll(/410 ms/g)].length, 1)
  assert.equal((await app.inject('/status?period=x&period=y')).statusCode, 200)
})

test('returns the same as JSON', async () => {
  const { app } = await openStatus(async () => [rowOf('library', 40n, 3n)])
  const { generated_at: at, services } = (await app.inject('/api/status')).json<{
    generated_at: string
    services: { service: string; live: boolean; last_hour: object | null }[]
  }>()
  assert.equal(at, '2027-03-17T12:00:00.000Z')
  assert.deepEqual(services.find(({ service }) => service === 'library')?.last_hour, {
    calls: 40,
    succeeded: 0.925,
    median_ms: 410,
    p95_ms: 2_340,
  })
  assert.deepEqual(services[0], {
    service: 'llm',
    title: 'Language-model router',
    live: true,
    gone: [],
    last_hour: null,
    last_day: null,
    last_30_days: null,
  })
})

test('reads the database once a minute for all visitors, and again after a failure', async () => {
  let isDown = true
  const { app, now, reads } = await openStatus(async () => {
    if (isDown) throw new RangeError('the database is away')
    return []
  })
  assert.equal((await app.inject('/status')).statusCode, 500)
  isDown = false
  await Promise.all(Array.from({ length: 20 }, () => app.inject('/status')))
  assert.equal(reads(), 2)
  now.advance(59_000)
  await app.inject('/api/status')
  assert.equal(reads(), 2)
  now.advance(1_000)
  await app.inject('/api/status')
  assert.equal(reads(), 3)
})
