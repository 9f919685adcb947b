import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { acceptJsonBodies } from './json-body.ts'
import { renderError } from '../render-error.ts'

let app: FastifyInstance

before(async () => {
  app = Fastify({ bodyLimit: 10_000_000 })
  app.setErrorHandler(renderError)
  app.decorateRequest('caller')
  acceptJsonBodies(app)
  app.post('/echo', async () => ({ ok: true }))
  await app.ready()
  cleanUp(() => app.close())
})

const send = (body: string) =>
  app.inject({
    method: 'POST',
    url: '/echo',
    headers: { 'content-type': 'application/json' },
    payload: body,
  })
const codeOf = ({ body }: { readonly body: string }): string =>
  (JSON.parse(body) as { error: { code: string } }).error.code
test('rejects a body with too many values before it parses them, for any JSON type', async () => {
  const most = 250_000
  const bodies = (count: number): string[] => [
    JSON.stringify(Array.from({ length: count - 1 }, () => 1)),
    JSON.stringify(Object.fromEntries(Array.from({ length: count - 1 }, (_, at) => [`k${at}`, 1]))),
    `${'['.repeat(count)}${']'.repeat(count)}`,
    JSON.stringify({ text: '\\"'.repeat(10), list: Array.from({ length: count - 3 }, () => '') }),
  ]
  for (const body of bodies(most).slice(0, 2)) assert.equal((await send(body)).statusCode, 200)
  for (const body of bodies(most + 2)) assert.equal(codeOf(await send(body)), 'payload_too_large')
  const text = JSON.stringify({ text: '[{,"\\'.repeat(100_000) })
  assert.equal((await send(text)).statusCode, 200, 'what stands in a text is no value')
})
