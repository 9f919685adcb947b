import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../styles')

/** The folders of html/styles; rules of a later one win. */
const LAYERS = ['foundation', 'components', 'pages'] as const

/** All style sheets as one, each folder in the cascade layer of its name. */
export async function readStyles(): Promise<string> {
  const parts: string[] = [`@layer ${LAYERS.join(', ')};\n`]
  for (const layer of LAYERS) {
    const names = await Array.fromAsync(glob('*.css', { cwd: join(folder, layer) }))
    for (const name of names.sort()) {
      const text = minify(await readFile(join(folder, layer, name), 'utf8'))
      // Browsers ignore fonts of some versions inside a layer.
      parts.push(name === 'fonts.css' ? text : `@layer ${layer} {\n${text}}\n`)
    }
  }
  return parts.join('')
}

/** Removes comments, indentation and empty lines. */
function minify(css: string): string {
  return css
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s+/gm, '')
    .replaceAll(/\n{2,}/g, '\n')
}
