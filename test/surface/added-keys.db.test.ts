/** A vendor key that an operator adds, replaces and removes while two gateway processes run. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openVendorKeys } from '../../src/app/wiring/vendor-keys.ts'
import { acmeAction, acmeFile, writeOwn } from '../../src/catalog/own/testing/acme.ts'
import { openFireBed } from '../fire/bed.ts'
import { dataFolder, type GatewayProcess } from '../harness/clients/gateway-process.ts'
import { cleanUp } from '../harness/clean-up.ts'
import { eventually } from '../harness/eventually.ts'
import { startVendor } from '../harness/vendors/vendor.ts'

const SECRET = 'the-sealing-secret-of-this-test-0123456789'
const KEYS = ['the-first-key-of-acme', 'the-second-key-of-acme'] as const

test('every process uses an added, replaced or removed vendor key, and no answer shows it', async () => {
  const bed = await openFireBed()
  const api = await startVendor()
  api.answerWith(({ headers }) => ({
    body: { rows: [{ name: 'Acme' }], echo: headers['authorization'], former: KEYS[0] },
  }))
  const folder = join(dataFolder(), 'own')
  mkdirSync(folder)
  writeOwn(
    folder,
    'acme.json',
    acmeFile({ base_url: api.url, private: true, actions: [acmeAction()] }),
  )
  const settings = { IN_HOUSE: 'none', ACTIONS_DIR: folder, VENDOR_KEYS_SECRET: SECRET }
  const gateways = await Promise.all([bed.start(settings), bed.start(settings)])
  const { key } = await bed.account('1000')
  const answers: string[] = []
  const call = async ({ url }: GatewayProcess): Promise<number> => {
    const response = await fetch(`${url}/api/run/acme/company`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"id":"7"}',
    })
    answers.push(await response.text())
    return response.status
  }
  const statuses = () => Promise.all(gateways.map(call))
  const keys = await openVendorKeys({
    config: {
      upstreams: new Map(),
      vendorKeysSecret: SECRET,
      databaseUrl: 'unused',
      dataDir: folder,
    },
    database: bed.database,
    logger: { warn: () => {} },
    listens: false,
  })
  cleanUp(() => keys.close())
  assert.ok((await statuses()).every((status) => status >= 400))
  assert.equal(api.requests.length, 0)
  for (const added of KEYS) {
    await keys.store('acme', 'KEY', added)
    await eventually(async () => {
      const before = api.requests.length
      assert.deepEqual(await statuses(), [200, 200], answers.at(-1))
      for (const { headers } of api.requests.slice(before))
        assert.equal(headers['authorization'], `Bearer ${added}`)
    })
  }
  await keys.restore('acme', 'KEY')
  await eventually(async () => assert.ok((await statuses()).every((status) => status >= 400)))
  const shown = [...answers, ...gateways.map((gateway) => gateway.output())].join('\n')
  for (const secret of KEYS) assert.ok(!shown.includes(secret), secret)
  await bed.nothingHeld()
  await bed.assertSound()
})
