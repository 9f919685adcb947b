/** Extracts the commands of documents and runs them unchanged. */
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')

export type Ran = { readonly code: number | null; readonly out: string; readonly err: string }

/** Runs a command line in the repository, with the Node of the tests first in PATH. */
export function runShell(
  command: string,
  environment: Readonly<Record<string, string>>,
): Promise<Ran> {
  const child = spawn('sh', ['-c', command], {
    cwd: root,
    env: {
      PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      HOME: process.env['HOME'] ?? '',
      CURL_HOME: join(root, 'test/harness/curl'),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  return new Promise((done) => child.on('close', (code) => done({ code, out, err })))
}

/** The shell blocks of a Markdown document that call the gateway or its command line. */
export function blocksOfMarkdown(text: string): string[] {
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)]
    .map((match) => (match[1] ?? '').trim())
    .filter(callsUs)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** The code blocks of a page in one language, as text. */
export function blocksOfHtml(markup: string, language: 'sh' | 'json'): string[] {
  const blocks = [
    ...markup.matchAll(/<pre[^>]*><code class="language-([a-z]+)">([\s\S]*?)<\/code><\/pre>/g),
  ]
  return blocks
    .filter((match) => match[1] === language)
    .map((match) =>
      (match[2] ?? '')
        .replaceAll(/<[^>]+>/g, '')
        .replaceAll(/&(amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity),
    )
}

export function callsUs(block: string): boolean {
  return /\bcurl\b|\.\/tollgate\b/.test(block)
}
