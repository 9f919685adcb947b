/** Builds the package into dist, with the modules of the SDK and of the catalog that it uses. `npx node packages/cli/build.ts`. */
import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const here = import.meta.dirname

rmSync(join(here, 'dist'), { recursive: true, force: true })
execFileSync(
  process.execPath,
  [join(here, '../../node_modules/typescript/bin/tsc'), '-p', join(here, 'tsconfig.build.json')],
  { stdio: 'inherit' },
)
const main = join(here, 'dist/packages/cli/src/main.js')
chmodSync(main, 0o755)
