/** Every example that imports a package shows the command that installs it. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { createCatalog } from '../../src/catalog/index.ts'
import { runWhole } from '../../src/lib/background/sliced.ts'
import { REFERENCE_PAGES } from '../../src/surfaces/http/documentation/reference-pages.ts'
import { installLine } from '../../src/surfaces/http/html/code/install-lines.ts'
import { callSnippets } from '../../src/surfaces/http/html/code/snippets.ts'
import {
  chatSnippets,
  messagesSnippets,
  responsesSnippets,
} from '../../src/surfaces/http/html/pages/models/model-snippets.ts'

const ROOT = join(import.meta.dirname, '../..')
const DOCUMENTED_ADDRESS = 'http://127.0.0.1:4020'
const STANDARD_LIBRARY = /^(?:asyncio|json|os|pathlib)$/
const FILES = globSync(
  ['README.md', 'docs/**/*.md', 'examples/README.md', 'packages/*/README.md'],
  {
    cwd: ROOT,
    exclude: ['docs/decisions/**', 'docs/benchmarks.md'],
  },
)
/** Texts by the path of the file, or of the page of the reference. */
const DOCUMENTS: readonly (readonly [file: string, text: string])[] = [
  ...FILES.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const),
  ...[...REFERENCE_PAGES].map(([file, { write }]) => [file, runWhole(write())] as const),
]

/** The command for a package; own packages come from the gateway. */
function commandFor(name: string, isPython: boolean, publicUrl: string): RegExp | string {
  if (name === '@tollgate/sdk') return installLine(publicUrl, 'sdk')
  if (name === 'tollgate_client') return installLine(publicUrl, 'python')
  return new RegExp(`${isPython ? 'pip' : 'npm'} install (?:\\S+ )*${name}(?![\\w/-])`)
}

function packagesOf(code: string, isPython: boolean): string[] {
  const names = isPython
    ? [...code.matchAll(/^(?:from|import) (\w+)/gm)]
    : [...code.matchAll(/^(?:import|export)\b[^'"\n]*['"]([^.'"][^'"]*)['"]/gm)]
  return names
    .map(([, name = '']) => name)
    .filter((name) => (isPython ? !STANDARD_LIBRARY.test(name) : !isBuiltin(name)))
}

/** The packages without a command above their first import. */
function uninstallable(
  text: string,
  isPython: boolean,
  above: string,
  publicUrl: string,
): string[] {
  return packagesOf(text, isPython).filter((name) => {
    const shown = above + text
    const command = commandFor(name, isPython, publicUrl)
    return typeof command === 'string' ? !shown.includes(command) : !command.test(shown)
  })
}

test('every document shows the command of each package that its examples import', () => {
  const missing = DOCUMENTS.flatMap(([file, text]) =>
    [...text.matchAll(/^```(python|js|ts|mjs)\n([\s\S]*?)^```/gm)].flatMap((block) =>
      uninstallable(
        block[2] ?? '',
        block[1] === 'python',
        text.slice(0, block.index),
        DOCUMENTED_ADDRESS,
      ).map((name) => `${file}: ${name}`),
    ),
  )
  assert.ok(DOCUMENTS.length > 100)
  assert.deepEqual([...new Set(missing)], [])
})

test('every snippet of an action and of a model shows the command of its packages', () => {
  const publicUrl = 'https://gate.example'
  const model = { publicUrl, model: 'core/mid' }
  const snippets = [
    ...createCatalog()
      .allActions()
      .flatMap(({ service, name, action }) =>
        callSnippets({ publicUrl, service: service.id, action: name, input: action.example }),
      ),
    ...chatSnippets(model),
    ...messagesSnippets(model),
    ...responsesSnippets(model),
  ]
  const missing = snippets.flatMap(({ text, language }) =>
    uninstallable(text, language === 'python', '', publicUrl),
  )
  assert.deepEqual([...new Set(missing)], [])
  assert.ok(snippets.some(({ text }) => text.includes('@tollgate/sdk')))
})

test('every snippet of the command line installs the command first', () => {
  const call = { service: 'core', action: 'onescrape', input: {} }
  const found = callSnippets({ publicUrl: 'https://gate.example', ...call })
  const text = found.find(({ id }) => id === 'cli')?.text ?? ''
  assert.ok(text.startsWith(`${installLine('https://gate.example', 'cli')}\n`))
  assert.match(text, /^tollgate run core\/onescrape$/m)
})

test('every example program in Python names the command of the package', () => {
  const files = globSync('examples/python/*_*.py', { cwd: ROOT })
  assert.ok(files.length >= 10)
  for (const file of files)
    assert.ok(
      readFileSync(join(ROOT, file), 'utf8').includes(installLine(DOCUMENTED_ADDRESS, 'python')),
      file,
    )
})
