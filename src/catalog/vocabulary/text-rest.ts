/** The rest of a text that an answer contains in part: the gateway stores the whole text as a file. */
import type { FileField } from './file-field.ts'
import { address, count, maybe, record, text, time } from './returns.ts'

/** In the answer of a handler. The gateway replaces `content` by the link and the id of the file. */
export type TextRest = {
  readonly content: string
  readonly total_chars: number
  /** The byte of the file at which the rest begins. */
  readonly offset: number
}

/** `shown` is the beginning of `whole`. Undefined if nothing was cut. */
export function restOf(whole: string, shown: string): TextRest | undefined {
  if (shown.length >= whole.length) return undefined
  return {
    content: `data:text/plain;base64,${Buffer.from(whole).toString('base64')}`,
    total_chars: whole.length,
    offset: Buffer.byteLength(shown),
  }
}

/** `field` contains a `TextRest`, such as "rows[].rest". */
export function restField(field: string): FileField {
  return { field: `${field}.content`, filename: 'text', mime: 'text/plain', isTemporary: true }
}

/** The files that an answer lists as `kept_files`. */
export function keptFields(fields: readonly FileField[]): readonly FileField[] {
  return fields.filter(({ isTemporary }) => isTemporary !== true)
}

/** The description of a stored `TextRest`. */
export const restReturns = maybe(
  record('The file with the whole text, if `max_chars` cut it.', {
    total_chars: count('The length of the whole text.', 'characters'),
    offset: count('Where the rest begins in the file.', 'bytes'),
    file_id: maybe(text('The file, which is deleted with its link. Null if it was not stored.')),
    size: maybe(count('The size of the file.', 'bytes')),
    get_url: maybe(address('The link to the file.')),
    expires_at: maybe(time('When link and file expire.')),
    error: maybe(
      record('Why the file was not stored.', {
        code: text('The error code.'),
        message: text('The reason.'),
      }),
    ),
  }),
)
