import { domainToASCII } from 'node:url'
import { AppError } from '../../errors/app-error.ts'

export const LONGEST_EMAIL = 254
// What stands outside quotes and comments, in any script: mail to whatever else could reach another mailbox than it seems.
const LOCAL_PART = /^[^\s\p{C}@<>()[\]\\,;:"]+$/u
const DOMAIN = /^[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)*$/u

/**
 * The address as it is kept: without blanks around it, its domain in ASCII and small letters as mail servers have it, so that
 * one mailbox is one account however its address is typed. Null for what is none; whether mail arrives is another matter.
 */
export function normalizeEmail(text: string): string | null {
  const [, local = '', domain = ''] = /^([^@]*)@([^@]*)$/.exec(text.trim()) ?? []
  if (!LOCAL_PART.test(local) || !DOMAIN.test(domain)) return null
  const email = `${local.normalize('NFC')}@${domainToASCII(domain)}`
  return email.endsWith('@') || email.length > LONGEST_EMAIL ? null : email
}

/** The same. Throws AppError invalid_params for what is no address. */
export function readEmail(text: string): string {
  const email = normalizeEmail(text)
  if (email !== null) return email
  throw new AppError('invalid_params', 'This is not an e-mail address.', {
    param: 'email',
    fix: 'Send an address such as "jo@example.com".',
  })
}

// IANA's special-use domain names (RFC 6761, 6762, 7686, 8375, 9476) and "internal", which ICANN reserves for private use.
// "example.com" and its kin stay: they are registered, and documents and trials use them.
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
 * Whether the mail of an address reaches its holder over the public internet, so that reading that mail, or a provider's word
 * for it, proves who somebody is. A special-use domain belongs to nobody: anyone may claim an address in it. The owner account
 * has one ("owner@localhost"), and signs in by links that the operator makes.
 */
export function isMailbox(email: string): boolean {
  const labels = email.toLowerCase().split('@').at(-1)?.split('.') ?? []
  return labels.length > 1 && !SPECIAL_USE.has(labels.at(-1) ?? '')
}

/** The address as it is stored, of a person whom mail reaches. Throws AppError invalid_params for a special-use domain and for what is no address. */
export function readMailbox(text: string): string {
  const email = readEmail(text)
  if (isMailbox(email)) return email
  throw new AppError(
    'invalid_params',
    `No mail reaches ${email}: its domain is reserved for special use.`,
    { param: 'email', fix: 'Send an address on the public internet.' },
  )
}

/**
 * Whether mail to one reaches the other. Letters of ASCII alone are alike in both cases: the database also takes others for
 * each other that are different mailboxes for mail ("İ" and "i").
 */
export function isSameMailbox(one: string, other: string): boolean {
  const [kept, otherKept] = [one, other].map((email) =>
    normalizeEmail(email)?.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()),
  )
  return kept !== undefined && kept === otherKept
}
