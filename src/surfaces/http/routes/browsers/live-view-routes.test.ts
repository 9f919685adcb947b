import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { after, before, it, mock } from 'node:test'
import Fastify from 'fastify'
import { createFakeBrowsers } from '../../../../../test/harness/fake-browsers.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { liveViewRoutes } from './live-view-routes.ts'

const app = Fastify()
const { own } = createFakeBrowsers()
const row = { host_seen_ms: 0n, host: null, ended_ms: null, paid_until_ms: 9_000_000_000_000n }
let problem: AppError | null = null
let checks = 0
let address = ''

before(async () => {
  app.decorateRequest('caller')
  app.addHook('onRequest', async (request) => {
    request.caller = { accountId: 'one', keyId: 'two', scope: 'own', mode: 'live' } as never
  })
  const database = { query: async () => ({ rows: [row] }) }
  liveViewRoutes(app, {
    browsers: { database: database as never, now: () => 0, target: null, own },
    async authenticate() {
      checks += 1
      if (problem !== null) throw problem
    },
  })
  const { signal } = new AbortController()
  await own.open({ session: 'ses_1', accountId: 'one', keepAlive: true, signal })
  address = await app.listen({ port: 0, host: '127.0.0.1' })
})
after(async () => {
  await app.close()
  await own.close()
})

it('ends an open live view after its key or session has ended', async () => {
  mock.timers.enable({ apis: ['setInterval'] })
  const asked = get(`${address}/api/v1/browsers/ses_1/live`, { agent: false })
  asked.on('error', () => undefined)
  const [reply] = (await once(asked, 'response')) as [IncomingMessage]
  const closed = new Promise((done) => reply.on('error', () => undefined).once('close', done))
  reply.resume()
  mock.timers.tick(3_000)
  assert.equal(checks, 1)
  await new Promise((done) => setImmediate(done))
  assert.equal(own.get('ses_1')?.viewers(), 1)
  problem = new AppError('invalid_token')
  mock.timers.tick(3_000)
  await closed
  assert.equal(own.get('ses_1')?.viewers(), 0)
  mock.timers.reset()
})
