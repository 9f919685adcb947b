/** Runs the programs in examples/ against a real gateway. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { before, describe, it } from 'node:test'
import { dataFolder, startGateway } from '../harness/clients/gateway-process.ts'
import { runShell, type Ran } from '../harness/shell.ts'
import { startVendor } from '../harness/vendors/vendor.ts'

const hasPython = spawnSync('python3', ['--version']).status === 0

describe('examples', () => {
  let url: string
  let key: string
  let testKey: string
  const run = (command: string, gateway = url): Promise<Ran> =>
    runShell(command, { TOLLGATE_URL: gateway, TOLLGATE_KEY: key })

  before(async () => {
    const gateway = await startGateway({ DATA_DIR: dataFolder() })
    url = gateway.url
    key = /tg_live_[0-9A-Za-z]{38}/.exec(gateway.output())?.[0] ?? ''
    testKey = /tg_test_[0-9A-Za-z]{38}/.exec(gateway.output())?.[0] ?? ''
  })

  async function balanceMicros(): Promise<number> {
    const reply = await fetch(`${url}/api/v1/balance`, {
      headers: { authorization: `Bearer ${key}` },
    })
    return ((await reply.json()) as { data: { balance_micros: number } }).data.balance_micros
  }

  it('first-call.sh reads a page twice and is charged once', async () => {
    const before = await balanceMicros()
    const { code, out, err } = await run('sh examples/first-call.sh')
    assert.equal(code, 0, err)
    assert.match(
      out,
      /^first request: \d{4,} characters, charged 20000 micro-dollars\nsecond request: \d{4,} characters, charged 0 micro-dollars\n$/,
    )
    assert.equal(before - (await balanceMicros()), 20_000)
  })

  it('first-call.sh prints the error and fails when the page is unreadable', async () => {
    const { code, err } = await run('sh examples/first-call.sh https://x.com/a')
    assert.equal(code, 1)
    assert.match(err, /onescrape_social/)
  })

  it('agent-key.mjs reads until its key reaches the limit', async () => {
    const before = await balanceMicros()
    const { code, out, err } = await run('node examples/agent-key.mjs')
    assert.equal(code, 0, err)
    assert.match(
      out,
      /^created key tg_live_\w{4}…, limit 4¢ per day\n(?:read "Getting started with Tollgate", \d+ characters, for 2¢\n){2}api_key_limit_exceeded: .*Wait until .*\n$/,
    )
    assert.equal(before - (await balanceMicros()), 40_000)
  })

  it('ask-model.mjs prints a simulated answer with a test key and the error with a live key', async () => {
    const { code, out, err } = await run(`TOLLGATE_KEY=${testKey} node examples/ask-model.mjs`)
    assert.equal(code, 0, err)
    assert.match(
      out,
      /^This answer is simulated: .*\n\nopenai\/gpt-6-luna: \d+ \+ \d+ tokens, \$0\.0000\d\d\n$/,
    )
    const live = await run('node examples/ask-model.mjs')
    assert.equal(live.code, 1)
    assert.match(live.err, /^upstream_not_configured: /)
  })

  const python = { skip: hasPython ? false : 'python3 is not installed' }

  it('careful-call.py reads a page for 2 cents', python, async () => {
    const before = await balanceMicros()
    const { code, out, err } = await run('python3 examples/careful-call.py')
    assert.equal(code, 0, err)
    assert.match(out, /^Getting started with Tollgate: \d+ characters of markdown for 2 cents\n$/)
    assert.equal(before - (await balanceMicros()), 20_000)
  })

  it(
    'careful-call.py retries retryable errors only, with the same Idempotency-Key',
    python,
    async () => {
      const standIn = await startVendor()
      const failure = (retryable: boolean) => ({
        status: retryable ? 503 : 402,
        headers: { 'retry-after': '0' },
        body: { ok: false, error: { message: 'No.', fix: 'Pay.', retryable } },
      })
      standIn.answerWith(() => failure(standIn.requests.length < 3))
      const { code, err } = await run('python3 examples/careful-call.py', standIn.url)
      assert.deepEqual([code, err], [1, 'No. Pay.\n'])
      assert.equal(standIn.requests.length, 3)
      assert.equal(
        new Set(standIn.requests.map(({ headers }) => headers['idempotency-key'])).size,
        1,
      )
    },
  )
})
