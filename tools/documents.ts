/** Checks links, file names and tables in documents and in the reference of the gateway, and rejects paths and addresses of one machine or network. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runWhole } from '../src/lib/background/sliced.ts'
import { REFERENCE_PAGES } from '../src/surfaces/http/documentation/reference-pages.ts'

const REFERENCE = new Map(
  [...REFERENCE_PAGES].map(([file, { write }]) => [file, runWhole(write())]),
)
const root = join(import.meta.dirname, '..')
// `--others` lists new files, which git does not track yet.
const listed = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
}).stdout.split('\n')
const files = listed.filter(
  (name) =>
    /\.(md|ts|mjs|sql|json|css)$/.test(name) &&
    name !== 'tools/documents.ts' &&
    existsSync(join(root, name)),
)
const FORBIDDEN = [
  /(?<![\w.$}])\/(work|root|home)\/[a-z]/,
  /https?:\/\/[a-z.-]*(registry|mirror)[a-z.-]*\//,
]

const findings: string[] = []
const texts = files.map((name) => [name, readFileSync(join(root, name), 'utf8')] as const)
for (const [name, text] of [...texts, ...REFERENCE]) {
  for (const pattern of FORBIDDEN) {
    const match = pattern.exec(text)
    if (match !== null) findings.push(`${name} contains "${match[0]}"`)
  }
  if (name.endsWith('.md'))
    findings.push(...deadLinks(name, text), ...lostFiles(name, text), ...unevenRows(name, text))
}

function deadLinks(name: string, text: string): string[] {
  const prose = text.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => match[1] ?? '')
    .filter(
      (link) =>
        !/^(https?:|mailto:|#|\/)/.test(link) &&
        !exists(join(dirname(name), link.split('#', 1)[0] ?? '')),
    )
    .map((link) => `${name} links to ${link}, which does not exist`)
}

/** Documents also link to pages that only the gateway has. */
function exists(path: string): boolean {
  return REFERENCE.has(path) || existsSync(join(root, path))
}

/** Rows of tables with another number of cells than the heading. */
function unevenRows(name: string, text: string): string[] {
  const uneven: string[] = []
  let cells = 0
  const lines = text.replaceAll(/```[\s\S]*?```/g, '').split('\n')
  for (const line of lines) {
    const own = line.startsWith('|') ? line.split(/(?<!\\)\|/).length - 2 : 0
    if (cells > 0 && own > 0 && own !== cells)
      uneven.push(`${name} has a row of ${own} cells in a table of ${cells}: ${line.slice(0, 60)}`)
    cells = own === 0 ? 0 : cells || own
  }
  return uneven
}

/** A README names files of its own folder by their last part, and all others by their path. */
function lostFiles(name: string, text: string): string[] {
  const folder = name.includes('/') && name.endsWith('README.md') ? `${dirname(name)}/` : ''
  return [...text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/`([\w./-]+\.(?:ts|mjs|sql))`/g)]
    .map((match) => match[1] ?? '')
    .filter(
      (file) =>
        !files.some(
          (known) =>
            known === file ||
            (known.startsWith(folder) && `/${known}`.endsWith(`/${file}`)) ||
            known === join(folder, file),
        ),
    )
    .map(
      (file) =>
        `${name} names ${file}, which is not ${folder === '' ? 'there' : `in ${folder} or at that path`}`,
    )
}

for (const finding of findings) process.stdout.write(`${finding}\n`)
process.exit(findings.length === 0 ? 0 : 1)
