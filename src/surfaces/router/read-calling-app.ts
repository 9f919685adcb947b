import type { IncomingHttpHeaders } from 'node:http'
import type { CallRequest } from '../../calls/call.ts'
import { toLine } from '../../lib/escapes.ts'

// Longer than any address or name that a client sends.
const LONGEST_REFERER = 500
const LONGEST_TITLE = 100

/**
 * The app that a client names in the headers of OpenRouter: `HTTP-Referer`, and `X-OpenRouter-Title`
 * or the older `X-Title`. Both are cut to their longest length. Undefined if a request names none.
 */
export function readCallingApp(headers: IncomingHttpHeaders): CallRequest['app'] {
  const httpReferer = readText(headers['http-referer'], LONGEST_REFERER)
  const title =
    readText(headers['x-openrouter-title'], LONGEST_TITLE) ??
    readText(headers['x-title'], LONGEST_TITLE)
  return httpReferer === null && title === null ? undefined : { httpReferer, title }
}

/** Whether the client is Codex: its terminal, editor, desktop or background programs. */
export function isCodex({ 'user-agent': agent = '', originator }: IncomingHttpHeaders): boolean {
  return [agent, String(originator ?? '')].some((name) => /^codex/i.test(name))
}

function readText(value: string | string[] | undefined, most: number): string | null {
  const first = Array.isArray(value) ? value[0] : value
  if (first === undefined) return null
  const text = toLine(decode(first)).trim()
  // By code points: half a surrogate pair is no valid text.
  return text === '' ? null : Array.from(text).slice(0, most).join('').trim()
}

/** Node.js decodes headers as Latin-1. Most clients send other characters as UTF-8. */
function decode(value: string): string {
  const text = Buffer.from(value, 'latin1').toString()
  return text.includes('\ufffd') ? value : text
}
