/**
 * The official conformance suite, in which every scenario passes or is listed in a file of expected
 * failures with its reason; and the client configurations of the documents.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { openAppBed, type AppBed } from '../harness/beds/app.ts'
import { cleanUp } from '../harness/clean-up.ts'
import type { ToolResult } from '../harness/clients/mcp.ts'
import { blocksOfMarkdown, runShell } from '../harness/shell.ts'
import { startFixtureServer } from './fixture-server.ts'
import { startKeyedProxy } from './keyed-proxy.ts'

const root = join(import.meta.dirname, '../..')
const SUITE = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')

async function runSuite(url: string, expectedFailures: string): Promise<Set<string>> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-mcp-'))
  cleanUp(() => rmSync(folder, { recursive: true, force: true }))
  const child = spawn(
    process.execPath,
    [
      SUITE,
      'server',
      '--url',
      url,
      '--suite',
      'all',
      '--expected-failures',
      join(import.meta.dirname, expectedFailures),
      '-o',
      folder,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const code = await new Promise((done) => child.on('close', done))
  assert.equal(code, 0, said.slice(said.indexOf('=== SUMMARY ===')))
  return new Set([...said.matchAll(/^✓ ([a-z0-9-]+): /gm)].map((match) => match[1] ?? ''))
}

let bed: AppBed
let url: string
before(async () => {
  bed = await openAppBed()
  url = await bed.app.listen({ port: 0, host: '127.0.0.1' })
})

describe('the conformance suite', () => {
  it('the product passes every scenario that needs no fixture', async () => {
    const passed = await runSuite(
      await startKeyedProxy(Number(new URL(url).port), bed.liveKey),
      'expected-failures.product.yml',
    )
    for (const scenario of ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'])
      assert.ok(passed.has(scenario), scenario)
  })

  it('fixtures behind the same transport pass the scenarios of tools, progress and logging', async () => {
    const passed = await runSuite(await startFixtureServer(), 'expected-failures.fixtures.yml')
    const wanted = [
      'simple-text',
      'image',
      'audio',
      'embedded-resource',
      'mixed-content',
      'error',
      'with-progress',
      'with-logging',
    ].map((name) => `tools-call-${name}`)
    for (const scenario of [...wanted, 'json-schema-2020-12', 'logging-set-level'])
      assert.ok(passed.has(scenario), scenario)
  })
})

describe('documented client configurations', () => {
  const ADDRESS = 'http://127.0.0.1:4020/mcp'
  const documents = ['docs/mcp.md', 'README.md'].map((name) =>
    readFileSync(join(root, name), 'utf8'),
  )
  const [guide = ''] = documents

  it('is JSON that names the address and the bearer header', () => {
    const blocks = documents
      .flatMap((text) =>
        [...text.matchAll(/^```json\n([\s\S]*?)^```/gm)].map((match) => match[1] ?? ''),
      )
      .filter((block) => block.includes('/mcp"'))
    assert.ok(blocks.length >= 6)
    for (const block of blocks) {
      assert.ok(JSON.stringify(JSON.parse(block)).includes(`"${ADDRESS}"`), block)
      assert.match(block, /Authorization[\s\S]*Bearer /)
    }
  })

  it('names every tool', () => {
    const rows = [...guide.matchAll(/^\| `([a-z]+)` \|/gm)].map((match) => match[1])
    assert.deepEqual(
      rows.map(String).toSorted((a, b) => a.localeCompare(b)),
      ['balance', 'budget', 'close', 'describe', 'discover', 'result', 'run', 'session'],
    )
  })

  it('is tried with a curl that answers the balance', async () => {
    const [command = ''] = blocksOfMarkdown(guide)
    const { out, err } = await runShell(command.replace(ADDRESS, `${url}/mcp`), {
      TOLLGATE_KEY: bed.liveKey,
    })
    assert.notEqual(out, '', err)
    const { result } = JSON.parse(out) as { result: ToolResult }
    assert.equal(typeof result.structuredContent.data['balance_cents'], 'number')
  })
})
