/** The package as npm would publish it, and the examples of its documents. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { runWhole } from '../../../src/lib/background/sliced.ts'
import { sdkTypes } from '../../../src/surfaces/http/packages/types/client-types.ts'
import { cleanUp } from '../../../test/harness/clean-up.ts'

const sdk = join(import.meta.dirname, '..')
const root = join(sdk, '../..')
const MOST_BYTES = 30_000
const folder = mkdtempSync(join(tmpdir(), 'tollgate-sdk-'))
const installed = join(folder, 'node_modules/@tollgate/sdk')
cleanUp(() => rmSync(folder, { recursive: true, force: true }))

before(() => {
  execFileSync(process.execPath, [join(sdk, 'build.ts')], { stdio: 'pipe' })
  const options = { cwd: folder, stdio: 'pipe' } as const
  execFileSync('npm', ['pack', sdk, '--silent'], options)
  mkdirSync(installed, { recursive: true })
  const [archive = ''] = globSync('*.tgz', { cwd: folder })
  execFileSync('tar', ['xzf', archive, '-C', installed, '--strip-components=1'], options)
})

test('contains modules, types, license and README, and nothing else', () => {
  const files = globSync('**/*.*', { cwd: installed }).toSorted()
  const modules = [
    ...globSync('*.ts', { cwd: join(sdk, 'src') }),
    ...Object.keys(runWhole(sdkTypes())),
  ].map((name) => name.split('.')[0])
  assert.deepEqual(
    files.filter((name) => !name.startsWith('dist/')),
    ['README.md', 'package.json'],
  )
  assert.match(readFileSync(join(installed, 'LICENSE'), 'utf8'), /Apache License/)
  for (const name of files.filter((file) => file.startsWith('dist/'))) {
    assert.match(name, /^dist\/[\w-]+\.(?:d\.ts|js)$/)
    assert.ok(modules.includes(name.slice('dist/'.length).split('.')[0]), name)
  }
  const { dependencies, private: isPrivate } = JSON.parse(
    readFileSync(join(installed, 'package.json'), 'utf8'),
  ) as Record<string, unknown>
  assert.deepEqual([dependencies, isPrivate], [undefined, undefined])
})

test('has less than 30 kB of code that imports only its own modules', () => {
  const modules = globSync('dist/*.js', { cwd: installed }).map((name) =>
    readFileSync(join(installed, name), 'utf8'),
  )
  assert.ok(modules.join('').length < MOST_BYTES, `${modules.join('').length} bytes`)
  for (const text of modules)
    for (const [, target = ''] of text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g))
      assert.match(target, /^\.\/[\w-]+\.js$/)
})

test('loads where no process and no Buffer exist', () => {
  const script = `for (const name of ['process', 'Buffer', 'global', 'setImmediate']) delete globalThis[name]
    const { Tollgate } = await import('@tollgate/sdk')
    const text = async () => '{"ok":true,"data":{"rows":[]},"charged_cents":0,"charged_micros":0,"request_id":"req_1"}'
    const fetch = async () => ({ status: 200, headers: new Map(), text })
    const { data } = await new Tollgate({ key: 'k', url: 'https://gate.example', fetch }).core.onescrape({ urls: [] })
    if (data.rows.length !== 0) throw new RangeError('no rows')
    let code
    try { new Tollgate() } catch (error) { code = error.code }
    if (code !== 'invalid_settings') throw new RangeError(code)`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder,
    encoding: 'utf8',
    env: {},
  })
  assert.equal(status, 0, stderr)
})

test('has types that a strict program accepts, with every example of the documents', () => {
  for (const file of [join(root, 'docs/sdk.md'), join(sdk, 'README.md')])
    for (const [index, match] of [
      ...readFileSync(file, 'utf8').matchAll(/```ts\n([\s\S]*?)```/g),
    ].entries())
      writeFileSync(
        join(folder, `${file.includes('docs') ? 'guide' : 'readme'}${index}.ts`),
        match[1] ?? '',
      )
  const statements = readFileSync(join(import.meta.dirname, 'types.ts'), 'utf8')
  writeFileSync(join(folder, 'types.ts'), statements.replace('../src/index.ts', '@tollgate/sdk'))
  const config = {
    compilerOptions: {
      module: 'nodenext',
      target: 'esnext',
      lib: ['esnext', 'dom'],
      types: [],
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
    },
    include: ['*.ts'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  assert.ok(globSync('guide*.ts', { cwd: folder }).length >= 10)
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', folder], {
    encoding: 'utf8',
  })
  assert.equal(status, 0, stdout)
})
