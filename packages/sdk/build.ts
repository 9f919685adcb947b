/** Builds the package into dist: JavaScript modules and their types. `npx node packages/sdk/build.ts`. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const here = import.meta.dirname
const compiler = join(here, '../../node_modules/typescript/bin/tsc')

rmSync(join(here, 'dist'), { recursive: true, force: true })
// Comments belong to the types only.
for (const flags of [['--removeComments'], ['--declaration', '--emitDeclarationOnly']])
  execFileSync(process.execPath, [compiler, '-p', join(here, 'tsconfig.build.json'), ...flags], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
// The compiler indents by four spaces, which is a tenth of the code.
for (const name of globSync('dist/*.js', { cwd: here })) {
  const file = join(here, name)
  const text = readFileSync(file, 'utf8')
  writeFileSync(
    file,
    text.replaceAll(/^(?: {4})+/gm, (indent) => '\t'.repeat(indent.length / 4)),
  )
}
for (const name of globSync('src/*.d.ts', { cwd: here }))
  copyFileSync(join(here, name), join(here, name.replace('src', 'dist')))
for (const name of globSync('dist/**/*.d.ts', { cwd: here })) {
  const file = join(here, name)
  // The compiler rewrites imports of modules, and leaves those of types.
  const text = readFileSync(file, 'utf8').replaceAll(/(from '\.{1,2}\/[^']+)\.ts'/g, "$1.js'")
  writeFileSync(file, text)
}
