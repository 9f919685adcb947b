import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Output } from '../../catalog/kept-field.ts'
import { AppError } from '../../errors/app-error.ts'
import { tellUnkept } from './tell-unkept.ts'

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
  const keep = tellUnkept(() => Promise.reject(fault), {
    error: (facts: unknown, words?: string) => void lines.push([facts, words]),
  })
  await assert.rejects(keep(OUTPUT, signal), fault)
  return lines
}

test('an output that this gateway has no room for is told to the operator; one that the vendor or the quota of its caller is at fault for, or that came too late, is not', async () => {
  for (const ours of [
    new AppError('overloaded', 'No room.', { cause: new Error('ENOSPC') }),
    new TypeError('a bug'),
  ]) {
    assert.deepEqual(await toldOf(ours), [
      [
        { err: ours, action: 'media/generate', mode: 'live' },
        'an output of a paid call could not be kept',
      ],
    ])
    assert.deepEqual(await toldOf(ours, AbortSignal.abort()), [])
  }
  for (const code of ['upstream_error', 'storage_quota_exceeded', 'file_too_large'] as const)
    assert.deepEqual(await toldOf(new AppError(code)), [])
})
