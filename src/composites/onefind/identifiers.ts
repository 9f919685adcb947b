/** Recognises email addresses, LinkedIn URLs and phone numbers in the forms that callers paste. */
import { isWebmailDomain } from '../shared/mail-domains.ts'

export type Identifier =
  | { readonly kind: 'email'; readonly value: string }
  /** `profile` is the canonical URL of a person's profile. Null for companies, posts and short links. */
  | { readonly kind: 'linkedin'; readonly value: string; readonly profile: string | null }
  | { readonly kind: 'phone'; readonly value: string }

/** Parses a text that consists of one identifier, apart from labels and brackets. Null for any other text. */
export function parseIdentifier(text: string): Identifier | null {
  const bare = stripDecoration(text)
  return parseEmail(bare) ?? parseLinkedin(bare) ?? parsePhone(bare)
}

const BETWEEN = /[,;|\n]|\s+(?:and|or|&)\s+/i

/** Parses a text that consists of one or several identifiers. Empty for any other text. */
export function parseIdentifiers(text: string): readonly Identifier[] {
  const one = parseIdentifier(text)
  if (one !== null) return [one]
  // A phone number contains spaces, so a part is split at spaces only if it is not an identifier.
  const parts = text
    .split(BETWEEN)
    .filter((part) => part.trim() !== '')
    .flatMap((part) => (parseIdentifier(part) === null ? part.trim().split(/\s+/) : [part]))
  const found = parts.map(parseIdentifier)
  return found.every((identifier) => identifier !== null) ? found : []
}

/** The canonical URL of a LinkedIn profile. Null for any other text. */
export function toProfileUrl(text: string): string | null {
  const found = parseLinkedin(text.trim())
  return found?.kind === 'linkedin' ? found.profile : null
}

const LABEL =
  /^(?:e-?mails?(?: address(?:es)?)?|mail|mailto|linkedin(?: profiles?| urls?)?|profiles?|phones?(?: numbers?)?|tel(?:ephone)?|mobile|cell|call|find|who is|look ?up|contact)(?:\s*:\s*|\s+)/i

function stripDecoration(text: string): string {
  // Single spaces keep the patterns below linear: they would try every division of a run of spaces.
  let bare = text.normalize('NFKC').replaceAll(/\s+/g, ' ').trim()
  // "Ana X <ana@acme.test>"
  bare = /<([^<>\s]+@[^<>\s]+)>$/.exec(bare)?.[1] ?? bare
  for (let before = ''; before !== bare;) {
    before = bare
    bare = bare.replace(/^["'“”‘’`<([{\s]+/u, '').replace(/["'“”‘’`>)\]}\s.,;:!?]+$/u, '')
    bare = bare.replace(LABEL, '')
  }
  return bare
}

const EMAIL =
  /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u

function parseEmail(text: string): Identifier | null {
  return EMAIL.test(text) ? { kind: 'email', value: text.toLowerCase() } : null
}

const LINKEDIN =
  /^(?:https?:)?(?:\/\/)?(?:[a-z0-9-]+\.)*(?:linkedin\.(?:com|cn)|lnkd\.in)(?:[/?#:]\S*)?$/i
const PROFILE = /linkedin\.com\/(in|pub)\/([^/?#\s]+)((?:\/[^?#\s]*)?)/i
/** Old profile URLs have three further path segments. */
const OLD_PROFILE_PARTS = /^\/[0-9a-z]+\/[0-9a-z]+\/[0-9a-z]+/i

function parseLinkedin(text: string): Identifier | null {
  if (!LINKEDIN.test(text)) return null
  const [, kind = '', name = '', rest = ''] = PROFILE.exec(text) ?? []
  const old = kind.toLowerCase() === 'pub' ? (OLD_PROFILE_PARTS.exec(rest)?.[0] ?? '') : ''
  const profile =
    name === ''
      ? null
      : `https://www.linkedin.com/${kind.toLowerCase()}/${name.toLowerCase()}${old.toLowerCase()}`
  return { kind: 'linkedin', value: text, profile }
}

const EXTENSION = /(?:\s*[,;]?\s*(?:ext(?:ension)?\.?|x|#)\s*\d{1,6})$/i
const MIN_DIGITS = 7
const MAX_DIGITS = 17

function parsePhone(text: string): Identifier | null {
  const number = text.replace(EXTENSION, '')
  return isPhoneNumber(number) ? { kind: 'phone', value: text } : null
}

/** Whether a text has only digits and the separators of phone numbers. */
function isPhoneNumber(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').length
  return (
    digits >= MIN_DIGITS &&
    digits <= MAX_DIGITS &&
    /^[+(\d][\d\s().+/\-‐‑‒–—·]*$/u.test(text.trim())
  )
}

/** Whether the address is a private mailbox. */
export function isWebmail(email: string): boolean {
  return isWebmailDomain(domainOf(email))
}

export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}
