import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { withFolder } from '../../../../catalog/own/testing/acme.ts'
import { startVendor } from '../../../../../test/harness/vendors/vendor.ts'
import { runCli } from '../../run-cli.ts'

const documents = join(import.meta.dirname, '../../../../../test/documents')
const pets = join(documents, 'pets-2.0.json')

async function run(environment: Record<string, string>, ...words: string[]) {
  let out = ''
  const write = (text: string): void => void (out += text)
  const code = await runCli(words, { environment, out: write, err: write })
  return { code, out }
}
const importFrom = (ACTIONS_DIR: string, ...words: string[]) =>
  run({ ACTIONS_DIR }, 'actions', 'import', ...words)

describe('./tollgate actions import', () => {
  test('writes a file that "actions check" accepts, and names what it leaves out', async () => {
    await withFolder({}, async (folder) => {
      const { code, out } = await importFrom(folder, pets, '--price-cents', '2')
      assert.equal(code, 0, out)
      assert.match(out, /Imported 4 actions into .*\/pet\.json\./)
      assert.match(
        out,
        /Not imported \(3\):\n(.*\n)* {2}POST \/pet\/\{petId\}\/uploadImage: takes a body of multipart/,
      )
      assert.match(out, /Set UPSTREAM_PET_KEY\./)
      assert.match(
        (await run({}, 'actions', 'check', folder, '--report')).out,
        /1 files, 4 actions\.\n10000 .* wrongly: 0/,
      )
      const tried = await run({ ACTIONS_DIR: folder }, 'actions', 'try', 'pet/get_pet_by_id')
      assert.match(
        tried.out,
        /GET https:\/\/pets\.example\/v2\/pet\/1\n(.*\n)*outcome +done\ncharge +\$0\.02 /,
      )
    })
  })

  test('replaces no file without --replace, and writes none if it imports nothing', async () => {
    await withFolder({ 'pet.json': 'mine' }, async (folder) => {
      const read = () => readFileSync(join(folder, 'pet.json'), 'utf8')
      const refused = await importFrom(folder, pets, '--price-cents', '2')
      assert.deepEqual([refused.code, read()], [1, 'mine'])
      assert.match(refused.out, /exists: add --replace/)
      const unpriced = await importFrom(folder, pets, '--replace')
      assert.deepEqual([unpriced.code, read()], [1, 'mine'])
      assert.match(unpriced.out, /GET \/pet\/\{petId\}: has no price/)
      const words = ['--only', 'getPetById', '--price-cents', '2', '--replace']
      assert.equal((await importFrom(folder, pets, ...words)).code, 0)
      assert.match(read(), /"get_pet_by_id"/)
    })
  })

  test('reads a URL through the guard only', async () => {
    const server = await startVendor()
    server.answerWith(() => ({ body: readFileSync(pets, 'utf8') }))
    await withFolder({}, async (folder) => {
      const words = ['actions', 'import', `${server.url}/openapi.json`, '--price-cents', '2']
      const blocked = await run({ ACTIONS_DIR: folder }, ...words)
      assert.deepEqual([blocked.code, server.requests.length], [1, 0])
      const allowed = { ACTIONS_DIR: folder, ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' }
      const { code, out } = await run(allowed, ...words)
      assert.equal(code, 0, out)
    })
  })

  test('rejects an incomplete command line and a file that does not exist', async () => {
    await withFolder({}, async (folder) => {
      assert.equal((await run({}, 'actions', 'import', pets)).code, 2)
      assert.equal((await importFrom(folder, pets, '--no-auth', '--auth-header', 'x')).code, 2)
      assert.match(
        (await importFrom(folder, join(folder, 'none.json'))).out,
        /none\.json cannot be read \(ENOENT\)/,
      )
    })
  })
})
