import { glob, readFile } from 'node:fs/promises'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import type { AssetFile } from './asset-file.ts'

const folder = join(import.meta.dirname, '../islands')
const require = createRequire(import.meta.url)
const SCRIPT_TYPE = 'text/javascript; charset=utf-8'

/** Packages that islands may import, and the names of their modules below /assets/islands. */
const PACKAGES = {
  preact: 'packages/preact.js',
  'preact/hooks': 'packages/preact-hooks.js',
} as const satisfies Record<string, string>

/** The islands as JavaScript modules. Their names keep the ending .ts, so imports between them stay as written. */
export async function readIslands(): Promise<AssetFile[]> {
  const names = await Array.fromAsync(glob('**/*.ts', { cwd: folder, exclude: ['**/*.test.ts'] }))
  const islands = names.sort().map(async (name) => {
    const source = await readFile(join(folder, name), 'utf8')
    const depth = name.split('/').length - 1
    return toAsset(name, withPackages(stripTypeScriptTypes(source), depth))
  })
  const packages = Object.entries(PACKAGES).map(async ([specifier, name]) =>
    toAsset(name, withPackages(await readFile(pathOf(specifier), 'utf8'), 1)),
  )
  return Promise.all([...islands, ...packages])
}

function toAsset(name: string, content: string): AssetFile {
  return { name: `islands/${name}`, contentType: SCRIPT_TYPE, content: withoutComments(content) }
}

function pathOf(specifier: string): string {
  return require.resolve(specifier)
}

/** Replaces the name of a package by the path of its module. `depth`: folders between the importer and islands/. */
function withPackages(code: string, depth: number): string {
  return code.replaceAll(
    /(\bfrom\s*|\bimport\s*)(["'])(preact(?:\/hooks)?)\2/g,
    (_text, before: string, quote: string, specifier: keyof typeof PACKAGES) =>
      `${before}${quote}${depth === 0 ? './' : '../'.repeat(depth)}${PACKAGES[specifier]}${quote}`,
  )
}

/** Drops lines that hold only a comment or nothing, and the reference to the source map. */
function withoutComments(code: string): string {
  return code
    .replaceAll(/^\s*\/\*\*[\s\S]*?\*\/\s*$/gm, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/^\s*\n/gm, '')
}
