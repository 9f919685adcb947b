import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { anotherCaller, openCallBed, type CallBed } from '../../../test/harness/beds/calls.ts'
import { openTestFiles, type TestFiles } from '../../../test/harness/beds/files.ts'
import { runCall } from '../../calls/run.ts'
import type { LocalHandler } from '../../catalog/vocabulary/handlers.ts'
import { AppError } from '../../errors/app-error.ts'
import { errorCatalog } from '../../errors/catalog.ts'
import { cents } from '../../lib/money.ts'
import type { Caller } from '../../keys/caller.ts'
import { createPages, type Pages } from '../../reader/create-pages.ts'
import { docxFile, paragraph } from '../../reader/document/testing/office-files.ts'
import { pdfFile } from '../../reader/document/testing/pdf-file.ts'
import { createOutputSaver } from '../../resources/files/output-saver.ts'
import { readFileBytes } from '../../resources/files/read-file.ts'
import { createGuard } from '../../upstream/guard.ts'
import { saveOutput } from '../../resources/files/save-output.ts'
import { createDocumentHandler } from './read-documents.ts'

const PDF = pdfFile([{ lines: [[50, 700, 10, 'The crane lifts forty tonnes.']] }])
const BODIES: Readonly<Record<string, { type: string; body: Buffer }>> = {
  '/plan.pdf': { type: 'application/octet-stream', body: PDF },
  '/locked.pdf': { type: 'application/pdf', body: pdfFile([{}], { isEncrypted: true }) },
  '/scan.pdf': { type: 'application/pdf', body: pdfFile([{ hasImage: true }]) },
  '/page': { type: 'text/html', body: Buffer.from('<!doctype html><p>A page') },
  '/cut.docx': { type: 'application/zip', body: docxFile(paragraph('x')).subarray(0, 700) },
  '/large.pdf': { type: 'application/pdf', body: Buffer.alloc(33 * 1024 * 1024, 'x') },
}

describe('reader/document', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-documents-'))
  const server = createServer((request, response) => {
    const found = BODIES[request.url ?? '']
    if (found === undefined) response.writeHead(404).end('gone')
    else response.writeHead(200, { 'content-type': found.type }).end(found.body)
  })
  let bed: CallBed
  let files: TestFiles
  let pages: Pages
  let base: string

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const local = new Map<string, LocalHandler>()
    bed = await openCallBed({ local })
    pages = createPages({
      allowPrivateNetworks: ['127.0.0.0/8'],
      ownPages: [],
      userAgent: 'Tollgate-Test/1.0',
      respectRobots: false,
      browserConcurrency: 1,
      extractionWorkers: 1,
      cacheFolder: folder,
    })
    files = await openTestFiles(bed.database, bed.clock, {
      maxFileBytes: 100_000,
      maxAccountBytes: 1_000_000,
    })
    local.set('reader.document', createDocumentHandler(pages, files))
  })
  after(async () => {
    await pages.close()
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const read = async (body: object, caller: Caller = bed.caller) => {
    const answer = await runCall(bed.calls, bed.request('reader', 'document', body, { caller }))
    return { ...answer, data: (JSON.parse(answer.body) as { data: Record<string, unknown> }).data }
  }
  const refusal = async (body: object, caller: Caller = bed.caller): Promise<AppError> => {
    try {
      await read(body, caller)
    } catch (error) {
      assert.ok(error instanceof AppError, String(error))
      return error
    }
    return assert.fail('the document was read')
  }
  const store = async (owner: Caller, filename: string, bytes: Buffer): Promise<string> => {
    const facts = { filename, source: 'upload' }
    return (await saveOutput(files, owner, facts, Readable.from([bytes]))).file_id
  }

  it('charges three cents for a document from the web', async () => {
    const { charged, data } = await read({ url: `${base}/plan.pdf` })
    assert.equal(charged, cents('3'))
    assert.deepEqual(
      [data['kind'], data['title'], data['content'], data['page_count'], data['content_trust']],
      ['pdf', 'plan', 'The crane lifts forty tonnes.', 1, 'untrusted'],
    )
  })

  it('charges nothing for a document that it cannot read, and names the reason', async () => {
    const before = await bed.balance()
    const cases = [
      ['/locked.pdf', 'document_encrypted', 422],
      ['/scan.pdf', 'document_without_text', 422],
      ['/page', 'document_unsupported', 422],
      ['/cut.docx', 'document_unreadable', 422],
      ['/large.pdf', 'file_too_large', 413],
      ['/missing.pdf', 'upstream_not_found', 404],
    ] as const
    for (const [path, code, status] of cases) {
      const error = await refusal({ url: `${base}${path}` })
      assert.deepEqual([error.code, errorCatalog[error.code].status], [code, status], path)
    }
    assert.deepEqual(await bed.balance(), before)
  })

  it('stores the whole text when max_chars cuts it, and returns its beginning', async () => {
    const text = 'The crane lifts forty tonnes. '.repeat(200).trim()
    const fileId = await store(bed.caller, 'long.docx', docxFile(paragraph(text)))
    const guard = createGuard({ allowPrivateNetworks: [] })
    const storeOutput = createOutputSaver(files, { guard, userAgent: 'Tollgate-Test/1.0' })
    const { body } = await runCall(
      { ...bed.calls, storeOutput },
      bed.request('reader', 'document', { file_id: fileId, max_chars: 1_000 }),
    )
    const { data } = JSON.parse(body) as {
      data: { content: string; truncated: boolean; rest: { file_id: string; offset: number } }
    }
    assert.ok(data.content.length <= 1_000 && data.truncated)
    const { bytes } = await readFileBytes(files, bed.caller, data.rest.file_id, 100_000)
    assert.equal(bytes.toString(), text)
    assert.equal(bytes.subarray(0, data.rest.offset).toString(), data.content)
  })

  it('reads a stored file of the account', async () => {
    const fileId = await store(bed.caller, 'letter.docx', docxFile(paragraph('Dear Ada.')))
    const { data, charged } = await read({ file_id: fileId })
    assert.deepEqual([data['content'], data['file_id'], charged], ['Dear Ada.', fileId, cents('3')])
  })

  it("answers another account's file, a test file and a missing one identically", async () => {
    const other = await anotherCaller(bed)
    const ids = [
      await store(other, 'a.pdf', PDF),
      await store(bed.testCaller, 'b.pdf', PDF),
      'file_019a0000000070008000000000000000',
      'not-an-id',
    ]
    const before = await bed.balance()
    for (const id of ids) {
      const error = await refusal({ file_id: id })
      assert.deepEqual([error.code, error.message], ['unknown_file', 'Unknown file.'], id)
    }
    assert.deepEqual(await bed.balance(), before)
  })

  it('takes a URL or a file, and never an address of a private network', async () => {
    assert.equal((await refusal({})).code, 'invalid_params')
    const both = await refusal({ url: `${base}/plan.pdf`, file_id: 'file_x' })
    assert.deepEqual([both.code, both.param], ['invalid_params', 'file_id'])
    const inward = await refusal({ url: 'http://10.0.0.1/a.pdf' })
    assert.deepEqual([inward.code, inward.param], ['bad_url', 'url'])
  })
})
