import { domainToASCII } from 'node:url'
import { AppError } from '../errors/app-error.ts'

export const LONGEST_EMAIL = 254
// What stands outside quotes and comments, in any script: mail to whatever else could reach another mailbox than it seems.
const LOCAL_PART = /^[^\s\p{C}@<>()[\]\\,;:"]+$/u
const DOMAIN = /^[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)*$/u

/**
 * The address as it is kept: without blanks around it, its domain in ASCII and small letters as mail servers have it, so that
 * one mailbox is one account however its address is typed. Null for what is none; whether mail arrives is another matter.
 */
export function emailAsKept(text: string): string | null {
  const [, local = '', domain = ''] = /^([^@]*)@([^@]*)$/.exec(text.trim()) ?? []
  if (!LOCAL_PART.test(local) || !DOMAIN.test(domain)) return null
  const email = `${local.normalize('NFC')}@${domainToASCII(domain)}`
  return email.endsWith('@') || email.length > LONGEST_EMAIL ? null : email
}

/** The same. Throws AppError invalid_params for what is no address. */
export function readEmail(text: string): string {
  const email = emailAsKept(text)
  if (email !== null) return email
  throw new AppError('invalid_params', 'This is not an e-mail address.', { param: 'email', fix: 'Send an address such as "jo@example.com".' })
}

/**
 * Whether whoever reads the mail of an address, or shows to have it, is its holder. The operator's account has one at
 * "localhost" until it is given a real one; whoever has a mailbox of that name on the mail server is somebody else.
 */
export function isMailbox(email: string): boolean {
  return !email.toLowerCase().endsWith('@localhost')
}

/**
 * Whether mail to one reaches the other. Letters of ASCII alone are alike in both cases: the database also takes others for
 * each other that are different mailboxes for mail ("İ" and "i").
 */
export function isSameMailbox(one: string, other: string): boolean {
  const [kept, otherKept] = [one, other].map((email) => emailAsKept(email)?.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()))
  return kept !== undefined && kept === otherKept
}
