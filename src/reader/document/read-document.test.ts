import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '../../lib/clock.ts'
import { newId, type Id } from '../../lib/ids.ts'
import { createPageGetter } from '../fetch/get.ts'
import { createGuard } from '../../upstream/guard.ts'
import type { ParseAnswer, ReadDocument } from './document.ts'
import { createDocumentReader } from './read-document.ts'

const FAULT: ParseAnswer = { kind: 'fault', code: 'too_complex', detail: '' }
const READ: ReadDocument = {
  kind: 'pdf',
  metadata: { title: 'Plan', author: null, created_at: null, modified_at: null, language: null },
  unit: 'page',
  pageCount: 1,
  pagesRead: 1,
  markdown: 'The crane.',
  isTruncated: false,
  omitted: [],
}

/** A reader whose documents cost this processor time. */
function setUp(cpuMs: number) {
  let nowMs = 1_000
  let answer = FAULT
  const now = () => nowMs
  const reader = createDocumentReader({
    getter: createPageGetter({
      guard: createGuard({ allowPrivateNetworks: [] }),
      userAgent: 'test',
      respectRobots: false,
      now,
    }),
    sandbox: {
      async parse(_request, _visitor, spent) {
        spent?.(cpuMs)
        return answer
      },
      use: () => ({ places: 1, taken: 0, waiting: 0 }),
      close: async () => {},
    },
    now,
  })
  const [owner, key] = [newId(1), newId(2)]
  return {
    owner,
    answer: (next: ParseAnswer) => void (answer = next),
    advance: (ms: number) => void (nowMs += ms),
    read: (accountId: Id = owner, keyId: Id = key) =>
      reader(
        { file_id: 'file_1', max_pages: 10, max_chars: 1_000 },
        {
          accountId,
          keyId,
          mode: 'live',
          scope: 'own',
          signal: new AbortController().signal,
          timeoutMs: 60_000,
        },
        async () => ({ bytes: Buffer.from('x'), filename: 'plan.pdf', mime: 'application/pdf' }),
      ),
  }
}

test('refuses documents of an account whose unreadable ones took two minutes in an hour', async () => {
  const { read, advance, answer } = setUp(5_000)
  for (let at = 0; at < 24; at += 1) await assert.rejects(read(), { code: 'document_unreadable' })
  await assert.rejects(read(), { code: 'rate_limited' })
  answer({ kind: 'read', document: READ })
  assert.equal((await read(newId(3))).content, 'The crane.')
  advance(HOUR_MS)
  assert.equal((await read()).content, 'The crane.')
})

test('an unreadable document pays processor time after five seconds, or counts for the ration', async () => {
  await assert.rejects(setUp(36_000).read(), { code: 'document_unreadable', owed: 500n })
  await assert.rejects(setUp(5_000).read(), { code: 'document_unreadable', owed: 0n })
  const { read } = setUp(36_000)
  for (let at = 0; at < 10; at += 1) await assert.rejects(read(), { owed: 500n })
})

test('documents that are charged make up for unreadable ones', async () => {
  const { read, answer } = setUp(5_000)
  for (let at = 0; at < 40; at += 1) {
    answer(FAULT)
    await assert.rejects(read(), { code: 'document_unreadable' })
    answer({ kind: 'read', document: READ })
    await read()
  }
})

test('one buyer without an account cannot exclude the others', async () => {
  const { read, answer, owner: house } = setUp(5_000)
  for (let at = 0; at < 40; at += 1)
    await assert.rejects(read(house, house), { code: 'document_unreadable' })
  answer({ kind: 'read', document: READ })
  assert.equal((await read(house, house)).content, 'The crane.')
})
