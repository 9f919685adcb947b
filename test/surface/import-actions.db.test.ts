/** From an OpenAPI document to the first charged call of a running gateway, without a change of the source. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCli } from '../../src/surfaces/cli/run-cli.ts'
import { openFireBed } from '../fire/bed.ts'
import { dataFolder } from '../harness/clients/gateway-process.ts'
import { eventually } from '../harness/eventually.ts'
import { startVendor } from '../harness/vendors/vendor.ts'

const FIRST_CALL_WITHIN_MS = 120_000
const documents = join(import.meta.dirname, '../documents')
const folder = join(dataFolder(), 'imported')

const CALLS = [
  {
    file: 'pets-2.0.json',
    service: 'pets',
    action: 'get_pet_by_id',
    input: { petId: 7 },
    sent: ['GET', '/pet/7', 'api_key', 'pets-key'],
    answer: { name: 'Rex' },
    charged: 20_000,
  },
  {
    file: 'offices-3.0.json',
    service: 'offices',
    action: 'list_offices',
    input: { filter: { year: 2026 }, ids: [1, 2] },
    sent: [
      'GET',
      '/offices?filter%5Byear%5D=2026&ids=1%2C2',
      'authorization',
      'Bearer offices-key',
    ],
    answer: { rows: [{ title: 'HQ' }] },
    charged: 20_000,
  },
  {
    file: 'tickets-3.1.json',
    service: 'tickets',
    action: 'buy_ticket',
    input: { event: 'opera', seats: [1, 2] },
    sent: ['POST', '/tickets', 'tickets-id', 'id-key'],
    answer: { event: 'opera', seats: [1, 2] },
    charged: 60_000,
  },
] as const
const SETTINGS = {
  IN_HOUSE: 'none',
  ACTIONS_DIR: folder,
  UPSTREAM_PETS_KEY: 'pets-key',
  UPSTREAM_OFFICES_KEY: 'offices-key',
  UPSTREAM_TICKETS_TICKETS_ID: 'id-key',
  UPSTREAM_TICKETS_TICKETS_SECRET: 'secret-key',
}

test('imported actions of three documents are called and charged within two minutes', async () => {
  const bed = await openFireBed()
  const api = await startVendor()
  mkdirSync(folder)
  const gateway = await bed.start(SETTINGS)
  const { key } = await bed.account('1000')
  const begin = performance.now()
  for (const { file, service } of CALLS) {
    let out = ''
    const write = (text: string): void => void (out += text)
    const line = ['actions', 'import', join(documents, file), '--service', service]
    const place = ['--server', api.url, '--private', '--price-cents', '2']
    const code = await runCli([...line, ...place], {
      environment: { ACTIONS_DIR: folder },
      out: write,
      err: write,
    })
    assert.equal(code, 0, out)
  }
  gateway.process.kill('SIGHUP')
  for (const { service, action, input, sent, answer, charged } of CALLS) {
    api.answerWith(() => ({ body: answer }))
    await eventually(async () => {
      const response = await fetch(`${gateway.url}/api/run/${service}/${action}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(input),
      })
      const body = (await response.json()) as Record<string, unknown>
      assert.deepEqual(
        [response.status, body['charged_micros']],
        [200, charged],
        JSON.stringify(body),
      )
    })
    const request = api.requests.at(-1)
    const [method, path, header, value] = sent
    assert.deepEqual(
      [request?.method, request?.path, request?.headers[header]],
      [method, path, value],
    )
  }
  assert.ok(performance.now() - begin < FIRST_CALL_WITHIN_MS)
  // An answer with the error that the document describes is free.
  api.answerWith(() => ({ body: { error: 'quota', rows: [{ title: 'HQ' }] } }))
  const failed = await fetch(`${gateway.url}/api/run/offices/list_offices`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{}',
  })
  assert.ok(failed.status >= 400)
  await bed.nothingHeld()
  assert.equal((await bed.charges()).filter(({ micros }) => micros > 0n).length, CALLS.length)
  await bed.assertSound()
})
