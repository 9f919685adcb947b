import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { startToolServer } from '../../../../../test/harness/vendors/tool-server.ts'
import { startVendor } from '../../../../../test/harness/vendors/vendor.ts'
import { withFolder } from '../../../../catalog/own/testing/acme.ts'
import { runCli } from '../../run-cli.ts'

const KEY = 'tool-secret-key'
const TOOLS = [
  {
    name: 'searchFirms',
    description: 'Finds firms.',
    annotations: { readOnlyHint: true },
    inputSchema: {
      type: 'object',
      required: ['where'],
      properties: { where: { $ref: '#/$defs/Place' }, many: { type: 'integer', maximum: 5 } },
      $defs: {
        Place: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } },
      },
    },
    outputSchema: {
      type: 'object',
      properties: { firms: { type: 'array', items: { type: 'string' } } },
    },
  },
  { name: 'send-mail', inputSchema: { type: 'object', properties: { to: { type: 'string' } } } },
  { name: 'costly', inputSchema: { type: 'object', properties: { max_cost: { type: 'number' } } } },
]
const answer = (tool: string, input: Record<string, unknown>) =>
  tool === 'searchFirms'
    ? { content: [{ type: 'text', text: 'ignored' }], structuredContent: { firms: ['Acme'] } }
    : input['to'] === undefined
      ? { isError: true, content: [{ type: 'text', text: 'no address' }] }
      : { content: [{ type: 'text', text: `sent with ${KEY}` }] }

async function run(environment: Record<string, string>, ...words: string[]) {
  let out = ''
  const write = (text: string): void => void (out += text)
  const code = await runCli(words, { environment, out: write, err: write })
  return { code, out }
}

describe('./tollgate actions import --mcp', () => {
  for (const isJson of [true, false])
    test(`imports tools that calls reach, and a failing tool is free (JSON: ${isJson})`, async () => {
      const server = await startToolServer(TOOLS, answer, isJson)
      await withFolder({}, async (folder) => {
        const environment = { ACTIONS_DIR: folder, UPSTREAM_FIRMS_KEY: KEY }
        const line = ['actions', 'import', '--mcp', server.url, '--service', 'firms']
        const made = await run(environment, ...line, '--private', '--price-cents', '3')
        assert.equal(made.code, 0, made.out)
        assert.match(
          made.out,
          /Imported 2 actions.*\nNot imported \(1\):\n {2}costly: has the parameter "max_cost"/,
        )
        assert.equal((await run({}, 'actions', 'check', folder)).code, 0)
        assert.doesNotMatch(readFileSync(join(folder, 'firms.json'), 'utf8'), /\$ref|secret/)
        const call = (name: string, input: object, ...more: string[]) =>
          run(environment, 'actions', 'try', `firms/${name}`, JSON.stringify(input), ...more)
        const where = { city: 'Ulm' }
        assert.match((await call('search_firms', { where })).out, /"firms": \[\n {4}"example"/)
        const found = await call('search_firms', { where, many: 2 }, '--live')
        assert.match(found.out, /outcome +done\ncharge +\$0\.03 [^]*"firms": \[\n {4}"Acme"/)
        assert.deepEqual(server.calls, [{ tool: 'searchFirms', input: { where, many: 2 } }])
        assert.deepEqual(new Set(server.keys), new Set([`Bearer ${KEY}`]))
        const failed = await call('send_mail', {}, '--live')
        assert.match(
          failed.out,
          /failed: upstream_rejected\ncharge +\$0\.00 [^]*"message": "no address"/,
        )
        const sent = await call('send_mail', { to: 'a@example.com' }, '--live')
        assert.match(sent.out, /"text": "sent with /)
        assert.doesNotMatch(sent.out, /tool-secret-key/)
        await eventually(() => assert.equal(server.openSessions(), 0))
      })
    })

  test('fails without a charge for a server without tools, and names the missing key', async () => {
    const server = await startVendor()
    server.answerWith(() => ({ body: '<html>no tools here</html>' }))
    await withFolder({}, async (ACTIONS_DIR) => {
      const line = ['actions', 'import', '--mcp', server.url, '--service', 'firms', '--private']
      assert.match(
        (await run({ ACTIONS_DIR }, ...line)).out,
        /no credentials\.\nSet UPSTREAM_FIRMS_KEY/,
      )
      const { code, out } = await run({ ACTIONS_DIR }, ...line, '--no-auth')
      assert.equal(code, 1)
      assert.match(out, /listed no tools/)
      assert.equal((await run({ ACTIONS_DIR }, ...line, '--overlay', 'x.json')).code, 2)
    })
  })
})
