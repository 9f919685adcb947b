/** The package as npm would publish it. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { homeFolder } from './testing/run-line.ts'

const cli = join(import.meta.dirname, '..')
const folder = homeFolder()
const installed = join(folder, 'lib/node_modules/@tollgate/cli')

before(() => {
  execFileSync(process.execPath, [join(cli, 'build.ts')], { stdio: 'pipe' })
  execFileSync('npm', ['pack', cli, '--silent'], { cwd: folder, stdio: 'pipe' })
  const [archive = ''] = globSync('*.tgz', { cwd: folder })
  const flags = ['--global', '--prefix', folder, '--offline', '--no-audit', '--no-fund']
  execFileSync('npm', ['install', ...flags, join(folder, archive)], { stdio: 'pipe' })
})

test('installs a command that runs without the repository', () => {
  const command = join(folder, 'bin/tollgate')
  const out = execFileSync(command, ['help'], { encoding: 'utf8', cwd: folder })
  assert.match(out, /^Usage: tollgate <command> \[flags\]\n/)
  assert.match(
    execFileSync(command, ['completion', 'bash'], { encoding: 'utf8' }),
    /complete -o default/,
  )
})

test('contains the client, the SDK and six modules of the gateway, which need no packages', () => {
  const modules = globSync('dist/**/*.js', { cwd: installed })
  const others = modules.filter((name) => !/^dist\/packages\/(?:cli|sdk)\/src\//.test(name))
  assert.deepEqual(others.toSorted(), [
    'dist/src/cassettes/compare-json.js',
    'dist/src/catalog/validate/suggest.js',
    'dist/src/lib/canonical-json.js',
    'dist/src/lib/edit-distance.js',
    'dist/src/lib/json-fields.js',
    'dist/src/lib/money.js',
  ])
  for (const name of modules) {
    const text = readFileSync(join(installed, name), 'utf8')
    for (const [, target = ''] of text.matchAll(
      /^(?:import|export)\b[^'"=]*\bfrom ['"]([^'"]+)['"]/gm,
    ))
      assert.match(target, /^(?:node:|\.{1,2}\/)/, name)
  }
})
