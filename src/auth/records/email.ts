import { domainToASCII } from 'node:url'
import { AppError } from '../../errors/app-error.ts'

export const LONGEST_EMAIL = 254
// Only characters that need no quotes or comments. Others could reach another mailbox than it
// seems.
const LOCAL_PART = /^[^\s\p{C}@<>()[\]\\,;:"]+$/u
const DOMAIN = /^[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)*$/u

/**
 * The stored form of an address: without surrounding blanks, and its domain in lowercase ASCII, so
 * that one mailbox is one account in any spelling. Null for an invalid address.
 */
export function normalizeEmail(text: string): string | null {
  const [, local = '', domain = ''] = /^([^@]*)@([^@]*)$/.exec(text.trim()) ?? []
  if (!LOCAL_PART.test(local) || !DOMAIN.test(domain)) return null
  const email = `${local.normalize('NFC')}@${domainToASCII(domain)}`
  return email.endsWith('@') || email.length > LONGEST_EMAIL ? null : email
}

/** As normalizeEmail. Throws AppError invalid_params for an invalid address. */
export function readEmail(text: string): string {
  const email = normalizeEmail(text)
  if (email !== null) return email
  throw new AppError('invalid_params', 'This is not an email address.', {
    param: 'email',
    fix: 'Send an address such as "jo@example.com".',
  })
}

// IANA's special-use domain names (RFC 6761, 6762, 7686, 8375, 9476) and "internal", which ICANN
// reserves for private use. Domains such as "example.com" are allowed: they are registered, and
// documentation uses them.
const SPECIAL_USE = new Set([
  'alt',
  'arpa',
  'example',
  'internal',
  'invalid',
  'local',
  'localhost',
  'onion',
  'test',
])

/**
 * Whether email reaches the address over the public internet, so that access to the mailbox, or a
 * provider's verification, proves an identity. Special-use domains have no owner, so any person
 * could claim an address in one. The owner account has one ("owner@localhost") and signs in by the
 * operator's links.
 */
export function isMailbox(email: string): boolean {
  const labels = email.toLowerCase().split('@').at(-1)?.split('.') ?? []
  return labels.length > 1 && !SPECIAL_USE.has(labels.at(-1) ?? '')
}

/** As readEmail. Also throws AppError invalid_params for a special-use domain. */
export function readMailbox(text: string): string {
  const email = readEmail(text)
  if (isMailbox(email)) return email
  throw new AppError(
    'invalid_params',
    `Email cannot reach ${email}: its domain is reserved for special use.`,
    { param: 'email', fix: 'Send an address on the public internet.' },
  )
}

/**
 * Whether two addresses are one mailbox. Only ASCII letters are equal in both cases. The database
 * also equates letters of different mailboxes, such as "İ" and "i".
 */
export function isSameMailbox(one: string, other: string): boolean {
  const [normalized, otherNormalized] = [one, other].map((email) =>
    normalizeEmail(email)?.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()),
  )
  return normalized !== undefined && normalized === otherNormalized
}
