import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openAppBed, type AppBed } from '../../../test/harness/beds/app.ts'
import { mcpClient, type ToolResult } from '../../../test/harness/clients/mcp.ts'
import { sweepFiles } from '../../resources/files/sweep.ts'

const TEXT = 'Zeile mit Umlauten: äöü, "Anführung" und 🙂.\n\n'.repeat(3_000)
const answer = (text: string) => ({
  requestId: 'r',
  results: [{ id: 'https://a.example/', url: 'https://a.example/', text }],
})
type Line = {
  field: string
  shown_chars: number
  total_chars: number
  offset: number
  file_id: string
  get_url: string
}

let bed: AppBed
let client: ReturnType<typeof mcpClient>

before(async () => {
  bed = await openAppBed()
  bed.vendor.answerWith(() => ({ body: answer(TEXT) }))
  client = mcpClient(bed)
})

const contents = (more: Record<string, unknown> = {}) => ({
  service: 'semantic',
  action: 'contents',
  params: { urls: ['https://a.example/'] },
  ...more,
})
const linesOf = ({ structuredContent }: ToolResult) =>
  (structuredContent as unknown as { truncated?: Line[] }).truncated ?? []
const textOf = (data: Record<string, unknown>) =>
  (data['results'] as { text: string }[])[0]?.text ?? ''

describe('an answer over MCP', () => {
  it('has at most 60,000 characters, and the rest in a file from the given offset on', async () => {
    const result = await client.tool('run', contents())
    assert.ok((result.content[0]?.text.length ?? 0) <= 60_000)
    assert.ok((result.content[0]?.text.length ?? 0) > 48_000)
    const [line] = linesOf(result)
    assert.ok(line)
    const shown = textOf(result.structuredContent.data)
    assert.deepEqual(
      [line.field, line.shown_chars, line.total_chars],
      ['results[0].text', shown.length, TEXT.length],
    )
    const file = await bed.app.inject(line.get_url.replace('https://gate.example', ''))
    assert.equal(file.rawPayload.subarray(0, line.offset).toString(), shown)
    assert.equal(file.rawPayload.toString(), TEXT)
  })

  it('is read on with result, its file_id and offsets, to the end', async () => {
    const result = await client.tool('run', contents())
    let text = textOf(result.structuredContent.data)
    const [line] = linesOf(result)
    let offset: number | null = line?.offset ?? null
    while (offset !== null) {
      const part = await client.tool('result', { file_id: line?.file_id, offset })
      assert.ok((part.content[0]?.text.length ?? 0) <= 60_000)
      assert.equal(part.structuredContent.charged_micros, 0)
      const { data } = part.structuredContent
      assert.equal(data['content_trust'], 'untrusted')
      text += String(data['text'])
      offset = data['next_offset'] as number | null
    }
    assert.equal(text, TEXT)
    for (const [input, code] of [
      [{ file_id: line?.file_id, offset: 1e8 }, 'invalid_params'],
      [{ file_id: 'file_none' }, 'unknown_file'],
    ] as const)
      assert.equal((await client.tool('result', input)).structuredContent.error.code, code)
    const stranger = await client.tool(
      'result',
      { file_id: line?.file_id },
      { key: bed.strangerKey },
    )
    assert.equal(stranger.structuredContent.error.code, 'unknown_file')
  })

  it('is longer on request, also when a call is repeated with its idempotency key', async () => {
    const key = { idempotency_key: 'longer' }
    const short = await client.tool('run', contents({ max_chars: 5_000, ...key }))
    assert.ok((short.content[0]?.text.length ?? 0) <= 5_000)
    const long = await client.tool('run', contents({ max_chars: 1_000_000, ...key }))
    assert.equal(textOf(long.structuredContent.data), TEXT)
    assert.deepEqual([long._meta?.['idempotencyReplayed'], linesOf(long)], [true, []])
  })

  it('is cut and charged although the rest cannot be stored', async () => {
    const full = await openAppBed({ fileLimits: { maxFileBytes: 10_000, maxAccountBytes: 10_000 } })
    full.vendor.answerWith(() => ({ body: answer(TEXT) }))
    const result = await mcpClient(full).tool('run', contents())
    assert.partialDeepStrictEqual(linesOf(result)[0], { field: 'results[0].text', file_id: null })
    assert.ok((result.content[0]?.text.length ?? 0) <= 60_000)
    assert.equal(result.structuredContent.ok, true)
  })
})

describe('an answer over HTTP', () => {
  const body = { urls: ['https://a.example/'] }

  it('is whole, unless the body of a reading action has max_chars', async () => {
    const whole = (await bed.post('/api/run/semantic/contents', body)).json<{
      data: Record<string, unknown>
    }>()
    assert.equal(textOf(whole.data), TEXT)
    const reply = await bed.post('/api/run/semantic/contents', { ...body, max_chars: 8_000 })
    assert.ok(reply.body.length <= 8_000)
    const { truncated } = reply.json<{ truncated: Line[] }>()
    assert.equal(truncated[0]?.total_chars, TEXT.length)
  })

  it('is rejected with the name of an invalid or unsupported max_chars', async () => {
    for (const [path, value] of [
      ['semantic/contents', 10],
      ['semantic/contents', '8000'],
      ['core/discover', 8_000],
    ] as const) {
      const sent = path === 'core/discover' ? { query: 'x' } : body
      const reply = await bed.post(`/api/run/${path}`, { ...sent, max_chars: value })
      const { error } = reply.json<{ error: { code: string; param: string } }>()
      assert.deepEqual(
        [reply.statusCode, error.code, error.param],
        [400, 'invalid_params', 'max_chars'],
      )
    }
  })
})

describe('the stored rest', () => {
  it('is deleted when its link has expired, and frees its space', async () => {
    const used = async () =>
      (await bed.post('/api/run/files/list', {})).json<{ data: { used_bytes: number } }>().data
        .used_bytes
    await client.tool('run', contents())
    assert.ok((await used()) > 0)
    bed.clock.advance(3_600_000 + 1_000)
    assert.ok((await sweepFiles(bed.files)).expired > 0)
    assert.equal(await used(), 0)
  })
})
