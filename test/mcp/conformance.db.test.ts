/** The official conformance suite: every scenario passes, or stands in a file of expected failures with its reason. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { openAppBed } from '../harness/app.ts'
import { cleanUp } from '../harness/clean-up.ts'
import { startFixtureServer } from './fixture-server.ts'
import { startKeyedProxy } from './keyed-proxy.ts'

const root = join(import.meta.dirname, '../..')
const SUITE = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')

async function runSuite(url: string, expectedFailures: string): Promise<Set<string>> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-mcp-'))
  cleanUp(() => rmSync(folder, { recursive: true, force: true }))
  const child = spawn(process.execPath, [SUITE, 'server', '--url', url, '--suite', 'all', '--expected-failures', join(import.meta.dirname, expectedFailures), '-o', folder], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const code = await new Promise((done) => child.on('close', done))
  assert.equal(code, 0, said.slice(said.indexOf('=== SUMMARY ===')))
  return new Set([...said.matchAll(/^✓ ([a-z0-9-]+): /gm)].map((match) => match[1] ?? ''))
}

it('the product passes every scenario that needs no fixture', async () => {
  const bed = await openAppBed()
  const { port } = new URL(await bed.app.listen({ port: 0, host: '127.0.0.1' }))
  const passed = await runSuite(await startKeyedProxy(Number(port), bed.liveKey), 'expected-failures.product.yml')
  for (const scenario of ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']) assert.ok(passed.has(scenario), scenario)
})

it('fixtures behind the same transport pass the scenarios of tools, progress and logging', async () => {
  const passed = await runSuite(await startFixtureServer(), 'expected-failures.fixtures.yml')
  const wanted = ['simple-text', 'image', 'audio', 'embedded-resource', 'mixed-content', 'error', 'with-progress', 'with-logging'].map((name) => `tools-call-${name}`)
  for (const scenario of [...wanted, 'json-schema-2020-12', 'logging-set-level']) assert.ok(passed.has(scenario), scenario)
})
