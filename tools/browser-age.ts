/**
 * Fails when the packaged Chromium is two or more majors behind its package. Run it before each
 * release (docs/operating.md). It queries the package registry, so an unchanged checkout may start to
 * fail; therefore "npm run check" does not include it.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkPackagedBrowser } from './packaged-browser.ts'

const PACKAGE = '@sparticuz/chromium'
const root = join(import.meta.dirname, '..')
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  dependencies: Readonly<Record<string, string>>
}

function newestVersion(): string | null {
  try {
    return execFileSync('npm', ['view', PACKAGE, 'version', '--loglevel=error'], {
      cwd: root,
      encoding: 'utf8',
      timeout: 60_000,
    }).trim()
  } catch {
    return null
  }
}

const { fails, text } = checkPackagedBrowser(dependencies[PACKAGE] ?? '', newestVersion())
process.stdout.write(`${text}\n`)
process.exit(fails ? 1 : 0)
