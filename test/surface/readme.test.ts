/** Runs the commands of the README, the documentation and the first start unchanged and checks their results. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import {
  dataFolder,
  startGateway,
  type GatewayProcess,
} from '../harness/clients/gateway-process.ts'
import { blocksOfHtml, blocksOfMarkdown, callsUs, runShell, type Ran } from '../harness/shell.ts'

const ROOT = join(import.meta.dirname, '../..')
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')
const TUTORIAL = readFileSync(join(import.meta.dirname, '../../docs/tutorial-budget.md'), 'utf8')
const OPERATING = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8')
const HAS_PIP = spawnSync('python3', ['-m', 'pip', '--version']).status === 0
const METRICS_TOKEN = 'a-token-of-this-test'
const DOCUMENTED_ADDRESS = 'http://127.0.0.1:4020'

type Row = { url: string; title: string; format: string; content: string }
type Answer = {
  ok: boolean
  data: Record<string, unknown> & {
    rows: Row[]
    hits: { price_cents: number; required_params: string[]; confidence: 'high' | 'low' }[]
    key: string
  }
  error: { code: string; message: string; param: string | null; fix: string; retryable: boolean }
  charged_cents: number
  charged_micros: number
  request_id: string
  test?: true
}

let gateway: GatewayProcess
let environment: Record<string, string>
let testKey: string

before(async () => {
  const DATA_DIR = dataFolder()
  gateway = await startGateway({ DATA_DIR, METRICS_TOKEN })
  const keys = [...gateway.output().matchAll(/tg_(?:live|test)_[0-9A-Za-z]{38}/g)].map(
    ([key]) => key,
  )
  testKey = keys.find((key) => key.startsWith('tg_test_')) ?? ''
  environment = { DATA_DIR, PORT: new URL(gateway.url).port, TOLLGATE_KEY: keys[0] ?? '' }
})

/** Runs it with nothing changed but the port. */
const type = (command: string, more: Record<string, string> = {}): Promise<Ran> =>
  runShell(command.replaceAll(DOCUMENTED_ADDRESS, gateway.url), { ...environment, ...more })
const answer = async (command: string, more?: Record<string, string>): Promise<Answer> => {
  const { code, out, err } = await type(command, more)
  assert.notEqual(out, '', `${command}\nended with ${code ?? 'a signal'}: ${err}`)
  return JSON.parse(out) as Answer
}

function readsThePage({ ok, data, charged_cents: charged }: Answer): Row {
  assert.deepEqual([ok, data['url_count'], data['read_count'], charged], [true, 1, 1, 2])
  const row = data.rows[0] ?? assert.fail('no row')
  assert.equal(row.format, 'markdown')
  assert.match(row.content, /^Tollgate is a gateway /)
  assert.doesNotMatch(row.content, /Skip to the content|llms\.txt\)\n*$/)
  return row
}

async function readsThePageAsAJob({ data }: Answer): Promise<void> {
  assert.equal(data['status'], 'queued')
  const asked = await fetch(`${gateway.url}/api/run/core/result`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${environment['TOLLGATE_KEY'] ?? ''}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ job_id: data['job_id'], wait_s: 60 }),
  })
  const { data: job } = (await asked.json()) as {
    data: { status: string; charged_cents: number; result: { read_count: number } }
  }
  assert.deepEqual([job.status, job.charged_cents, job.result.read_count], ['succeeded', 1, 1])
}

function makesAKey({ ok, data }: Answer): void {
  assert.deepEqual(
    [ok, data['ceiling_cents'], data['ceiling_period'], data['spent_cents']],
    [true, 500, 'day', 0],
  )
  assert.match(data.key, /^tg_live_[0-9A-Za-z]{38}$/)
}

describe('README.md', () => {
  const blocks = blocksOfMarkdown(README)
  const block = (holding: string): string =>
    blocks.find((text) => text.includes(holding)) ??
    assert.fail(`README.md has no block with ${holding}`)

  it('has no command that is not typed here', () => {
    const typed = [
      '{"urls":["http://127.0.0.1:4020/guide"]}',
      'onescrape-deep',
      '/api/v1/agents',
      './tollgate doctor',
      './tollgate search',
    ]
    assert.deepEqual(
      blocks.filter((text) => !typed.some((part) => text.includes(part))),
      [],
    )
    assert.equal(blocks.length, typed.length)
  })

  it('its first call reads a real page as markdown for 2¢', async () => {
    readsThePage(await answer(block('/guide"]}')))
  })

  it('the command line finds an action, and reads the page for 2¢', async () => {
    const { code, out, err } = await type(block('./tollgate search'), { TOLLGATE_URL: gateway.url })
    assert.equal(code, 0, err)
    const [found, read] = out.trim().split('\n')
    assert.match(found ?? '', /"service":"core","action":"onescrape"/)
    const { ok, data, charged_micros: charged } = JSON.parse(read ?? '') as Answer
    assert.deepEqual([ok, data.rows.length, charged], [true, 1, 20_000])
    assert.match(err, /core\/onescrape: 2¢ per page\nCharged \$0\.02/)
  })

  it('installs the SDKs from the gateway, and reads the page for 2¢ with each', async () => {
    const folder = dataFolder()
    for (const [language, install, program, file] of [
      ['python', /^pip install .*$/m, 'python3', 'first.py'],
      ['ts', /^npm install .*$/m, 'node', 'first.ts'],
    ] as const) {
      if (program === 'python3' && !HAS_PIP) continue
      const block = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(README)?.[1]
      writeFileSync(join(folder, file), (block ?? '').replaceAll(DOCUMENTED_ADDRESS, gateway.url))
      const command = (install.exec(README)?.[0] ?? '').replace(/^pip/, 'python3 -m pip')
      const more = { PIP_TARGET: folder, PYTHONPATH: folder, npm_config_cache: folder }
      const installed = await type(`cd ${folder} && ${command}`, more)
      assert.equal(installed.code, 0, installed.err)
      const { out, err } = await type(`cd ${folder} && ${program} ${file}`, more)
      assert.match(out, /^Getting started with Tollgate 2\.?0?\n$/, `${language}: ${err}`)
    }
  })

  it('states the number of actions and endpoints that the gateway shows', async () => {
    const landing = await (await fetch(gateway.url)).text()
    const [count] = /[\d,]+ actions and endpoints/.exec(landing) ?? assert.fail('no count')
    assert.ok(README.includes(`Agents call ${count}`))
  })

  it('its job is submitted, and core/result returns the page and its charge', async () => {
    await readsThePageAsAJob(await answer(block('onescrape-deep')))
  })

  it('its key has the requested limit', async () => {
    makesAKey(await answer(block('/api/v1/agents')))
  })

  it('its commands work in their order next to the running gateway', async () => {
    const ran: Ran[] = []
    const HOME = dataFolder()
    for (const line of block('./tollgate doctor').split('\n')) {
      const one = await type(line, { HOME })
      assert.equal(one.code, 0, `${line}: ${one.err}`)
      ran.push(one)
    }
    const [doctor, account, credit, report, ledger, backup, help] = ran.map(({ out }) => out)
    assert.match(doctor ?? '', /database +ok/)
    assert.match(account ?? '', /jo@example\.com[\s\S]*tg_live_/)
    assert.match(credit ?? '', /Granted \$5\.00 of live credit to jo@example\.com/)
    assert.match(report ?? '', /credit of all accounts/)
    assert.match(ledger ?? '', /The ledger is consistent/)
    assert.match(backup ?? '', /tollgate-copy/)
    assert.ok(existsSync(join(HOME, 'tollgate-copy', 'postgres')))
    assert.match(help ?? '', /verify-ledger/)
  })

  it('its addresses answer', async () => {
    const paths = [...README.matchAll(/^\| (`\/.*?`) \|/gm)].flatMap((match) =>
      (match[1] ?? '').split(', ').map((path) => path.replaceAll('`', '')),
    )
    assert.ok(paths.length >= 7, paths.join())
    for (const path of paths) assert.equal((await fetch(`${gateway.url}${path}`)).status, 200, path)
  })
})

describe('docs/tutorial-budget.md', () => {
  it('creates a key, spends its limit and shows its receipts, as the text promises', async () => {
    const [create, me, spend, lookUp, receipts] = blocksOfMarkdown(TUTORIAL)
    const { data } = await answer(create ?? '')
    const agent = { AGENT_KEY: data.key }
    const limits = await answer(me ?? '', agent)
    assert.deepEqual([limits.data['ceiling_cents'], limits.data['spent_cents']], [4, 0])
    const charges: number[] = []
    for (const key of ['tutorial-1', 'tutorial-1', 'tutorial-2'])
      charges.push((await answer((spend ?? '').replace('tutorial-1', key), agent)).charged_cents)
    assert.deepEqual(charges, [2, 2, 2], 'the replay repeats the stored response')
    assert.equal((await answer(lookUp ?? '', agent)).data['state'], 'answered')
    const refused = await answer((spend ?? '').replace('tutorial-1', 'tutorial-3'), agent)
    assert.deepEqual([refused.ok, refused.error.code], [false, 'api_key_limit_exceeded'])
    const { data: list } = await answer(receipts ?? '', agent)
    assert.equal((list as unknown as unknown[]).length, 2)
  })
})

describe('the documentation of the gateway', () => {
  /** The pages with the first calls, one after the other. */
  const GUIDES = ['getting-started', 'calls', 'test-mode']
  let page: string
  let commands: string[]
  const command = (holding: string): string =>
    commands.find((text) => text.includes(holding)) ??
    assert.fail(`the guides have no command with ${holding}`)

  before(async () => {
    const pages = GUIDES.map(async (slug) => (await fetch(`${gateway.url}/docs/${slug}`)).text())
    page = (await Promise.all(pages)).join('\n')
    commands = blocksOfHtml(page, 'sh').filter(callsUs)
  })

  it('has no command that is not typed here', () => {
    const typed = ['core/onescrape ', 'core/discover ', '/api/v1/agents ', 'core/onescrape-deep ']
    assert.deepEqual(
      commands.map((text) => typed.filter((part) => text.includes(part))),
      typed.map((part) => [part]),
    )
  })

  it('its first call gets the answer that it shows', async () => {
    const got = await answer(command('core/onescrape '))
    const shown = JSON.parse(blocksOfHtml(page, 'json')[0] ?? '') as Answer
    const row = readsThePage(got)
    const [shownRow] = shown.data.rows
    assert.deepEqual(
      [row.url, row.title, row.format],
      [shownRow?.url, shownRow?.title, shownRow?.format],
    )
    assert.ok(row.content.startsWith(shownRow?.content.replace(/ …$/, '') ?? '-'))
    assert.deepEqual(
      [got.charged_cents, got.charged_micros, got.data['url_count'], got.data['read_count']],
      [
        shown.charged_cents,
        shown.charged_micros,
        shown.data['url_count'],
        shown.data['read_count'],
      ],
    )
    assert.match(got.request_id, /^req_/)
  })

  it('its search is free, returns prices and required parameters, and is unsure of unknown words', async () => {
    const { ok, data, charged_cents: charged } = await answer(command('core/discover'))
    assert.deepEqual([ok, charged], [true, 0])
    assert.ok(
      data.hits.length > 0 &&
        data.hits.every(
          (hit) => typeof hit.price_cents === 'number' && Array.isArray(hit.required_params),
        ),
    )
    const none = await answer(
      command('core/discover').replace('read a web page as markdown', 'zzyzx'),
    )
    assert.ok(none.ok)
    for (const hit of none.data.hits) assert.equal(hit.confidence, 'low')
  })

  it('its job is submitted, and core/result returns the page and its charge', async () => {
    await readsThePageAsAJob(await answer(command('core/onescrape-deep')))
  })

  it('its failures on demand happen with a test key and cost nothing', async () => {
    const offered = [...page.matchAll(/<code>(https:\/\/[\w-]+\.sim\.test\/|sim:[\w-]+)<\/code>/g)]
      .map((match) => match[1] ?? '')
      .filter((fault) => !fault.includes('slow'))
    assert.ok(offered.length >= 9, offered.join())
    const run = async (path: string, body: object) =>
      (await (
        await fetch(`${gateway.url}/api/run/${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).json()) as Answer
    for (const fault of offered) {
      const {
        ok,
        data,
        charged_micros: charged,
      } = fault.startsWith('sim:')
        ? await run('semantic/search', { query: fault })
        : await run('render/scrape', { url: fault })
      assert.deepEqual([ok ? data['results'] : [], charged], [[], 0], fault)
    }
  })

  it('its key has the requested limit', async () => {
    makesAKey(await answer(command('/api/v1/agents')))
  })

  it('its example of an error is the error that such a request gets', async () => {
    const shown = blocksOfHtml(page, 'json')
      .map((text) => JSON.parse(text) as Answer)
      .find(({ ok }) => !ok)
    const got = await answer(
      `curl -s ${gateway.url}/api/run/semantic/search -H "Authorization: Bearer $TOLLGATE_KEY" -H 'Content-Type: application/json' -d '{"query":"bees","numResult":3}'`,
    )
    const { code, message, param, fix, retryable } = got.error
    assert.deepEqual(shown?.error, { code, message, param, fix, retryable })
  })
})

const MADE_BEFORE = new Set([
  'unknown_job',
  'unknown_file',
  'unknown_conversation',
  'unknown_session',
  'unknown_sandbox',
  'unknown_snapshot',
  'unknown_inbox',
  'unknown_repo',
  'too_many_inflight',
])

describe('other examples to copy', () => {
  it('the curl command of the first start works unchanged', async () => {
    const printed =
      /^ {4}(curl [\s\S]*?)\n\n/m.exec(gateway.output())?.[1] ?? assert.fail('no curl was printed')
    readsThePage(await answer(printed, { TOLLGATE_KEY: '' }))
  })

  // every-action.db.test.ts calls every action; here a sample runs as printed, with all multi-source actions.
  it('the curl command of descriptors works with a test key and is marked as a test', async () => {
    const index = (await (await fetch(`${gateway.url}/api/run`)).json()) as {
      services: { actions: { endpoint: string }[] }[]
    }
    const endpoints = index.services.flatMap(({ actions }) =>
      actions.map(({ endpoint }) => endpoint),
    )
    for (const endpoint of endpoints.filter((one, at) => one.includes('/core/') || at % 16 === 0)) {
      const { curl } = (await (await fetch(endpoint)).json()) as { curl: string }
      const { ok, test, error } = await answer(curl, { TOLLGATE_KEY: testKey })
      // An id in a call exists only after another call created it.
      if (MADE_BEFORE.has(error?.code ?? '')) continue
      assert.deepEqual([ok, test], [true, true], `${curl}\n${JSON.stringify(error)}`)
    }
  })

  it('the example answer on the page of core/onescrape has the fields of a real answer', async () => {
    const fieldsOf = ({ data }: Answer) =>
      [Object.keys(data), Object.keys(data.rows[0] ?? {})].map((names) => names.toSorted())
    const page = await (await fetch(`${gateway.url}/catalog/core/onescrape`)).text()
    const shown = JSON.parse(blocksOfHtml(page, 'json')[0] ?? '') as Answer
    const real = await answer(
      blocksOfMarkdown(README).find((text) => text.includes('/guide"]')) ?? '',
    )
    assert.deepEqual(fieldsOf(shown), fieldsOf(real))
    assert.equal(shown.data['next'], real.data['next'])
  })

  it('the documented alerts use metrics that this gateway exposes', async () => {
    const text = await (
      await fetch(`${gateway.url}/metrics`, {
        headers: { authorization: `Bearer ${METRICS_TOKEN}` },
      })
    ).text()
    const told = new Set([...text.matchAll(/^# HELP (\S+)/gm)].map(([, name]) => name))
    const named = [...OPERATING.matchAll(/\btollgate_[a-z_]+/g)].map(([name]) => name)
    assert.deepEqual(
      named.filter((name) => !told.has(name)),
      [],
    )
    assert.ok(named.length > 10)
    const rules = new Set([...OPERATING.matchAll(/- alert: (\w+)/g)].map(([, name]) => name))
    assert.deepEqual(
      new Set([...OPERATING.matchAll(/\| `(Tollgate\w+)` \|$/gm)].map(([, name]) => name)),
      rules,
    )
    // Of the whole gateway, not of a part that a test put together.
    for (const line of [
      /^tollgate_browser_pages_limit 3$/m,
      /^tollgate_open_breakers\{vendor="secfilings"\} 0$/m,
      /^tollgate_database_up 1$/m,
      /^tollgate_pay_day_limit_micros 10000000$/m,
    ])
      assert.match(text, line)
  })

  it('the commands of ./tollgate help explain themselves', async () => {
    const { out } = await type('./tollgate help')
    const names = [...out.matchAll(/^ {2}((?:accounts |credit |keys )?[a-z-]+) {2,}/gm)].map(
      (match) => match[1] ?? '',
    )
    assert.ok(names.length >= 15, out)
    for (const name of names.filter((_, at) => at % 5 === 0)) {
      const help = await type(`./tollgate ${name} --help`)
      assert.equal(help.code, 0, name)
      assert.match(help.out, /^Usage: \.\/tollgate /, name)
    }
  })
})
