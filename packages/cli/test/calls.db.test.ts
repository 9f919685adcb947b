/** The command line against a gateway, with a test key. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Tollgate } from '../../sdk/src/index.ts'
import { openGateway } from '../../sdk/test/open-gateway.ts'
import { exampleFlags } from '../src/commands/describe.ts'
import { RUN_FLAGS } from '../src/commands/run.ts'
import { readDescriptor } from '../src/input/descriptor.ts'
import { readInputs } from '../src/input/read-inputs.ts'
import { homeFolder, runLine, type Place, type Run } from './testing/run-line.ts'

const gateway = await openGateway()
const home = homeFolder()
const environment = { HOME: home, TOLLGATE_URL: gateway.url, TOLLGATE_KEY: gateway.testKey }
const PAGE = 'https://example.com/'

const tollgate = (words: readonly string[], place: Place = {}): Promise<Run> =>
  runLine(words, { environment, ...place })

type Answer = {
  readonly ok: boolean
  readonly data: Record<string, unknown> & { readonly rows: readonly { readonly url: string }[] }
  readonly error: { readonly code: string; readonly message: string }
  readonly charged_micros: number
  readonly request_id: string
  readonly replayed?: true
  readonly test?: true
  readonly job_id?: string
}

async function json(words: readonly string[], place: Place = {}): Promise<Answer> {
  const { code, out, err } = await tollgate(words, place)
  assert.equal(code, 0, `${words.join(' ')}: ${out}${err}`)
  return JSON.parse(out) as Answer
}

describe('run', () => {
  test('prints JSON for a pipe, and the price and charge on standard error', async () => {
    const { code, out, err } = await tollgate([
      'run',
      'core/onescrape',
      '--urls',
      PAGE,
      '--max-cents',
      '2',
    ])
    const answer = JSON.parse(out) as Answer
    assert.deepEqual(
      [code, answer.ok, answer.data.rows[0]?.url, answer.charged_micros, answer.test],
      [0, true, PAGE, 20_000, true],
    )
    assert.match(
      err,
      /^core\/onescrape: 2¢ per page\nCharged \$0\.02 · test key: simulated, play money · \$[\d.]+ left · req_\w+\n$/,
    )
    const quiet = await tollgate(['run', 'core/onescrape', '--urls', PAGE, '--quiet'])
    assert.equal(quiet.err, '')
  })

  test('prints a table on a terminal, in its width', async () => {
    const words = ['run', 'core/onescrape', '--urls', PAGE, 'https://example.org/']
    const { out } = await tollgate(words, { columns: 80 })
    assert.match(out, /^TITLE +URL/)
    assert.match(out, /\nHome page at example\.org … +https:\/\/example\.org\//)
    for (const line of out.split('\n').slice(0, 3)) assert.ok(line.length <= 80, line)
    assert.match((await tollgate([...words, '--json'], { columns: 80 })).out, /^\{"ok":true/)
    assert.match((await tollgate([...words, '--table'])).out, /^TITLE/)
  })

  test('repeats a call with its idempotency key without a second charge', async () => {
    const words = ['run', 'core/onescrape', '--urls', PAGE, '--idempotency-key', 'cli-once']
    const first = await json(words)
    const before = (await gateway.chargesOf('onescrape')).length
    const again = await json(words)
    assert.deepEqual([again.replayed, again.data], [true, first.data])
    assert.equal((await gateway.chargesOf('onescrape')).length, before)
  })

  test('reads inputs from a file and from a pipe; flags win', async () => {
    const path = join(home, 'input.json')
    writeFileSync(path, JSON.stringify({ urls: [PAGE], format: 'html' }))
    const fromFile = await json(['run', 'core/onescrape', '--input', path, '--format', 'text'])
    assert.equal(fromFile.data['format'], 'text')
    const place = { input: JSON.stringify({ endpoint: '/trend', keyword: 'espresso' }) }
    assert.equal((await json(['run', 'trends/fetch', '--input', '-'], place)).ok, true)
    for (const [input, text] of [
      ['[1]', /must have a JSON object/],
      ['{', /is not valid JSON/],
    ] as const) {
      const { code, err } = await tollgate(['run', 'core/onescrape', '--input', '-'], { input })
      assert.equal(code, 2)
      assert.match(err, text)
    }
  })

  test('an action with its own "url" gets it, and the gateway is named before the action', async () => {
    const alone = { environment: { HOME: home } }
    const words = ['--url', gateway.url, '--key', gateway.testKey]
    const scraped = await json(['run', ...words, 'render2/scrape', '--url', PAGE], alone)
    assert.equal(scraped.ok, true)
    const later = await json(['run', 'core/onescrape', '--urls', PAGE, ...words], alone)
    assert.equal(later.ok, true)
    const lost = await tollgate(
      ['run', 'render2/scrape', '--url', gateway.url, '--key', gateway.testKey],
      alone,
    )
    assert.equal(lost.code, 5)
    assert.match(
      lost.err,
      /No gateway answers at http:\/\/127\.0\.0\.1:4020.*\n.*write --url before the action/,
    )
  })

  test('every example of the catalog survives a shell and the flags of its action', async () => {
    const client = new Tollgate({ url: gateway.url, key: gateway.testKey })
    type Index = { services: { service: string; actions: { action: string }[] }[] }
    const { services } = await client.request<Index>('GET', '/api/run')
    const names = services.flatMap(({ service, actions }) =>
      actions.map(({ action }) => `${service}/${action}`),
    )
    const { signal } = new AbortController()
    const described = await Promise.all(
      names.map(async (name) => {
        const first = await readDescriptor(client, name, undefined, signal)
        const { endpoint } = first.example
        const own =
          typeof endpoint === 'string' && first.endpoints !== undefined ? endpoint : undefined
        return {
          name,
          descriptor: own === undefined ? first : await readDescriptor(client, name, own, signal),
        }
      }),
    )
    const script = described
      .map(
        ({ descriptor }) =>
          `printf '%s\\0' ${exampleFlags(descriptor.example)} END; printf '\\n\\n'`,
      )
      .join('\n')
    const { stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8', maxBuffer: 1e8 })
    const lines = stdout.split('\0\n\n')
    assert.ok(names.length > 200 && lines.length === names.length + 1)
    for (const [at, { name, descriptor }] of described.entries()) {
      const words = (lines[at] ?? '').split('\0').slice(0, -1)
      assert.deepEqual(
        readInputs(words, name, descriptor, RUN_FLAGS).inputs,
        descriptor.example,
        name,
      )
    }
  })
})

describe('a failed command', () => {
  test('exits with the code of its kind, and explains itself on standard error', async () => {
    const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
      [
        ['run', 'semantic/search', '--query', 'sim:503'],
        1,
        /failed\. Nothing was charged\.\nTry again later.*\nupstream_error · req_\w+ · can be repeated\n$/,
      ],
      [['run', 'core/onescrape', '--urls', 'https://miss.sim.test/'], 1, /could not be read/],
      [['run', 'core/onescrape'], 2, /core\/onescrape needs --urls \(URLs of 1 to 5 pages/],
      [
        ['run', 'core/onescrap', '--urls', PAGE],
        2,
        /no action named "onescrap"\.\nDid you mean "core\/onescrape"/,
      ],
      [['run', 'onescrape'], 2, /"onescrape" is not the name of an action/],
      [['run', 'trends/fetch', '--keyword', 'x'], 2, /Unknown flag --keyword|needs --endpoint/],
      [['run', 'trends/fetch'], 2, /needs --endpoint, one of 4: \/trend, /],
      [['run', 'core/onescrape', '--urls', PAGE, '--max-chars', '5'], 2, /max.chars/],
      [
        ['run', 'core/onescrape', '--urls', PAGE, '--max-cents', '1.5'],
        2,
        /--max-cents must be a whole number/,
      ],
      [['run', 'core/onescrape', '--urls', PAGE, '--max-cents', '0'], 4, /max_cost_exceeded/],
      [['balance', '--key', `tg_test_${'x'.repeat(38)}`], 3, /invalid_token/],
      [
        ['balance', '--url', 'http://127.0.0.1:9'],
        5,
        /The connection to http:\/\/127\.0\.0\.1:9 failed/,
      ],
      [['blance'], 2, /Unknown command "blance"\. Did you mean "balance"\?/],
      [['jobs', 'lst'], 2, /Unknown command "jobs lst"\. Did you mean "jobs list"\?/],
      [['jobs', 'show', 'job_1'], 1, /unknown_job/],
      [['balance', '--jsno'], 2, /Unknown flag --jsno\. Did you mean --json\?/],
      [['describe'], 2, /"describe" needs <service\/action>/],
      [['completion', 'csh'], 2, /Choose bash, zsh or fish/],
    ]
    for (const [words, code, text] of cases) {
      const ran = await tollgate(words, { columns: 100 })
      assert.match(ran.err, text)
      assert.deepEqual([ran.code, ran.out], [code, ''], words.join(' '))
      assert.ok(!ran.err.includes(gateway.testKey) && !ran.err.includes('    at '))
    }
  })

  test('is also JSON on standard output for a program', async () => {
    for (const place of [{}, { columns: 80 }]) {
      const words = ['run', 'semantic/search', '--query', 'sim:503', '--json']
      const { code, out } = await tollgate(words, place)
      const answer = JSON.parse(out) as Answer
      assert.deepEqual(
        [code, answer.ok, answer.error.code, answer.charged_micros],
        [1, false, 'upstream_error', 0],
      )
    }
  })

  test('names every input at fault by its flag', async () => {
    const { code, err } = await tollgate([
      'run',
      'core/onescrape',
      '--urls',
      PAGE,
      '--max-chars',
      '5',
      '--chunk-chars',
      '5',
    ])
    assert.equal(code, 2)
    assert.match(err, /The inputs are not valid\.\n {2}--max-chars: .*\n {2}--chunk-chars: /)
  })
})

describe('jobs', () => {
  const DEEP = ['run', 'core/onescrape-deep', '--urls', PAGE]

  test('are waited for, with a progress bar on a terminal', async () => {
    const { code, out, err } = await tollgate(DEEP, { columns: 100 })
    assert.equal(code, 0, err)
    assert.match(err, /Job job_\w+ started\.\n/)
    assert.match(err, /job_\w+ \[[█░]{24}\].* (?:queued|running|succeeded)/)
    assert.match(err, /Charged \$0\.01 · job_\w+\n$/)
    assert.match(out, /url +https:\/\/example\.com\//)
    const answer = await json(DEEP)
    assert.deepEqual([answer.data.rows[0]?.url, answer.charged_micros], [PAGE, 10_000])
    assert.match(answer.job_id ?? '', /^job_/)
  })

  test('are started without waiting, then listed, shown, awaited and cancelled', async () => {
    const { out } = await tollgate([...DEEP, '--no-wait'])
    assert.match(out, /^job_\w+\n$/)
    const id = out.trim()
    assert.equal(
      (await json([...DEEP, '--no-wait', '--json'])).data['job_id']?.toString().slice(0, 4),
      'job_',
    )
    assert.equal((await json(['jobs', 'wait', id])).data.rows[0]?.url, PAGE)
    assert.equal((await json(['jobs', 'show', id])).data['status'], 'succeeded')
    assert.match(
      (await tollgate(['jobs', 'list', '--table'])).out,
      new RegExp(`JOB +ACTION[^]*${id} +core/onescrape-deep +finished +\\$0\\.01`),
    )
    assert.match((await tollgate(['jobs', 'show', id, '--table'])).out, /status +succeeded/)
    assert.equal((await json(['jobs', 'cancel', id])).ok, true)
  })

  test('that fail exit with 1 and the code of the job', async () => {
    const { code, err } = await tollgate(['run', 'core/onefind-deep', '--rows', 'none'])
    assert.equal(code, 1, err)
    assert.match(err, /The job job_\w+ failed: /)
  })

  test('continue after Ctrl-C, which shows how to wait for them', async () => {
    const { out } = await tollgate([...DEEP, '--no-wait'])
    const { code, err } = await tollgate(['jobs', 'wait', out.trim()], {
      signal: AbortSignal.abort(),
    })
    assert.equal(code, 130)
    assert.match(err, /Interrupted\.\nThe job continues\. Wait for it: tollgate jobs wait job_/)
    const call = await tollgate(['run', 'core/onescrape', '--urls', PAGE], {
      signal: AbortSignal.abort(),
    })
    assert.equal(call.code, 130)
  })
})

describe('files', () => {
  test('are uploaded with a progress bar, listed, downloaded byte for byte and deleted', async () => {
    const path = join(home, 'table.bin')
    const content = Buffer.alloc(300_000, 'tollgate')
    writeFileSync(path, content)
    const uploaded = await tollgate(['files', 'upload', path, '--tags', 'cli', '--json'], {
      columns: 100,
    })
    assert.equal(uploaded.code, 0, uploaded.err)
    assert.match(uploaded.err, /Uploading \[█{24}\] 100 % 300\.0 kB of 300\.0 kB/)
    const id = String((JSON.parse(uploaded.out) as Answer).data['file_id'])
    assert.match(
      (await tollgate(['files', 'list', '--tags', 'cli', '--table'])).out,
      new RegExp(`${id} +table\\.bin +300\\.0 kB`),
    )

    const target = join(home, 'copy.bin')
    const downloaded = await tollgate(['files', 'download', id, '--output', target], {
      columns: 100,
    })
    assert.match(downloaded.err, /Downloading \[█{24}\] 100 %/)
    assert.deepEqual(readFileSync(target), content)
    const again = await tollgate(['files', 'download', id, '--output', target])
    assert.equal(again.code, 2)
    assert.match(again.err, /copy\.bin exists\.\nAdd --force/)
    assert.equal((await tollgate(['files', 'download', id, '--output', target, '--force'])).code, 0)

    assert.match((await tollgate(['files', 'delete', id], { columns: 80 })).out, /Deleted file_/)
    const gone = await tollgate(['files', 'download', id, '--output', join(home, 'gone')])
    assert.equal(gone.code, 1)
    assert.equal(existsSync(join(home, 'gone')), false)
    assert.equal((await tollgate(['files', 'upload', join(home, 'absent')])).code, 2)
  })
})

describe('chat', () => {
  test('streams the text, to a pipe, too, and prints tokens and charge on standard error', async () => {
    const { code, out, err } = await tollgate([
      'chat',
      'What is a ledger?',
      '--model',
      'core/cheap',
    ])
    assert.equal(code, 0, err)
    assert.match(out, /simulated/)
    assert.match(err, /charged \$0\.\d+ · \d+ tokens in, \d+ out/)
    const piped = await json(['chat', '--json', '--system', 'Be brief.'], {
      input: 'What is a ledger?',
    })
    assert.match(String(piped.data['text']), /simulated/)
    assert.ok(piped.charged_micros > 0)
    const unknown = await tollgate(['chat', 'x', '--model', 'core/chep'])
    assert.equal(unknown.code, 2)
    assert.match(unknown.err, /Did you mean "core\/cheap"/)
    assert.equal((await tollgate(['chat'])).code, 2)
  })
})

describe('search, describe and balance', () => {
  test('find an action and show its inputs, price, billing rule and result', async () => {
    const { out } = await tollgate(['search', 'read a web page as markdown'], { columns: 100 })
    assert.match(out, /^ACTION +PRICE +LIVE +SUMMARY\ncore\/onescrape +from 2¢ +yes +Read 1 to 5/)
    const described = await tollgate(['describe', 'core/onescrape'], { columns: 100 })
    for (const part of [
      /Price +2¢ per page/,
      /Billing +charged/,
      /--urls <text>… +Required\. URLs/,
      /--format markdown\|html\|text/,
      /rows\[\]\.title +string/,
      /tollgate run core\/onescrape --urls https:\/\/example\.com\//,
    ])
      assert.match(described.out, part)
    assert.equal(
      (await tollgate(['run', 'core/onescrape', '--help'], { columns: 100 })).out,
      described.out,
    )
    const endpoint = await tollgate(['describe', 'trends/fetch', '--endpoint', '/trend'], {
      columns: 100,
    })
    assert.match(endpoint.out, /--keyword <text> +Required\./)
  })

  test('need no key to describe, and show the balance and the limit of a key', async () => {
    const alone = { environment: { HOME: home, TOLLGATE_URL: gateway.url } }
    assert.equal((await tollgate(['describe', 'core/onescrape'], alone)).code, 0)
    const { out } = await tollgate(['balance'], { columns: 100 })
    assert.match(out, /key +tg_test_\w{4}… \(Primary\), test: play money/)
    assert.match(out, /available +\$\d+\.\d\d/)
    assert.ok(!out.includes(gateway.testKey))
  })
})

describe('keys over HTTP', () => {
  test('are created, listed, changed, paused, resumed, rotated and revoked', async () => {
    const place = { environment: { ...environment, TOLLGATE_KEY: gateway.liveKey } }
    const created = await json(
      [
        'keys',
        'create',
        '--label',
        'cli',
        '--ceiling-cents',
        '500',
        '--allow',
        'core/*,files/list',
        '--expires',
        '90d',
      ],
      place,
    )
    const id = String(created.data['id'])
    assert.match(String(created.data['key']), /^tg_live_/)
    assert.deepEqual(
      [created.data['ceiling_cents'], created.data['allow']],
      [500, ['core/*', 'files/list']],
    )
    assert.match(
      (await tollgate(['keys', 'list'], { ...place, columns: 120 })).out,
      new RegExp(`${id} +cli +live +active +tg_live_\\w{4}… +\\$0\\.00 +\\$5\\.00 per month`),
    )
    assert.equal(
      (await json(['keys', 'set', id, '--ceiling-cents', 'none'], place)).data['ceiling_cents'],
      null,
    )
    assert.equal((await json(['keys', 'pause', id], place)).data['status'], 'paused')
    assert.equal((await json(['keys', 'resume', id], place)).data['status'], 'active')
    assert.notEqual(
      (await json(['keys', 'rotate', id, '--grace-seconds', '60'], place)).data['key'],
      created.data['key'],
    )
    assert.equal((await json(['keys', 'revoke', id], place)).data['status'], 'revoked')
    assert.equal((await tollgate(['keys', 'set', id], place)).code, 2)
    const child = { environment: { ...environment, TOLLGATE_KEY: String(created.data['key']) } }
    assert.equal((await tollgate(['keys', 'list'], child)).code, 3)
  })
})
