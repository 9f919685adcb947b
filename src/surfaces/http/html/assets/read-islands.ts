import { glob, readFile } from 'node:fs/promises'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { basename, dirname, join } from 'node:path'
import type { AssetFile } from './asset-file.ts'

const html = join(import.meta.dirname, '..')
const require = createRequire(import.meta.url)
const SCRIPT_TYPE = 'text/javascript; charset=utf-8'

/** Packages that browsers may import, and the names of their modules. */
const PACKAGES = {
  preact: 'islands/packages/preact.js',
  'preact/hooks': 'islands/packages/preact-hooks.js',
  uplot: 'islands/packages/uplot.js',
  'sugar-high/core': 'islands/packages/sugar-high/core.js',
  'sugar-high/lang/json': 'islands/packages/sugar-high/lang/json.js',
  'sugar-high/lang/python': 'islands/packages/sugar-high/lang/python.js',
  'sugar-high/lang/typescript': 'islands/packages/sugar-high/lang/typescript.js',
} as const satisfies Record<string, string>

// A browser without a locale names the language "en-US@posix", which Intl rejects. The pages are in English.
const NUMBERS_OF_BROWSER = /new Intl\.NumberFormat\([^)]*\)/
const NUMBERS_OF_PAGES = 'new Intl.NumberFormat("en-US")'
const SMALL_UPLOT = join(dirname(require.resolve('uplot')), 'uPlot.iife.min.js')

/** The template tag, the writers of code and the patterns of keys run on the server and in browsers. They import nothing of Node.js. */
const SHARED = [
  'html.ts',
  'code/*.ts',
  '../../../catalog/published/curl-example.ts',
  '../../../keys/policy/patterns.ts',
]
/** Imports of the files of SHARED outside of this folder. */
const FROM_OUTSIDE = /(["'])(?:\.\.\/)+(?:catalog\/published|keys\/policy)\/([\w-]+\.ts)\1/g

/**
 * The islands, and the modules that they share with the server, as JavaScript. Their names keep the
 * ending .ts and their folders, so imports between them stay as written.
 */
export async function readIslands(): Promise<AssetFile[]> {
  const [islands, shared] = await Promise.all([list(['islands/**/*.ts']), list(SHARED)])
  const modules = [...islands, ...shared].map(async (path) => {
    const name = path.startsWith('..') ? `code/${basename(path)}` : path
    const source = await readFile(join(html, path), 'utf8')
    const toShared = `$1${'../'.repeat(depthOf(name))}code/$2$1`
    return toAsset(name, stripTypeScriptTypes(source).replaceAll(FROM_OUTSIDE, toShared))
  })
  return Promise.all([...modules, ...(await readPackages())])
}

async function list(patterns: readonly string[]): Promise<string[]> {
  const exclude = ['**/*.test.ts']
  const found = patterns.map((pattern) => Array.fromAsync(glob(pattern, { cwd: html, exclude })))
  return (await Promise.all(found)).flat().sort()
}

/** The modules of the packages, with those that they import by a relative path. */
async function readPackages(): Promise<Promise<AssetFile>[]> {
  const found = new Map<string, string>()
  const add = async (name: string, path: string): Promise<void> => {
    if (found.has(name)) return
    const text = await readFile(path, 'utf8')
    found.set(name, text)
    for (const [, to = ''] of text.matchAll(/\bfrom\s*["'](\.\.?\/[^"']+)["']/g))
      await add(join(dirname(name), to), join(dirname(path), to))
  }
  for (const [specifier, name] of Object.entries(PACKAGES)) await add(name, pathOf(specifier))
  // The module of this package is three times as large, so its small script becomes a module here.
  const uplot = (await readFile(SMALL_UPLOT, 'utf8')).replace(NUMBERS_OF_BROWSER, NUMBERS_OF_PAGES)
  found.set(PACKAGES.uplot, `${uplot}\nexport default uPlot\n`)
  return [...found].map(async ([name, text]) => toAsset(name, text))
}

function toAsset(name: string, code: string): AssetFile {
  const content = withoutComments(withPackages(code, depthOf(name)))
  return { name, contentType: SCRIPT_TYPE, content }
}

/** The folders above a file. */
function depthOf(name: string): number {
  return name.split('/').length - 1
}

function pathOf(specifier: string): string {
  return require.resolve(specifier)
}

/** Replaces the name of a package by the path of its module. `depth`: the folders above the importer. */
function withPackages(code: string, depth: number): string {
  return code.replaceAll(
    /(\bfrom\s*|\bimport\s*)(["'])((?:preact|sugar-high|uplot)(?:\/[\w/]+)?)\2/g,
    (_text, before: string, quote: string, specifier: keyof typeof PACKAGES) =>
      `${before}${quote}${'../'.repeat(depth)}${PACKAGES[specifier]}${quote}`,
  )
}

/** Drops lines that hold only a comment or nothing, and the reference to the source map. */
function withoutComments(code: string): string {
  return code
    .replaceAll(/^\s*\/\*\*[\s\S]*?\*\/\s*$/gm, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/^\s*\n/gm, '')
}
