/** `npm run wires`: installs the clients on the first run, checks the types of their tests, and runs them. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = import.meta.dirname
const root = join(folder, '..')
const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8')
const stamp = join(folder, 'node_modules', '.installed-lock')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  process.stdout.write('Installing the clients (about 1 GB, once)\n')
  // The clients need no install scripts: their programs are in packages of their platform.
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
  })
  writeFileSync(stamp, lock)
}
const tsc = join(root, 'node_modules', '.bin', 'tsc')
execFileSync(tsc, ['-p', folder], { stdio: 'inherit' })
await import('./run.ts')
