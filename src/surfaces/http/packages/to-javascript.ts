import { stripTypeScriptTypes } from 'node:module'

const IMPORT = /\b((?:from|import)\s*\(?\s*)(["'])(\.{1,2}\/[^"'\n]+)\.ts\2/g

/** JavaScript of a TypeScript module, which imports modules with the ending .js. */
export function toJavaScript(source: string): string {
  return withJavaScriptNames(stripTypeScriptTypes(source, { mode: 'transform' }))
}

/** The paths of the imported modules of the package, such as ./budget.js. */
export function importsOf(javascript: string): string[] {
  return [...javascript.matchAll(/\b(?:from|import)\s*\(?\s*["'](\.[^"'\n]+)["']/g)].map(
    ([, path = '']) => path,
  )
}

export function withJavaScriptNames(source: string): string {
  return source.replaceAll(IMPORT, '$1$2$3.js$2')
}
