import { createHmac, timingSafeEqual } from 'node:crypto'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { parsePublicId, publicId, type Id } from '../../lib/ids.ts'
import type { Mode } from '../../lib/mode.ts'

export type LinkVerb = 'get' | 'put'
export type LinkFacts = {
  readonly id: Id
  /** Null for an upload whose size its sender declares. */
  readonly sizeBytes: number | null
  readonly mode: Mode
  readonly expiresMs: number
}

/**
 * Creates and verifies file links. A link needs no key and is valid for one file, one verb and
 * about an hour.
 */
export type Links = {
  urlFor(verb: LinkVerb, facts: LinkFacts): string
  /** Throws AppError `link_invalid` if the link was changed or has expired. */
  check(verb: LinkVerb, fileId: string, query: unknown): LinkFacts
  /** The public id of the file that a link of this gateway names; null for any other address. Verifies nothing. */
  fileIdIn(address: string): string | null
}

const ANY_SIZE = 'any'
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
      const [expires, size] = [String(Math.floor(expiresMs / 1000)), String(sizeBytes ?? ANY_SIZE)]
      return `${publicUrl}/files/${fileId}?expires=${expires}&size=${size}&mode=${mode}&signature=${sign(verb, fileId, expires, size, mode)}`
    },
    check(verb, fileId, query) {
      const id = parsePublicId('file', fileId)
      if (id === null || !isLinkQuery(query)) throw invalid(verb, 'This file link is incomplete.')
      const { expires, size, mode, signature } = query
      if (!isSame(signature, sign(verb, fileId, expires, size, mode)))
        throw invalid(verb, 'This file link was changed, or is for another request.')
      // The signature proves that the gateway wrote these values, so they are well-formed.
      const expiresMs = Number(expires) * 1000
      if (now() >= expiresMs) throw invalid(verb, 'This file link has expired.')
      const sizeBytes = size === ANY_SIZE ? null : Number(size)
      return { id, sizeBytes, mode: mode as Mode, expiresMs }
    },
    fileIdIn(address) {
      const { origin, pathname } = URL.parse(address) ?? {}
      const root = URL.parse(`${publicUrl}/files/`)
      if (origin !== root?.origin || pathname?.startsWith(root?.pathname ?? '') !== true)
        return null
      return pathname.slice(root?.pathname.length)
    },
  }
}

/** An open upload is not a file, so no other action returns a new link to it. */
function invalid(verb: LinkVerb, message: string): AppError {
  return new AppError(
    'link_invalid',
    message,
    verb === 'put'
      ? {
          fix: 'Send PUT to put_url unchanged. If it has expired, create a new upload with files/upload.',
        }
      : {},
  )
}

/** Accepts exactly the fields of a link, each once: unsigned fields are rejected. */
function isLinkQuery(query: unknown): query is LinkQuery {
  const fields = Object.entries(query as Record<string, unknown>)
  return (
    fields.length === QUERY_FIELDS.length &&
    QUERY_FIELDS.every((name) =>
      fields.some(([field, value]) => field === name && typeof value === 'string'),
    )
  )
}

// Compared as text, because several base64 texts decode to the same bytes.
function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}
