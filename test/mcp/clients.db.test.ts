/** The client configurations of the documents. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { openAppBed, type AppBed } from '../harness/beds/app.ts'
import type { ToolResult } from '../harness/clients/mcp.ts'
import { blocksOfMarkdown, runShell } from '../harness/shell.ts'

const root = join(import.meta.dirname, '../..')

let bed: AppBed
let url: string
before(async () => {
  bed = await openAppBed()
  url = await bed.app.listen({ port: 0, host: '127.0.0.1' })
})

describe('documented client configurations', () => {
  const ADDRESS = 'http://127.0.0.1:4020/mcp'
  const [guide = '', readme = ''] = ['docs/mcp.md', 'README.md'].map((name) =>
    readFileSync(join(root, name), 'utf8'),
  )

  it('is JSON that names the address and the bearer header', () => {
    const blocks = [...guide.matchAll(/^```json\n([\s\S]*?)^```/gm)]
      .map((match) => match[1] ?? '')
      .filter((block) => block.includes('/mcp"'))
    assert.ok(blocks.length >= 5)
    assert.ok(readme.includes(`claude mcp add --transport http tollgate ${ADDRESS} --header`))
    for (const block of blocks) {
      assert.ok(JSON.stringify(JSON.parse(block)).includes(`"${ADDRESS}"`), block)
      assert.match(block, /Authorization[\s\S]*Bearer /)
    }
  })

  it('names every tool', () => {
    const rows = [...guide.matchAll(/^\| `([a-z]+)` \|/gm)].map((match) => match[1])
    assert.deepEqual(
      rows.map(String).toSorted((a, b) => a.localeCompare(b)),
      ['balance', 'budget', 'close', 'describe', 'discover', 'result', 'run', 'session'],
    )
  })

  it('is tried with a curl that answers the balance', async () => {
    const [command = ''] = blocksOfMarkdown(guide)
    const { out, err } = await runShell(command.replace(ADDRESS, `${url}/mcp`), {
      TOLLGATE_KEY: bed.liveKey,
    })
    assert.notEqual(out, '', err)
    const { result } = JSON.parse(out) as { result: ToolResult }
    assert.equal(typeof result.structuredContent.data['balance_cents'], 'number')
  })
})
