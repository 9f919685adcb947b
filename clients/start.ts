/**
 * `npm run wires`: installs the clients on the first run, checks the types of their tests, and runs them.
 * `npm run wires -- openapi` only generates clients from the OpenAPI document.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileClients } from './openapi/compile-clients.ts'

const folder = import.meta.dirname
const words = process.argv.slice(2)
const isOnlyOpenapi = words.join(' ') === 'openapi'

if (words.length === 0 || isOnlyOpenapi) {
  install(join(folder, 'openapi'), 'the generators (about 110 MB, once)')
  await compileClients()
}
if (!isOnlyOpenapi) {
  install(folder, 'the clients (about 1 GB, once)')
  const tsc = join(folder, '../node_modules/.bin/tsc')
  execFileSync(tsc, ['-p', folder], { stdio: 'inherit' })
  await import('./run.ts')
}

function install(place: string, what: string): void {
  const lock = readFileSync(join(place, 'package-lock.json'), 'utf8')
  const stamp = join(place, 'node_modules', '.installed-lock')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  process.stdout.write(`Installing ${what}\n`)
  // They need no install scripts: their programs are in packages of their platform.
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: place,
    stdio: 'inherit',
  })
  writeFileSync(stamp, lock)
}
