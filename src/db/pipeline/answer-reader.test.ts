import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AnswerReader } from './answer-reader.ts'

const message = (letter: string, ...parts: (Buffer | string)[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
  const head = Buffer.alloc(5)
  head.write(letter)
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255])
const column = (value: string | null): Buffer => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(value === null ? -1 : Buffer.byteLength(value))
  return Buffer.concat([length, Buffer.from(value ?? '')])
}

const ANSWERS = Buffer.concat([
  message('1'),
  message('2'),
  message('D', int16(3), column('k'), column(null), column('{1,2} ü')),
  message('C', 'SELECT 1\0'),
  message('Z', 'I'),
  message('N', 'SWARNING\0Mloud\0\0'),
  message('E', 'SERROR\0C23514\0Mrefused\0nnot_many\0\0'),
  message('Z', 'I'),
])

function readIn(chunks: readonly Buffer[]): unknown[] {
  const told: unknown[] = []
  const reader = new AnswerReader({
    parsed: () => told.push('parsed'),
    row: (columns) => told.push(columns),
    failed: ({ code, message: text, constraint }) => told.push([code, text, constraint]),
    over: () => told.push('over'),
  })
  for (const chunk of chunks) reader.push(chunk)
  return told
}

const TOLD = ['parsed', ['k', null, '{1,2} ü'], 'over', ['23514', 'refused', 'not_many'], 'over']

test('reads a result that is split at any byte', () => {
  for (let at = 0; at <= ANSWERS.length; at += 1)
    assert.deepEqual(readIn([ANSWERS.subarray(0, at), ANSWERS.subarray(at)]), TOLD)
})

test('reads a result that arrives byte by byte', () => {
  assert.deepEqual(readIn(Array.from(ANSWERS, (_, at) => ANSWERS.subarray(at, at + 1))), TOLD)
})
