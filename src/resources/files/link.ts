import { createHmac, timingSafeEqual } from 'node:crypto'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { parsePublicId, publicId, type Id } from '../../lib/ids.ts'
import type { Mode } from '../../lib/mode.ts'

export type LinkVerb = 'get' | 'put'
export type LinkFacts = {
  readonly id: Id
  readonly sizeBytes: number
  readonly mode: Mode
  readonly expiresMs: number
}

/** Makes and checks the links of files. Who has a link needs no key: it is good for one file, one verb and about an hour. */
export type Links = {
  urlFor(verb: LinkVerb, facts: LinkFacts): string
  /** Throws AppError link_invalid when any part of the link is not as it was made, or its time is over. */
  check(verb: LinkVerb, fileId: string, query: unknown): LinkFacts
}

const QUERY_FIELDS = ['expires', 'size', 'mode', 'signature'] as const
type LinkQuery = Readonly<Record<(typeof QUERY_FIELDS)[number], string>>

export function createLinks({
  secret,
  publicUrl,
  now,
}: {
  readonly secret: Buffer
  readonly publicUrl: string
  readonly now: Clock
}): Links {
  const sign = (
    verb: LinkVerb,
    fileId: string,
    expires: string,
    size: string,
    mode: string,
  ): string =>
    createHmac('sha256', secret)
      .update(['file-link-1', verb, fileId, expires, size, mode].join('\n'))
      .digest('base64url')

  return {
    urlFor(verb, { id, sizeBytes, mode, expiresMs }) {
      const fileId = publicId('file', id)
      const [expires, size] = [String(Math.floor(expiresMs / 1000)), String(sizeBytes)]
      return `${publicUrl}/files/${fileId}?expires=${expires}&size=${size}&mode=${mode}&signature=${sign(verb, fileId, expires, size, mode)}`
    },
    check(verb, fileId, query) {
      const id = parsePublicId('file', fileId)
      if (id === null || !isLinkQuery(query)) throw invalid(verb, 'This file link is not whole.')
      const { expires, size, mode, signature } = query
      if (!isSame(signature, sign(verb, fileId, expires, size, mode)))
        throw invalid(verb, 'This file link was changed, or is not for this request.')
      // What is signed was made here, so its numbers and its mode are well-formed.
      const expiresMs = Number(expires) * 1000
      if (now() >= expiresMs) throw invalid(verb, 'The time of this file link is over.')
      return { id, sizeBytes: Number(size), mode: mode as Mode, expiresMs }
    },
  }
}

/** A slot is no file yet: no other action makes a link to it again. */
function invalid(verb: LinkVerb, message: string): AppError {
  return new AppError(
    'link_invalid',
    message,
    verb === 'put'
      ? {
          fix: 'Send PUT to put_url exactly as it was given. When its hour is over, make a new slot with files/upload.',
        }
      : {},
  )
}

/** Exactly the fields of a link, each once: nothing may stand beside what is signed. */
function isLinkQuery(query: unknown): query is LinkQuery {
  const fields = Object.entries(query as Record<string, unknown>)
  return (
    fields.length === QUERY_FIELDS.length &&
    QUERY_FIELDS.every((name) =>
      fields.some(([field, value]) => field === name && typeof value === 'string'),
    )
  )
}

// As text, because several base64 texts stand for the same bytes.
function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}
