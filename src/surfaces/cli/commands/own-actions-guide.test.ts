import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCli } from '../run-cli.ts'

const guide = readFileSync(join(import.meta.dirname, '../../../../docs/own-actions.md'), 'utf8')
const blocksOf = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, block = '']) => block,
  )

test('the commands of the guide "Add your own API" run as printed, on its file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'guide-'))
  try {
    const actions = join(folder, 'actions')
    mkdirSync(actions)
    writeFileSync(join(actions, 'acme.json'), blocksOf('json')[0] ?? '')
    const lines = blocksOf('sh')
      .flatMap((block) => block.trim().split('\n'))
      .filter((line) => line.startsWith('./tollgate '))
    assert.ok(lines.length >= 4)
    for (const line of lines) {
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(
        ([, quoted, word]) => quoted ?? word ?? '',
      )
      let out = ''
      const write = (text: string): void => void (out += text)
      const code = await runCli(
        words.slice(1).map((word) => (word === 'actions/' ? actions : word)),
        { environment: { ACTIONS_DIR: actions }, out: write, err: write },
      )
      assert.equal(code, 0, `${line}\n${out}`)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
