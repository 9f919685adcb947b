/** Runs the agents in examples/typescript with a test key, against one gateway. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { dataFolder, startGateway } from '../harness/clients/gateway-process.ts'
import { cloneDatabase, databaseUrl } from '../harness/postgres.ts'
import { runShell, type Ran } from '../harness/shell.ts'

const FOLDER = 'examples/typescript'
const HELPER = 'run-agent.ts'
const SIMULATED = /This answer is simulated/

/** The lines that each agent prints, and its total charge in dollars. */
const AGENTS: Readonly<
  Record<string, { readonly prints: readonly RegExp[]; readonly total: RegExp }>
> = {
  'research-assistant': {
    prints: [
      SIMULATED,
      /^Sources:\n(?:\[[123]\] .+ \(simulated\): https:\S+\n){3}Limit: 50 cents$/m,
    ],
    total: /^0\.110\d{3}$/,
  },
  'price-watcher': {
    prints: [/^Page: Kettle at shop\.example\.com/m, /^The page shows no price\.$/m],
    total: /^0\.010000$/,
  },
  'rag-indexer': {
    prints: [
      /^Pages: 1, chunks: [2-9], index: file_[0-9a-f]{32}$/m,
      SIMULATED,
      /(?:^Used \(-?\d\.\d\d\): https:\/\/example\.com\/handbook\n){3}/m,
    ],
    total: /^0\.030\d{3}$/,
  },
  'browser-agent': {
    prints: [
      /^Session: sim-\S+, 5 minutes paid$/m,
      /^Simulated, connect to: wss:\/\/\S+$/m,
      /^Released: true$/m,
    ],
    total: /^0\.010000$/,
  },
  'company-enrichment': {
    prints: [
      /^Started 2 jobs$/m,
      /'Acme'.*@\S+\.example\.com'/,
      /'Example Corp'.*@\S+\.example\.com'/,
    ],
    total: /^0\.\d{6}$/,
  },
  'inbox-responder': {
    prints: [
      /^Inbox: sim\w+@agentmail\.to\nUnanswered messages: 1$/m,
      /^Replied to Bo Example <bo@example\.com>: Welcome \(simulated\)$/m,
    ],
    total: /^2\.010\d{3}$/,
  },
  'media-generator': {
    prints: [
      /^Status: succeeded\nVideo: http:\/\/127\.0\.0\.1:\d+\/files\/file_\S+$/m,
      /^File: file_[0-9a-f]{32}, video\/mp4, \d+ bytes/m,
    ],
    total: /^0\.1\d{5}$/,
  },
  'compliance-check': {
    prints: [/^Security headers: done$/m, /^Website health: done$/m, /^Checks: 3 done, 0 failed$/m],
    total: /^0\.064800$/,
  },
  'streaming-chat': {
    prints: [/^Search results: 5$/m, SIMULATED, /^Tokens: \d+ in, \d+ out$/m],
    total: /^0\.050\d{3}$/,
  },
  'code-runner': {
    prints: [
      /^Output: .*\(simulated\)\nExit code: 127, charge: 10000 micro-dollars$/m,
      /^Sandbox ended$/m,
    ],
    total: /^0\.050000$/,
  },
}

const { target } = await cloneDatabase()
const gateway = await startGateway({
  DATABASE_URL: databaseUrl(target),
  DATA_DIR: dataFolder(),
  ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
})
const testKey = /tg_test_[0-9A-Za-z]{38}/.exec(gateway.output())?.[0] ?? ''

const run = (name: string, environment: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  runShell(`node ${FOLDER}/${name}.ts`, {
    TOLLGATE_URL: gateway.url,
    TOLLGATE_KEY: testKey,
    ...environment,
  })

/** A port that was free a moment ago. */
async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

describe('the agents', { concurrency: 2 }, () => {
  for (const [name, { prints, total }] of Object.entries(AGENTS))
    test(`${name} runs to its end and prints its result and its charge`, async () => {
      const { code, out, err } = await run(name)
      assert.deepEqual([code, err], [0, ''], out)
      for (const expected of prints) assert.match(out, expected)
      assert.match(/^Total charge: \$(.+)\n$/m.exec(out)?.[1] ?? out, total)
    })

  test('price-watcher verifies the event that its webhook receives', async () => {
    const port = await findPort()
    const { code, out, err } = await run('price-watcher', {
      WEBHOOK_URL: `http://127.0.0.1:${port}/`,
      WEBHOOK_PORT: String(port),
    })
    assert.deepEqual([code, err], [0, ''], out)
    assert.match(out, /^Verified event: job\.succeeded\nPage: Kettle at shop\.example\.com/)
  })

  test('an agent prints the code and the fix of an error, and fails', async () => {
    const { code, out, err } = await run('streaming-chat', { TOLLGATE_KEY: 'tg_test_none' })
    assert.deepEqual([code, out], [1, 'Total charge: $0.000000\n'])
    assert.match(err, /^invalid_token: .+\nFix: .+\n$/)
  })
})

test('every agent in the folder has a test', () => {
  const files = readdirSync(join(import.meta.dirname, '../..', FOLDER)).filter(
    (file) => file !== HELPER,
  )
  assert.deepEqual(
    files.toSorted(),
    Object.keys(AGENTS)
      .map((name) => `${name}.ts`)
      .toSorted(),
  )
})
