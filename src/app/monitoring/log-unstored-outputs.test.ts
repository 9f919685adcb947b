import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Output } from '../../catalog/vocabulary/file-field.ts'
import { AppError } from '../../errors/app-error.ts'
import { logUnstoredOutputs } from './log-unstored-outputs.ts'

const OUTPUT: Output = {
  owner: { accountId: 'a', mode: 'live', keyId: null, scope: 'account' },
  id: 'f',
  filename: 'film',
  mime: 'video/mp4',
  source: 'media/generate',
  content: 'https://vendor.example/film',
}

async function toldOf(fault: Error, signal = new AbortController().signal): Promise<unknown[]> {
  const lines: unknown[] = []
  const keep = logUnstoredOutputs(() => Promise.reject(fault), {
    error: (facts: unknown, words?: string) => void lines.push([facts, words]),
  })
  await assert.rejects(keep(OUTPUT, signal), fault)
  return lines
}

test('logs unstored outputs only when the gateway is at fault', async () => {
  for (const ours of [
    new AppError('overloaded', 'No room.', { cause: new Error('ENOSPC') }),
    new TypeError('a bug'),
  ]) {
    assert.deepEqual(await toldOf(ours), [
      [
        { err: ours, action: 'media/generate', mode: 'live' },
        'an output of a paid call could not be stored',
      ],
    ])
    assert.deepEqual(await toldOf(ours, AbortSignal.abort()), [])
  }
  for (const code of ['upstream_error', 'storage_quota_exceeded', 'file_too_large'] as const)
    assert.deepEqual(await toldOf(new AppError(code)), [])
})
