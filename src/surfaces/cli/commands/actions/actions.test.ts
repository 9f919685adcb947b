import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { acmeAction, acmeFile, withFolder } from '../../../../catalog/own/testing/acme.ts'
import { startVendor } from '../../../../../test/harness/vendors/vendor.ts'
import { runCli } from '../../run-cli.ts'

type Ran = { readonly code: number; readonly out: string }

async function run(environment: Record<string, string>, ...words: string[]): Promise<Ran> {
  let out = ''
  const write = (text: string): void => void (out += text)
  const code = await runCli(words, { environment, out: write, err: write })
  return { code, out }
}

const withFile = (file: unknown, use: (folder: string) => Promise<void>) =>
  withFolder({ 'acme.json': file }, use)

describe('./tollgate actions', () => {
  test('check names file, line and pointer of a fault, and exits with 1', async () => {
    const { price: _, ...unpriced } = acmeAction()
    await withFile(acmeFile({ actions: [unpriced] }), async (folder) => {
      const { code, out } = await run({}, 'actions', 'check', folder)
      assert.equal(code, 1)
      assert.ok(
        out.includes(`${join(folder, 'acme.json')}:14: "/actions/0/price" is required`),
        out,
      )
      const { faults } = (
        JSON.parse((await run({ ACTIONS_DIR: folder }, 'actions', 'check', '--json')).out) as {
          data: { faults: { line: number }[] }
        }
      ).data
      assert.deepEqual(
        faults.map(({ line }) => line),
        [14],
      )
    })
  })

  test('check --report bills 10,000 random answers and finds none billed wrongly', async () => {
    await withFile(acmeFile(), async (folder) => {
      const { code, out } = await run({}, 'actions', 'check', folder, '--report')
      assert.equal(code, 0)
      assert.match(
        out,
        /No faults: 1 files, 1 actions\.\n10000 random answers, billed wrongly: 0\./,
      )
    })
  })

  test('check needs a folder', async () => {
    assert.deepEqual((await run({}, 'actions', 'check')).code, 2)
    assert.deepEqual((await run({}, 'actions', 'check', '/nowhere/at-all')).code, 1)
  })

  test('list shows prices, costs and the settings that are missing', async () => {
    await withFile(acmeFile(), async (ACTIONS_DIR) => {
      const { out } = await run({ ACTIONS_DIR }, 'actions', 'list')
      assert.match(out, /acme\/company +0\.5¢ per row +0\.2¢ +UPSTREAM_ACME_KEY/)
      const set = await run({ ACTIONS_DIR, UPSTREAM_ACME_KEY: 'secret' }, 'actions', 'list')
      assert.doesNotMatch(set.out, /UPSTREAM_ACME_KEY|secret/)
    })
  })

  test('try shows the request, the outcome, the units and the charge of a simulated call', async () => {
    await withFile(acmeFile(), async (ACTIONS_DIR) => {
      const { code, out } = await run(
        { ACTIONS_DIR },
        'actions',
        'try',
        'acme/company',
        '{"id":"7","lang":"de"}',
      )
      assert.equal(code, 0, out)
      assert.match(out, /GET https:\/\/api\.acme\.example\/companies\/7\?lang=de/)
      assert.match(out, /authorization: Bearer \$KEY/)
      assert.match(
        out,
        /outcome +done\nunits +1\ncharge +\$0\.005 of \$0\.05 held; nothing was booked/,
      )
      assert.equal(
        (await run({ ACTIONS_DIR }, 'actions', 'try', 'acme/company', '{"id":7}')).code,
        2,
      )
      assert.equal((await run({ ACTIONS_DIR }, 'actions', 'try', 'acme/firm')).code, 1)
    })
  })

  test('try --live calls the API and never shows the key', async () => {
    const api = await startVendor()
    api.answerWith(() => ({ body: { rows: ['a', 'b'], echo: 'live-secret-key' } }))
    await withFile(acmeFile({ base_url: api.url, private: true }), async (ACTIONS_DIR) => {
      const keyless = await run({ ACTIONS_DIR }, 'actions', 'try', 'acme/company', '--live')
      assert.equal(keyless.code, 1)
      const settings = { ACTIONS_DIR, UPSTREAM_ACME_KEY: 'live-secret-key' }
      const { out, code } = await run(settings, 'actions', 'try', 'acme/company', '--live')
      assert.equal(code, 0, out)
      assert.match(out, /units +2\ncharge +\$0\.01 /)
      assert.doesNotMatch(out, /live-secret-key/)
      assert.equal(api.requests.at(-1)?.headers['authorization'], 'Bearer live-secret-key')
    })
  })
})
