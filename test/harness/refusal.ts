import assert from 'node:assert/strict'
import { AppError } from '../../src/errors/app-error.ts'
import type { ErrorCode } from '../../src/errors/catalog.ts'

/** Returns the error that `work` is rejected with. Fails the test when it succeeds or the code differs. */
export async function refusal(work: Promise<unknown>, code: ErrorCode): Promise<AppError> {
  const error = await work.then(
    () => assert.fail(`expected ${code}`),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof AppError, String(error))
  assert.equal(error.code, code)
  return error
}

/** For assert.rejects and assert.throws: an AppError with this code, and with this parameter if given. */
export function refusedWith(code: ErrorCode, param?: string): (error: unknown) => boolean {
  return (error) =>
    error instanceof AppError &&
    error.code === code &&
    (param === undefined || error.param === param)
}
