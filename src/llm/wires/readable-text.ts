/** Reads the words of items and blocks that chat completions do not have. */
import { isFields, type Fields } from '../../lib/json-fields.ts'

/** The fields with words, in the order of reading. Encrypted and binary content has other names. */
const WORDS = [
  'title',
  'url',
  'query',
  'queries',
  'text',
  'code',
  'content',
  'stdout',
  'stderr',
  'logs',
  'action',
  'output',
  'outputs',
  'results',
  'summary',
  'error',
  'message',
]

/** The words of a value, line by line; empty without any. */
export function readableText(value: unknown): string {
  return textsOf(value)
    .filter((text) => text.trim() !== '')
    .join('\n')
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  return isFields(value) ? wordsOf(value) : []
}

function wordsOf(fields: Fields): string[] {
  if (fields['type'] === 'tool_reference')
    return [`The tool "${String(fields['tool_name'])}" is available.`]
  return WORDS.flatMap((name) => textsOf(fields[name]))
}
