/** The completion scripts in a real shell, and the launcher of the repository. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { openGateway } from '../../sdk/test/open-gateway.ts'
import { homeFolder, runLine } from './testing/run-line.ts'

const root = join(import.meta.dirname, '../../..')
const gateway = await openGateway()
// The gateway writes its catalog at the first request, and completion has a short deadline.
await fetch(`${gateway.url}/api/run`)
const home = homeFolder()
const environment = { HOME: home, PATH: process.env['PATH'] ?? '', TOLLGATE_URL: gateway.url }

/** The candidates of bash for a line whose last word is being typed. */
function completeInBash(line: string, more: Record<string, string> = {}): readonly string[] {
  const words = ['./tollgate', ...line.split(' ')]
  const script = `
    eval "$(./tollgate completion bash)"
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
    COMP_CWORD=${words.length - 1}
    $(complete -p ./tollgate | grep -o '_tollgate')
    printf '%s\\n' "\${COMPREPLY[@]}"`
  const env = { ...environment, ...more }
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  return stdout.split('\n').filter((name) => name !== '')
}

describe('completion in bash', () => {
  test('offers commands, subcommands, actions, inputs, values and flags', () => {
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['des', ['describe']],
      ['jobs ', ['list', 'show', 'wait', 'cancel']],
      ['run core/onescr', ['core/onescrape', 'core/onescrape-deep']],
      ['describe --json core/onef', ['core/onefind', 'core/onefind-deep']],
      [
        'run core/onescrape --ma',
        ['--main-content', '--max-chars', '--max-cost-cents', '--max-cents'],
      ],
      ['run core/onescrape --format ', ['markdown', 'html', 'text']],
      ['run trends/fetch --endpoint /rel', ['/related-queries', '/related-topics']],
      ['run trends/fetch --endpoint /trend --key', ['--keyword', '--key']],
      ['balance --j', ['--json']],
      ['completion ', ['bash', 'zsh', 'fish']],
      ['run core/onescrape --urls x', []],
      ['nonsense ', []],
    ]
    for (const [line, names] of cases) assert.deepEqual(completeInBash(line), names, line)
  })

  test('uses the stored catalog while the gateway is unreachable', () => {
    const cache = join(home, '.cache/tollgate')
    const files = readdirSync(cache)
    assert.ok(files.length > 2)
    for (const name of files) assert.equal(statSync(join(cache, name)).mode & 0o077, 0)
    const line = 'run core/onescr'
    assert.deepEqual(completeInBash(line, { TOLLGATE_URL: 'http://127.0.0.1:9' }), [])
    writeFileSync(join(cache, files[0] ?? ''), 'damaged')
    assert.deepEqual(completeInBash(line), ['core/onescrape', 'core/onescrape-deep'])
  })

  test('evaluates no name of a gateway', async () => {
    const { out } = await runLine(['__complete', '--', 'run', 'core/onescrape', '--'], {
      environment,
    })
    assert.match(out, /--urls\t/)
    for (const line of out.trim().split('\n')) assert.match(line, /^--[\w-]+\t[^\t]*$/)
  })
})

describe('scripts for other shells', () => {
  for (const shell of ['zsh', 'fish'] as const) {
    const isHere = spawnSync(shell, ['--version']).status === 0
    test(
      `have the syntax of ${shell}`,
      { skip: isHere ? false : `${shell} is not installed` },
      async () => {
        const { out } = await runLine(['completion', shell], { environment })
        const path = join(home, `completion.${shell}`)
        writeFileSync(path, out)
        const { status, stderr } = spawnSync(shell, ['-n', path], { encoding: 'utf8' })
        assert.equal(status, 0, stderr)
      },
    )
  }
})

describe('the launcher', () => {
  const launch = (...words: string[]) =>
    spawnSync('./tollgate', words, {
      cwd: root,
      env: { ...environment, TOLLGATE_KEY: gateway.liveKey },
      encoding: 'utf8',
    })

  test('starts the client for its commands, also after flags and for help', () => {
    assert.match(launch('balance').stdout, /^\{"ok":true,"data":\{"balance"/)
    assert.match(launch('--url', gateway.url, 'balance').stdout, /^\{"ok":true/)
    assert.match(launch('help', 'run').stdout, /^Usage: \.\/tollgate run <service\/action>/)
    assert.match(launch('run', '--help').stdout, /^Usage: \.\/tollgate run/)
    assert.match(launch('jobs', '--help').stdout, /jobs cancel/)
  })

  test('starts the operator command for keys, and the client with --remote', () => {
    const local = launch('keys', 'list')
    assert.deepEqual([local.status, /needs --account/.test(local.stderr)], [2, true])
    const remote = launch('keys', 'list', '--remote')
    assert.match(remote.stdout, /"primary":true/)
    assert.match(launch('help').stdout, /Call a gateway with a key[^]*\n {2}run +call an action/)
  })

  test('suggests commands of the client for a typo', () => {
    assert.match(launch('serach', 'x').stderr, /Did you mean "search"/)
  })
})
