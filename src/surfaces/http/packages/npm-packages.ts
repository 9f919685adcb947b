/** The files of the npm packages, built from the sources of this gateway without a compiler. */
import { glob, readFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { createSliced } from '../../../lib/background/sliced.ts'
import type { PackageFile } from './package-file.ts'
import { toDeclarations } from './to-declarations.ts'
import { importsOf, toJavaScript, withJavaScriptNames } from './to-javascript.ts'
import { sdkTypes } from './types/client-types.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const SDK = join(ROOT, 'packages/sdk')
const CLI_MAIN = 'packages/cli/src/main.js'

/** @tollgate/sdk: modules, and the types of all actions of this gateway. */
export async function sdkFiles(): Promise<PackageFile[]> {
  const sources = join(SDK, 'src')
  const files = await aboutPackage(SDK)
  for (const [name, types] of Object.entries(await createSliced(sdkTypes).inSlices()))
    files.push(toFile(`dist/${name}`, withJavaScriptNames(types)))
  for await (const name of glob('*.ts', { cwd: sources, exclude: ['*.test.ts', '*.d.ts'] })) {
    const source = await readFile(join(sources, name), 'utf8')
    const built = `dist/${name.slice(0, -'.ts'.length)}`
    files.push(toFile(`${built}.d.ts`, toDeclarations(source)))
    const code = toJavaScript(source)
    if (/\S/.test(code)) files.push(toFile(`${built}.js`, withTabs(code)))
    // Building a module takes milliseconds, in which a gateway answers nothing else.
    await setImmediate()
  }
  return files
}

/** @tollgate/cli: the module that starts it, and all modules that it imports. */
export async function cliFiles(): Promise<PackageFile[]> {
  const files = await aboutPackage(join(ROOT, 'packages/cli'))
  const names = new Set([CLI_MAIN])
  for (const name of names) {
    const source = await readFile(join(ROOT, name.replace(/\.js$/, '.ts')), 'utf8')
    const code = toJavaScript(source)
    files.push({ ...toFile(`dist/${name}`, code), isExecutable: name === CLI_MAIN })
    for (const path of importsOf(code)) names.add(posix.join(dirname(name), path))
    await setImmediate()
  }
  return files
}

function aboutPackage(folder: string): Promise<PackageFile[]> {
  return Promise.all(
    ['package.json', 'README.md', 'LICENSE'].map(async (path) => ({
      path,
      content: await readFile(join(folder, path)),
    })),
  )
}

function toFile(path: string, text: string): PackageFile {
  return { path, content: Buffer.from(text) }
}

/** The indentation of four spaces is a tenth of the code. No text of the SDK has several lines. */
function withTabs(code: string): string {
  return code.replaceAll(/^(?: {4})+/gm, (indent) => '\t'.repeat(indent.length / 4))
}
