/** Checks email addresses and the DNS records for a domain's mail. */
import { AppError } from '../../errors/app-error.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { isInternalName } from '../../lib/internal-names.ts'
import { readText, type Check, type CheckTools } from './check.ts'
import type { DomainNames, RecordKind } from './public-names.ts'

const DISPOSABLE = new Set(
  '10minutemail.com 33mail.com dispostable.com dropmail.me emailondeck.com fakeinbox.com getairmail.com getnada.com guerrillamail.com guerrillamail.info guerrillamail.net guerrillamailblock.com harakirimail.com inboxkitten.com mail-temp.com mail.tm mailcatch.com maildrop.cc mailinator.com mailnesia.com mailsac.com mintemail.com mohmal.com moakt.com mytemp.email nada.email sharklasers.com spam4.me spamgourmet.com temp-mail.org tempail.com tempmail.com tempmailo.com tempr.email throwawaymail.com tmpmail.net trash-mail.com trashmail.com yopmail.com'.split(
    ' ',
  ),
)
const FREE = new Set(
  'aol.com gmail.com gmx.de gmx.net googlemail.com hotmail.com icloud.com live.com mail.com mail.ru me.com msn.com outlook.com proton.me protonmail.com qq.com web.de yahoo.com yandex.ru zoho.com 163.com'.split(
    ' ',
  ),
)
const ROLES = new Set(
  'abuse admin administrator billing contact help hello hostmaster hr info jobs marketing noreply no-reply office postmaster press privacy root sales security support team webmaster'.split(
    ' ',
  ),
)
const MAX_BULK = 50
const LONGEST_LIST = MAX_BULK * 320

type MailServer = { readonly exchange: string; readonly priority: number }

/** Parses a domain or URL as typed. Null for any other text. */
function parseDomain(text: string): string | null {
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

/** The domain in the first parameter that is set. Throws AppError invalid_params. */
export function requireDomain(parameters: Data, names: readonly string[] = ['domain']): string {
  const text = names.map((name) => readText(parameters, name)).find((value) => value !== '') ?? ''
  const domain = parseDomain(text)
  if (domain === null)
    throw new AppError('invalid_params', `"${text.slice(0, 100)}" is not a domain.`, {
      param: 'domain',
      fix: 'Send a domain such as "example.com".',
    })
  if (isInternalName(domain))
    throw new AppError('invalid_params', `"${domain}" belongs to a private network.`, {
      param: 'domain',
      fix: 'Send a public domain such as "example.com".',
    })
  return domain
}

async function mailServers(names: DomainNames, domain: string): Promise<MailServer[]> {
  const servers = (await names.resolve(domain, 'MX')) as readonly MailServer[]
  // An empty name means that the domain accepts no email (RFC 7505).
  return servers
    .filter(({ exchange }) => exchange !== '' && exchange !== '.')
    .toSorted((one, other) => one.priority - other.priority)
}

async function textRecord(
  names: DomainNames,
  domain: string,
  start: RegExp,
): Promise<string | null> {
  const records = (await names.resolve(domain, 'TXT')) as readonly (readonly string[])[]
  return records.map((parts) => parts.join('')).find((record) => start.test(record)) ?? null
}

export const lookUpMx: Check = async (parameters, { names }) => {
  const domain = requireDomain(parameters)
  const records = await mailServers(names, domain)
  return { domain, has_mx: records.length > 0, mx_records: records }
}

const KINDS: readonly RecordKind[] = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'CAA']

export const lookUpDns: Check = async (parameters, { names }) => {
  const domain = requireDomain(parameters)
  const { records, omitted } = await names.lookUp(domain, KINDS)
  const found = KINDS.map((kind) => [kind.toLowerCase(), records[kind] ?? []] as const)
  const note =
    omitted === 0
      ? {}
      : { omitted_records: omitted, note: 'Records of private networks are omitted.' }
  return {
    domain,
    resolves: found.some(([, list]) => list.length > 0),
    records: Object.fromEntries(found),
    ...note,
  }
}

async function validateAddress(text: string, { names }: CheckTools): Promise<Data> {
  const email = text.trim()
  const at = email.lastIndexOf('@')
  const local = email.slice(0, at)
  const isSyntactic =
    email.length <= 254 &&
    local.length <= 64 &&
    /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+$/.test(local) &&
    !/^\.|\.$|\.\./.test(local) &&
    /^[^\s@]+\.[^\s@]{2,}$/.test(email.slice(at + 1))
  const domain = isSyntactic ? parseDomain(email.slice(at + 1)) : null
  if (domain === null) return { email, valid: false, syntax_valid: false, reason: 'syntax' }
  const servers = await mailServers(names, domain)
  const addresses = servers.length > 0 ? [] : await names.resolve(domain, 'A')
  const acceptsMail = servers.length > 0 || addresses.length > 0
  return {
    email,
    valid: acceptsMail,
    syntax_valid: true,
    domain,
    mx_found: servers.length > 0,
    mx_records: servers.map(({ exchange }) => exchange),
    disposable: DISPOSABLE.has(domain),
    role_account: ROLES.has(local.toLowerCase()),
    free_provider: FREE.has(domain),
    reason: acceptsMail ? null : 'no_mail_server',
  }
}

export const validateEmail: Check = (parameters, tools) =>
  validateAddress(readText(parameters, 'email'), tools)

export function requireAddresses(parameters: Data): string[] {
  const listed = parameters['emails'] ?? parameters['email_addresses']
  const texts = Array.isArray(listed)
    ? listed.map(String)
    : readText(parameters, 'text', LONGEST_LIST).split(/[\s,;]+/)
  const emails = [...new Set(texts.filter((text) => text !== ''))]
  if (emails.length === 0 || emails.length > MAX_BULK)
    throw new AppError('invalid_params', `This check accepts 1 to ${MAX_BULK} addresses.`, {
      param: 'emails',
    })
  return emails
}

export const validateEmails: Check = async (parameters, tools) => {
  const results = await Promise.all(
    requireAddresses(parameters).map((email) => validateAddress(email, tools)),
  )
  return {
    total: results.length,
    valid_count: results.filter(({ valid }) => valid === true).length,
    results,
  }
}

async function mailPolicy(names: DomainNames, domain: string) {
  const [spf, dmarc] = await Promise.all([
    textRecord(names, domain, /^v=spf1(\s|$)/i),
    textRecord(names, `_dmarc.${domain}`, /^v=DMARC1\s*(;|$)/i),
  ])
  return {
    spf,
    dmarc,
    policy:
      dmarc === null
        ? null
        : (/;\s*p\s*=\s*(none|quarantine|reject)/i.exec(dmarc)?.[1]?.toLowerCase() ?? null),
  }
}

export function requireMailDomain({ email, ...parameters }: Data): string {
  return requireDomain(
    { ...parameters, email: typeof email === 'string' ? email.replace(/^.*@/, '') : '' },
    ['domain', 'email'],
  )
}

export const checkMailAuthentication: Check = async (parameters, { names }) => {
  const domain = requireMailDomain(parameters)
  const selector = readText(parameters, 'dkim_selector')
  const { spf, dmarc, policy } = await mailPolicy(names, domain)
  const dkim =
    selector === ''
      ? null
      : await textRecord(names, `${selector}._domainkey.${domain}`, /(^|;)\s*p=/i)
  return {
    domain,
    spf: { found: spf !== null, record: spf },
    dmarc: { found: dmarc !== null, record: dmarc, policy },
    dkim: { checked: selector !== '', found: dkim !== null, record: dkim },
  }
}

export const checkDeliverability: Check = async (parameters, { names }) => {
  const domain = requireDomain(parameters)
  const [servers, { spf, dmarc, policy }] = await Promise.all([
    mailServers(names, domain),
    mailPolicy(names, domain),
  ])
  const score =
    (servers.length > 0 ? 50 : 0) +
    (spf === null ? 0 : 25) +
    (dmarc === null ? 0 : policy === 'none' ? 15 : 25)
  return {
    domain,
    deliverable: servers.length > 0,
    score,
    mx_records: servers,
    spf: spf !== null,
    dmarc: dmarc !== null,
    dmarc_policy: policy,
  }
}

/** Rates a domain by its DNS records only. Uses no blocklist. */
export const rateDomain: Check = async (parameters, { names }) => {
  const domain = requireDomain(parameters)
  const [addresses, sixes, nameServers, servers, authorities, { spf, dmarc, policy }] =
    await Promise.all([
      names.resolve(domain, 'A'),
      names.resolve(domain, 'AAAA'),
      names.resolve(domain, 'NS'),
      mailServers(names, domain),
      names.resolve(domain, 'CAA'),
      mailPolicy(names, domain),
    ])
  const signals = {
    resolves: addresses.length + sixes.length > 0,
    several_name_servers: nameServers.length > 1,
    takes_mail: servers.length > 0,
    spf: spf !== null,
    dmarc: dmarc !== null,
    dmarc_enforced: policy === 'quarantine' || policy === 'reject',
    caa: authorities.length > 0,
    disposable_mail: DISPOSABLE.has(domain),
  }
  const weights: Readonly<Record<string, number>> = {
    resolves: 30,
    several_name_servers: 15,
    takes_mail: 15,
    spf: 10,
    dmarc: 10,
    dmarc_enforced: 15,
    caa: 5,
  }
  const score = signals.disposable_mail
    ? 0
    : Object.entries(weights).reduce(
        (sum, [name, weight]) => sum + (signals[name as keyof typeof signals] ? weight : 0),
        0,
      )
  return {
    domain,
    score,
    rating: score >= 75 ? 'good' : score >= 40 ? 'fair' : 'poor',
    signals,
    basis: 'dns',
  }
}
