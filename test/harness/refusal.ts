import assert from 'node:assert/strict'
import { AppError } from '../../src/errors/app-error.ts'
import type { ErrorCode } from '../../src/errors/catalog.ts'

/** The error with which the work is refused; fails when it is not, or with another code. */
export async function refusal(work: Promise<unknown>, code: ErrorCode): Promise<AppError> {
  const error = await work.then(() => assert.fail(`expected ${code}`), (reason: unknown) => reason)
  assert.ok(error instanceof AppError, String(error))
  assert.equal(error.code, code)
  return error
}
