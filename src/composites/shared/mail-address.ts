import { isInternalName } from '../../lib/internal-names.ts'

/** An email address as mail servers receive it: the domain in lower case and Punycode. */
export type MailAddress = {
  readonly email: string
  readonly local: string
  readonly domain: string
}

/** RFC 5321, in bytes. */
const MAX_LOCAL_BYTES = 64
const MAX_ADDRESS_BYTES = 254
/** RFC 5321 without quoted names, and RFC 6531. */
const LOCAL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~\u{a1}-\u{d7ff}\u{f900}-\u{fffc}\u{10000}-\u{10ffff}-]+$/u

/** Null for text that is no email address. Rejects quoted names, which no provider gives out. */
export function parseMailAddress(text: string): MailAddress | null {
  const email = text.trim()
  const at = email.lastIndexOf('@')
  const local = email.slice(0, Math.max(0, at))
  const host = email.slice(at + 1)
  if (!LOCAL.test(local) || /^\.|\.$|\.\./.test(local)) return null
  if (Buffer.byteLength(local) > MAX_LOCAL_BYTES || /[/?#:\s@]/.test(host)) return null
  const domain = parseDomain(host)
  if (domain === null || !/\.[^.]{2,}$/.test(domain)) return null
  const address = `${local}@${domain}`
  return Buffer.byteLength(address) > MAX_ADDRESS_BYTES ? null : { email: address, local, domain }
}

/** Parses a domain or URL as typed. Null for any other text. */
export function parseDomain(text: string): string | null {
  const domain = text
    .replace(/^https?:\/\//i, '')
    .split(/[/?#:]/, 1)
    .join('')
    .replace(/\.$/, '')
    .toLowerCase()
  const ascii = URL.parse(`http://${domain}`)?.hostname ?? ''
  return !/^(?=.{4,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/.test(ascii) ||
    /^[\d.]+$/.test(ascii)
    ? null
    : ascii
}

/** Like `parseDomain`; null also for names of private networks. */
export function parsePublicDomain(text: string): string | null {
  const domain = parseDomain(text)
  return domain === null || isInternalName(domain) ? null : domain
}

/** The departments of shared mailboxes, by the name before the @; null for one of the whole company. */
const ROLES: ReadonlyMap<string, string | null> = new Map(
  (
    [
      [
        null,
        'contact contactus enquiries enquiry feedback hello hi info inquiries kontakt mail news newsletter noreply no-reply office post reception redaktion service team welcome',
      ],
      ['finance', 'accounting accounts billing buchhaltung finance invoice invoices rechnung'],
      ['hr', 'bewerbung career careers hr jobs karriere people recruiting recruitment talent'],
      ['it', 'abuse admin administrator hostmaster it noc postmaster root security webmaster'],
      ['legal', 'compliance datenschutz dpo gdpr legal privacy'],
      ['management', 'ceo management'],
      ['marketing', 'marketing media partners pr presse press'],
      ['operations', 'logistics operations'],
      ['sales', 'orders sales ventas vertrieb'],
      ['support', 'customerservice help helpdesk kundenservice support'],
    ] as const
  ).flatMap(([department, names]) => names.split(' ').map((name) => [name, department] as const)),
)

/** Whether the mailbox belongs to a role such as "info" instead of a person. */
export function isRoleName(local: string): boolean {
  return ROLES.has(local.toLowerCase())
}

/** The department of a role, such as "sales"; null if the name has none. */
export function departmentOf(local: string): string | null {
  return ROLES.get(local.toLowerCase()) ?? null
}
