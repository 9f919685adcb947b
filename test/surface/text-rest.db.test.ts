/** The rest of a page that `max_chars` of core/onescrape cuts. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LocalHandler } from '../../src/catalog/vocabulary/handlers.ts'
import { createDomainMemory } from '../../src/composites/onescrape/domain-memory.ts'
import { createOnescrape } from '../../src/composites/onescrape/onescrape.ts'
import type { PageRow } from '../../src/composites/onescrape/page-row.ts'
import { judgePage } from '../../src/reader/judge/judge.ts'
import { sweepFiles } from '../../src/resources/files/sweep.ts'
import { openAppBed } from '../harness/beds/app.ts'

const TEXT = 'Zeile mit Umlauten: äöü, "Anführung" und 🙂 für den Leser der Seite.\n\n'
  .repeat(1_000)
  .trim()
const local = new Map<string, LocalHandler>([
  [
    'core.onescrape',
    createOnescrape({
      judge: (page, url) => judgePage({ ...page, finalUrl: page.finalUrl ?? url }),
      extract: () => assert.fail('nothing is extracted'),
      memory: createDomainMemory(),
    }),
  ],
])
const bed = await openAppBed({
  local,
  fileLimits: { maxFileBytes: 100_000, maxAccountBytes: 200_000 },
})
bed.vendor.answerWith(() => ({
  body: {
    requestId: 'r',
    results: [{ id: 'https://a.example/', url: 'https://a.example/', text: TEXT }],
    statuses: [{ id: 'https://a.example/', status: 'success' }],
  },
}))

type Rest = {
  file_id: string | null
  offset: number
  total_chars: number
  get_url: string
  size: number
  error?: { code: string }
}

async function read(body: object): Promise<Omit<PageRow, 'rest'> & { readonly rest?: Rest }> {
  const answer = await bed.post('/api/run/core/onescrape', {
    urls: ['https://a.example/'],
    ...body,
  })
  assert.equal(answer.statusCode, 200, answer.body)
  assert.doesNotMatch(answer.body, /data:text|kept_files/)
  const [row] = answer.json<{ data: { rows: PageRow[] } }>().data.rows
  assert.ok(row)
  return row as unknown as Omit<PageRow, 'rest'> & { readonly rest?: Rest }
}

describe('max_chars of core/onescrape', () => {
  it('stores the whole text as a file that begins with the content', async () => {
    const { content, truncated, rest } = await read({ max_chars: 2_000 })
    assert.ok(content !== null && content.length <= 2_000 && rest !== undefined)
    assert.equal(truncated, true)
    const file = await bed.app.inject(rest.get_url.replace('https://gate.example', ''))
    assert.equal(file.statusCode, 200)
    assert.equal(file.rawPayload.subarray(0, rest.offset).toString(), content)
    const whole = file.rawPayload.toString()
    assert.deepEqual(
      [whole.length, rest.total_chars, file.rawPayload.length],
      [rest.total_chars, TEXT.length, rest.size],
    )
    assert.equal(whole, TEXT)
  })

  it('stores nothing for a page that fits', async () => {
    const { content, rest, truncated } = await read({ max_chars: 500_000 })
    assert.deepEqual([content, rest, truncated], [TEXT, undefined, undefined])
  })

  it('reports a file that could not be stored, and returns the cut text', async () => {
    const full = await openAppBed({
      local,
      fileLimits: { maxFileBytes: 100, maxAccountBytes: 200 },
    })
    full.vendor.answerWith(() => ({
      body: {
        requestId: 'r',
        results: [{ id: 'https://a.example/', url: 'https://a.example/', text: TEXT }],
      },
    }))
    const answer = await full.post('/api/run/core/onescrape', {
      urls: ['https://a.example/'],
      max_chars: 2_000,
    })
    const [row] = answer.json<{ data: { rows: { rest: Rest; chars: number }[] } }>().data.rows
    assert.ok(row !== undefined && row.chars <= 2_000, answer.body)
    assert.equal(row.rest.file_id, null)
    assert.equal(row.rest.error?.code, 'file_too_large')
    assert.doesNotMatch(answer.body, /data:text/)
  })

  it('deletes the file with its link', async () => {
    await read({ max_chars: 2_000 })
    const count = async () =>
      (await bed.database.query<{ files: bigint }>('select count(*) as files from files')).rows[0]
        ?.files
    assert.ok(Number(await count()) > 0)
    bed.clock.advance(2 * 3_600_000)
    await sweepFiles(bed.files)
    assert.equal(Number(await count()), 0)
  })
})
