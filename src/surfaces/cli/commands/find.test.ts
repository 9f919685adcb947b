import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCli } from '../run-cli.ts'

async function run(...words: string[]): Promise<{ code: number; out: string }> {
  let out = ''
  const code = await runCli(words, {
    environment: {},
    out: (text) => void (out += text),
    err: (text) => void (out += text),
  })
  return { code, out }
}

test('finds an action by the search of core/discover, without a database', async () => {
  const { code, out } = await run('find', 'decode the VIN 1HGCM82633A004352')
  assert.equal(code, 0)
  assert.match(out, /^vehicles\/get {2}/)
  const { data } = JSON.parse((await run('find', 'buscar patentes', '--json')).out) as {
    data: { hits: { service: string; confidence: string }[] }
  }
  assert.deepEqual([data.hits[0]?.service, data.hits[0]?.confidence], ['patents', 'high'])
})

test('needs a task', async () => {
  const { code, out } = await run('find')
  assert.equal(code, 2)
  assert.match(out, /"find" needs <task>/)
})
