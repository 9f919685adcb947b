/** The rules for queries that the operator's search engine serves. */
import { AppError } from '../../errors/app-error.ts'

/** Engines reject or cut longer queries. */
export const MAX_QUERY_CHARS = 400
const OPERATORS = /(?:^|\s)(?:-\S+|(?:site|filetype|intitle|inurl|lang|before|after):\S*)/gi

/** Throws AppError invalid_params for a query that is too long or has no words to search for. */
export function requireSearchWords(query: string, param: string): void {
  const words = query.trim()
  if (words.length > MAX_QUERY_CHARS)
    throw new AppError(
      'invalid_params',
      `"${param}" has ${words.length} characters; search engines accept ${MAX_QUERY_CHARS}.`,
      { param, fix: 'Send a shorter query.' },
    )
  if (/[\p{L}\p{N}]/u.test(words.replace(OPERATORS, ' '))) return
  throw new AppError('invalid_params', `"${param}" has no words to search for.`, {
    param,
    fix: 'Add words to the operators.',
  })
}
