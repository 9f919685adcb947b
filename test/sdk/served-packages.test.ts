/** Installs the packages that a started gateway serves, outside of the repository, and calls it with each. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import {
  installLine,
  PACKAGE_NAMES,
  PACKAGE_VERSION,
} from '../../src/surfaces/http/html/code/install-lines.ts'
import { callSnippets } from '../../src/surfaces/http/html/code/snippets.ts'
import { dataFolder, startGateway } from '../harness/clients/gateway-process.ts'
import { runShell, type Ran } from '../harness/shell.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Nothing listens there: the packages need no registry. */
const NO_REGISTRY = { npm_config_registry: 'http://127.0.0.1:9', npm_config_audit: 'false' }
const hasPip = spawnSync('python3', ['-m', 'pip', '--version']).status === 0

describe('the packages of a gateway', { concurrency: 2 }, () => {
  let url: string
  let TOLLGATE_KEY: string
  const type = (
    folder: string,
    command: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Ran> =>
    runShell(`cd ${folder} && ${command}`, {
      TOLLGATE_KEY,
      npm_config_cache: folder,
      ...NO_REGISTRY,
      ...more,
    })
  const snippet = (id: string): string => {
    const call = { service: 'core', action: 'onescrape', input: { urls: ['https://example.com'] } }
    const found = callSnippets({ publicUrl: url, ...call }).find((one) => one.id === id)
    return (found?.text ?? assert.fail(id)).replaceAll('tg_test_…', TOLLGATE_KEY)
  }

  before(async () => {
    const gateway = await startGateway({ DATA_DIR: dataFolder() })
    url = gateway.url
    TOLLGATE_KEY = /tg_test_[0-9A-Za-z]{38}/.exec(gateway.output())?.[0] ?? ''
  })

  it('npm installs the SDK, whose types and call work without the repository', async () => {
    const folder = dataFolder()
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const [install = '', ...call] = snippet('typescript').split('\n')
    const installed = await type(folder, install.replace('// ', ''))
    assert.equal(installed.code, 0, installed.err)
    writeFileSync(join(folder, 'call.ts'), call.join('\n'))
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
    const flags = '--strict --noEmit --module nodenext --target esnext --lib esnext,dom'
    const checked = await type(folder, `node ${compiler} ${flags} call.ts`)
    assert.equal(checked.code, 0, checked.out)
    const { code, out, err } = await type(folder, 'node call.ts')
    assert.equal(code, 0, err)
    assert.match(out, /url_count: 1/)
  })

  it('npm installs the command line, which calls the gateway', async () => {
    const folder = dataFolder()
    const PATH = `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`
    const { code, out, err } = await type(folder, `set -e\n${snippet('cli')}`, {
      PATH,
      HOME: folder,
      npm_config_prefix: folder,
    })
    assert.equal(code, 0, err)
    assert.match(out, /"url_count":1/)
  })

  it('pip installs the wheel, which calls the gateway', async () => {
    const folder = dataFolder()
    const [install = '', ...call] = snippet('python').split('\n')
    const command = hasPip
      ? `${install.replace('# pip', 'python3 -m pip')} --no-index --no-deps --target ${folder}`
      : `curl -sO ${install.split(' ').at(-1)}`
    const installed = await type(folder, command)
    assert.equal(installed.code, 0, installed.err)
    writeFileSync(join(folder, 'call.py'), call.join('\n'))
    // Python also imports from a wheel.
    const PYTHONPATH = hasPip ? folder : join(folder, PACKAGE_NAMES.python)
    const { code, out, err } = await type(folder, 'python3 -W error call.py', { PYTHONPATH })
    assert.equal(code, 0, err)
    assert.match(out, /'url_count': 1/)
  })

  it('every package is cacheable, and equal at each download', async () => {
    for (const name of Object.values(PACKAGE_NAMES)) {
      const [first, second] = await Promise.all([
        fetch(`${url}/sdk/${name}`),
        fetch(`${url}/sdk/${name}`),
      ])
      const hashes = await Promise.all(
        [first, second].map(async (one) =>
          createHash('sha256')
            .update(Buffer.from(await one.arrayBuffer()))
            .digest('hex'),
        ),
      )
      assert.equal(first.status, 200, name)
      assert.equal(hashes[0], hashes[1])
      assert.match(first.headers.get('cache-control') ?? '', /^public/)
      const tag = first.headers.get('etag') ?? ''
      const again = await fetch(`${url}/sdk/${name}`, { headers: { 'if-none-match': tag } })
      assert.equal(again.status, 304)
    }
  })

  it('an unknown package is 404 with the names of the packages', async () => {
    const response = await fetch(`${url}/sdk/tollgate.tgz`)
    const { error } = (await response.json()) as { error: { fix: string } }
    assert.equal(response.status, 404)
    for (const name of Object.values(PACKAGE_NAMES)) assert.ok(error.fix.includes(`/sdk/${name}`))
  })
})

it('every package has the version of its address', () => {
  const manifests = ['package.json', 'packages/sdk/package.json', 'packages/cli/package.json']
  const versions = manifests.map(
    (file) => (JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as { version: string }).version,
  )
  const python = readFileSync(join(ROOT, 'packages/python/pyproject.toml'), 'utf8')
  assert.deepEqual(
    [...versions, /^version = "(.*)"$/m.exec(python)?.[1]],
    Array.from({ length: 4 }, () => PACKAGE_VERSION),
  )
  assert.match(installLine('https://gate.example', 'python'), /tollgate_client-[\d.]+-py3/)
})
