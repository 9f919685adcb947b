import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCli } from '../run-cli.ts'

const docs = join(import.meta.dirname, '../../../../docs')

function blocksOf(guide: string, language: string): string[] {
  const text = readFileSync(join(docs, guide), 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, block = '']) => block,
  )
}

/** Runs the commands of a guide in a folder with its files. */
async function runGuide(
  guide: string,
  files: readonly string[],
  environment: Readonly<Record<string, string>>,
) {
  const folder = mkdtempSync(join(tmpdir(), 'guide-'))
  const inFolder = (path: string): string => join(folder, path)
  try {
    mkdirSync(inFolder('actions'))
    for (const [index, file] of files.entries())
      writeFileSync(inFolder(file), blocksOf(guide, 'json')[index] ?? '')
    const lines = blocksOf(guide, 'sh')
      .flatMap((block) => block.trim().split('\n'))
      .filter((line) => line.startsWith('./tollgate '))
    for (const line of lines) {
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(
        ([, quoted, word]) => quoted ?? word ?? '',
      )
      let out = ''
      const write = (text: string): void => void (out += text)
      const code = await runCli(
        words.slice(1).map((word) => (/^actions\/$|\.json$/.test(word) ? inFolder(word) : word)),
        {
          environment: Object.fromEntries(
            Object.entries(environment).map(([name, path]) => [name, inFolder(path)]),
          ),
          out: write,
          err: write,
        },
      )
      assert.equal(code, 0, `${line}\n${out}`)
    }
    return lines.length
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('the commands of the guide "Add your own API" run as printed, on its file', async () => {
  const files = ['actions/acme.json', 'notes.json']
  assert.equal(await runGuide('own-actions.md', files, { ACTIONS_DIR: 'actions' }), 6)
})

test('the commands of the guide "Set your prices" run as printed, on its file', async () => {
  assert.equal(await runGuide('prices.md', ['prices.json'], {}), 2)
})
