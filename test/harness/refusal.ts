import assert from 'node:assert/strict'
import { AppError } from '../../src/errors/app-error.ts'
import type { ErrorCode } from '../../src/errors/catalog.ts'

/** The error with which the work is refused; fails when it is not, or with another code. */
export async function refusal(work: Promise<unknown>, code: ErrorCode): Promise<AppError> {
  const error = await work.then(
    () => assert.fail(`expected ${code}`),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof AppError, String(error))
  assert.equal(error.code, code)
  return error
}

/** For assert.rejects and assert.throws: an error of ours with this code, about this parameter if one is named. */
export function refusedWith(code: ErrorCode, param?: string): (error: unknown) => boolean {
  return (error) =>
    error instanceof AppError &&
    error.code === code &&
    (param === undefined || error.param === param)
}
