import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { addressOfGateway, writeAddressFile } from './address-file.ts'

let dataDir: string
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tollgate-address-'))
})
after(() => rm(dataDir, { recursive: true }))

const plain = () => ({ dataDir, host: '127.0.0.1', port: 4020, publicUrl: 'http://127.0.0.1:4020' })

test("commands use the running gateway's address, or else their own settings", async () => {
  assert.equal(await addressOfGateway(plain()), 'http://127.0.0.1:4020')
  const takeAway = await writeAddressFile({ dataDir, publicUrl: 'http://127.0.0.1:4120' })
  assert.equal(await addressOfGateway(plain()), 'http://127.0.0.1:4120')
  assert.equal(
    await addressOfGateway({ ...plain(), publicUrl: 'https://gate.example' }),
    'https://gate.example',
    'a PUBLIC_URL that is set counts',
  )
  await takeAway()
  assert.deepEqual(await readdir(dataDir), [])
})

test('a stopping gateway keeps the address of one that started later', async () => {
  const first = await writeAddressFile({ dataDir, publicUrl: 'http://127.0.0.1:4120' })
  const second = await writeAddressFile({ dataDir, publicUrl: 'http://127.0.0.1:4121' })
  await first()
  assert.equal(await addressOfGateway(plain()), 'http://127.0.0.1:4121')
  await second()
})

test('an invalid address is ignored, and a read-only folder does not stop the start', async () => {
  await writeFile(join(dataDir, 'address'), 'nonsense')
  assert.equal(await addressOfGateway(plain()), 'http://127.0.0.1:4020')
  await (
    await writeAddressFile({
      dataDir: join(dataDir, 'missing'),
      publicUrl: 'http://127.0.0.1:4120',
    })
  )()
})
