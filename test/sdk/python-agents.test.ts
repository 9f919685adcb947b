/** Runs the agents in examples/python with a test key of one gateway. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { before, describe, it } from 'node:test'
import { dataFolder, startGateway } from '../harness/clients/gateway-process.ts'
import { runShell, type Ran } from '../harness/shell.ts'

const isRecent = 'import sys; sys.exit(sys.version_info < (3, 9))'
const skip =
  spawnSync('python3', ['-c', isRecent]).status === 0 ? false : 'needs Python 3.9 or later'

/** The output of each agent before the total, and its charge in dollars. */
const AGENTS: Readonly<Record<string, readonly [RegExp, RegExp]>> = {
  browser_agent: [
    /^Opened browser session sim-\S+ for 5 minutes\nConnect to wss:\/\/\S+\nThe session is active, .*\nReleased the browser, [45]\.\d minutes unused\n$/,
    /^0\.010000$/,
  ],
  code_runner: [
    /^Started sandbox sb-\S+\necho: exit code 0, \$0\.010000\nThe sandbox is ready\.\npython3: exit code 127, [^]*no Python\..*\nStopped the sandbox\n$/,
    /^0\.060000$/,
  ],
  company_enrichment: [
    /^Acme: https:\S+\nGlobex: https:\S+\nStarted job_\S+\n(?:.*\S+@\S+\n){2}Found 2 email addresses for 2 people\n$/,
    /^0\.[2-3]\d0000$/,
  ],
  compliance_check: [
    /^Checks of https:\/\/example\.com\nData protection, \$0\.\d+:\n(?: {2}.*\n)* {2}valid: true\n[^]*Domain reputation, \$0\.\d+:\n(?: {2}.*\n)* {2}valid: true\n/,
    /^0\.043200$/,
  ],
  inbox_responder: [
    /^Inbox \S+@\S+\n1 messages, 1 unread\nReplied to Bo Example .* about "Welcome \(simulated\)": <sim-\S+>\n {2}This answer is simulated/,
    /^2\.0100\d\d$/,
  ],
  media_generator: [
    /^Started job_\S+ for "A lighthouse.*"\n(?:- (?:queued|running)\n)*- succeeded\nVideo of 4 s \(video\/mp4\): http:\S+\/files\/file_\S+\nStored as file_\S+, \d+ bytes\n$/,
    /^0\.240000$/,
  ],
  price_watcher: [
    /^Read Kettle at shop\.example\.com .*\nPrice 1\.00 simulated, target 25\.00: buy now\nVerified the event webhook\.test\n$/,
    /^0\.0200\d\d$/,
  ],
  rag_indexer: [
    /^Stored [1-9]\d* chunks \(\d+ bytes\) as file_\S+\nQuestion: How do I begin\?\nAnswer: This answer is simulated[^]*\nFrom:\n(?:- .* https:\/\/docs\.example\.com\/\w+\n){3}$/,
    /^0\.040\d{3}$/,
  ],
  research_assistant: [
    /^Question: How are solar[^]*This answer is simulated[^]*\n\nSources:\n(?:\[[123]\] .* https:\S+\n){3}\nThe child key spent \$0\.110\d{3} of \$0\.50\.\n$/,
    /^0\.110\d{3}$/,
  ],
  streaming_chat: [
    /^Question: .*\nSearch results:\n(?:- .* https:\S+\n){5}Answer: This answer is simulated[^]*\n\S+, (?:[2-9]|\d\d+) pieces\nThe answer costs \$0\.0000\d\d\n$/,
    /^0\.0500\d\d$/,
  ],
}
const TOTAL = /Total charge: \$([\d.]+) \(test key: simulated, no money is charged\)\n$/

describe('the agents in Python', { skip, concurrency: 2 }, () => {
  let url: string
  let testKey: string
  const run = (agent: string, key = testKey): Promise<Ran> =>
    runShell(`python3 -B -W error examples/python/${agent}.py`, {
      PYTHONPATH: 'packages/python/src',
      TOLLGATE_URL: url,
      TOLLGATE_KEY: key,
      // Any free port.
      WEBHOOK_PORT: '0',
    })

  before(async () => {
    const gateway = await startGateway({
      DATA_DIR: dataFolder(),
      ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
    })
    url = gateway.url
    testKey = /tg_test_[0-9A-Za-z]{38}/.exec(gateway.output())?.[0] ?? ''
  })

  for (const [agent, [output, charge]] of Object.entries(AGENTS)) {
    it(`${agent} runs to its end and prints its charge`, async () => {
      const { code, out, err } = await run(agent)
      assert.deepEqual([code, err], [0, ''])
      assert.match(out.replace(TOTAL, ''), output)
      assert.match(TOTAL.exec(out)?.[1] ?? '', charge)
    })
  }

  it('prints the code and the fix of an error and fails', async () => {
    const { code, out, err } = await run('streaming_chat', 'tg_test_unknown')
    assert.equal(code, 1)
    assert.doesNotMatch(out, /Total charge/)
    assert.match(err, /^Error invalid_token: .+\nFix: .+\nCharged before the error: \$0\.000000\n$/)
  })
})

it('has a test for each agent in examples/python', () => {
  const files = globSync('examples/python/*_*.py').map((file) => basename(file, '.py'))
  assert.deepEqual(files.toSorted(), Object.keys(AGENTS))
})
