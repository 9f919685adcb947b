import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import type { ParseRequest } from './document.ts'
import { createDocumentSandbox, type SandboxLimits } from './sandbox.ts'
import { docxFile, paragraph } from './testing/office-files.ts'
import { pdfFile } from './testing/pdf-file.ts'

const HOSTILE = join(import.meta.dirname, 'testing/hostile-worker.ts')
const request = (filename: string, bytes: Buffer = Buffer.from('x')): ParseRequest => ({
  bytes,
  contentType: '',
  filename,
  maxPages: 10,
  maxChars: 10_000,
})
const visitor = (signal = new AbortController().signal) => ({ accountId: 'a', signal })

function open(limits: Partial<SandboxLimits> = {}, worker: string | undefined = HOSTILE) {
  const sandbox = createDocumentSandbox({ workers: 1, limits, worker })
  cleanUp(() => sandbox.close())
  return sandbox
}

describe('the process that reads a document', () => {
  it('reads documents of every kind of parser', async () => {
    const sandbox = createDocumentSandbox({ workers: 1 })
    cleanUp(() => sandbox.close())
    const files = [
      docxFile(paragraph('Hello.')),
      pdfFile([{ lines: [[50, 700, 10, 'Hello.']] }]),
      Buffer.from('From: a@b.example\nTo: c@d.example\nSubject: Hello.\n\nText'),
    ]
    for (const bytes of files) {
      const answer = await sandbox.parse(request('', bytes), visitor())
      assert.ok(answer.kind === 'read', JSON.stringify(answer))
      assert.match(answer.document.markdown, /Hello\./)
    }
  })

  it('has no files, network, processes, threads, environment or code from text', async () => {
    assert.deepEqual(await open().parse(request('tries everything'), visitor()), {
      kind: 'fault',
      code: 'broken',
      detail: '',
    })
  })

  it('ends at its limits of CPU time, wall time, heap and other memory', async () => {
    const cases: readonly (readonly [string, Partial<SandboxLimits>])[] = [
      ['endless', { cpuMs: 300 }],
      ['waits', { wallMs: 300 }],
      ['heap', { heapMiB: 32 }],
      ['buffers', { memoryMiB: 256 }],
    ]
    for (const [name, limits] of cases) {
      const answer = await open(limits).parse(request(name), visitor())
      assert.equal(answer.kind === 'fault' ? answer.code : answer.kind, 'too_complex', name)
    }
  })

  it('reports the CPU time of a document that it cannot read', async () => {
    const spent: number[] = []
    const report = (cpuMs: number): void => void spent.push(cpuMs)
    await open({ cpuMs: 600 }).parse(request('endless'), visitor(), report)
    assert.ok((spent[0] ?? 0) >= 600, `${spent[0]} ms`)
  })

  it('ends with its call, and frees its place for the next one', async () => {
    const sandbox = open()
    const caller = new AbortController()
    const first = sandbox.parse(request('waits'), visitor(caller.signal))
    const next = sandbox.parse(request('tries everything'), visitor())
    assert.deepEqual(sandbox.use(), { places: 1, taken: 1, waiting: 1 })
    caller.abort(new Error('gone'))
    await assert.rejects(first, /gone/)
    assert.equal((await next).kind, 'fault')
  })

  it('ends when the gateway stops', async () => {
    const sandbox = open()
    const reading = sandbox.parse(request('waits'), visitor())
    const refused = assert.rejects(reading, { code: 'shutting_down' })
    await sandbox.close()
    await refused
  })
})
