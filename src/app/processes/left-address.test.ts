import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { addressOfGateway, leaveAddress } from './left-address.ts'

let dataDir: string
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tollgate-address-'))
})
after(() => rm(dataDir, { recursive: true }))

const plain = () => ({ dataDir, host: '127.0.0.1', port: 4020, publicUrl: 'http://127.0.0.1:4020' })

test('commands use the address that the running gateway left, and their own settings without one', async () => {
  assert.equal(await addressOfGateway(plain()), 'http://127.0.0.1:4020')
  const takeAway = await leaveAddress({ dataDir, publicUrl: 'http://127.0.0.1:4120' })
  assert.equal(await addressOfGateway(plain()), 'http://127.0.0.1:4120')
  assert.equal(
    await addressOfGateway({ ...plain(), publicUrl: 'https://gate.example' }),
    'https://gate.example',
    'a PUBLIC_URL that is set counts',
  )
  await takeAway()
  assert.deepEqual(await readdir(dataDir), [])
})

test('a gateway that ends leaves alone the address of another that started since', async () => {
  const first = await leaveAddress({ dataDir, publicUrl: 'http://127.0.0.1:4120' })
  const second = await leaveAddress({ dataDir, publicUrl: 'http://127.0.0.1:4121' })
  await first()
  assert.equal(await addressOfGateway(plain()), 'http://127.0.0.1:4121')
  await second()
})

test('what is no address is not used, and a folder that takes no file keeps no gateway from starting', async () => {
  await writeFile(join(dataDir, 'address'), 'nonsense')
  assert.equal(await addressOfGateway(plain()), 'http://127.0.0.1:4020')
  await (
    await leaveAddress({ dataDir: join(dataDir, 'missing'), publicUrl: 'http://127.0.0.1:4120' })
  )()
})
