import { AppError } from '../errors/app-error.ts'
import type { Id } from './ids.ts'

/** The end of a page of a list, for the caller to send back. The content is opaque. */
export function encodeCursor(lastSeen: Id): string {
  return Buffer.from(lastSeen, 'hex').toString('base64url')
}

/** Throws AppError invalid_params for anything that `encodeCursor` did not return. */
export function decodeCursor(cursor: string): Id {
  const id = /^[\w-]{22}$/.test(cursor) ? Buffer.from(cursor, 'base64url').toString('hex') : ''
  if (id.length === 32 && encodeCursor(id) === cursor) return id
  throw new AppError('invalid_params', '"cursor" is not a cursor of this list.', {
    param: 'cursor',
    fix: 'Send next_cursor of the previous page, or omit it for the first page.',
  })
}
