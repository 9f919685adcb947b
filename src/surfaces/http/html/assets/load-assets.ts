import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AssetFile } from './asset-file.ts'
import { readIslands } from './read-islands.ts'
import { readStyles } from './read-styles.ts'

const require = createRequire(import.meta.url)

/** Fonts with the Latin subset, from packages. */
const FONTS = {
  'fonts/inter.woff2': '@fontsource-variable/inter/files/inter-latin-opsz-normal.woff2',
  'fonts/jetbrains-mono.woff2':
    '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
} as const

const TYPES: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
}

/** Reads all files for browsers. `version` changes with each of them. */
export async function loadAssetFiles(): Promise<{
  readonly version: string
  readonly files: readonly AssetFile[]
}> {
  const files = [
    { name: 'tollgate.css', contentType: 'text/css; charset=utf-8', content: await readStyles() },
    ...(await readIslands()),
    ...(await readFonts()),
    ...(await readImages()),
  ]
  const hash = createHash('sha256')
  for (const { name, content } of files) hash.update(name).update(content)
  return { version: hash.digest('hex').slice(0, 10), files }
}

function readFonts(): Promise<AssetFile[]> {
  return Promise.all(
    Object.entries(FONTS).map(async ([name, path]) => ({
      name,
      contentType: 'font/woff2',
      content: await readFile(require.resolve(path)),
    })),
  )
}

async function readImages(): Promise<AssetFile[]> {
  const names = await Array.fromAsync(glob('*.{svg,png,ico}', { cwd: import.meta.dirname }))
  return Promise.all(
    names.sort().map(async (name) => ({
      name,
      contentType: TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      content: await readFile(new URL(name, import.meta.url)),
    })),
  )
}
