import { AppError } from '../errors/app-error.ts'
import type { Id } from './ids.ts'

/** Where a page of a list ended, for the caller to hand back. What is inside is our own business. */
export function encodeCursor(lastSeen: Id): string {
  return Buffer.from(lastSeen, 'hex').toString('base64url')
}

/** Throws AppError invalid_params for anything that `encodeCursor` did not make. */
export function decodeCursor(cursor: string): Id {
  const id = /^[\w-]{22}$/.test(cursor) ? Buffer.from(cursor, 'base64url').toString('hex') : ''
  if (id.length === 32 && encodeCursor(id) === cursor) return id
  throw new AppError('invalid_params', '"cursor" is not one that this list handed out.', {
    param: 'cursor',
    fix: 'Send next_cursor of the page before, or leave it out for the first page.',
  })
}
