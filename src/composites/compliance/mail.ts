/** Checks email addresses and the DNS records for a domain's mail. */
import { AppError } from '../../errors/app-error.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { isInternalName } from '../../lib/internal-names.ts'
import { isRoleName, parseDomain, parseMailAddress } from '../shared/mail-address.ts'
import { isDisposable, isWebmailDomain } from '../shared/mail-domains.ts'
import { findMailRoute, mailServers } from '../shared/mail-hosts.ts'
import type { DomainNames, RecordKind } from '../shared/public-names.ts'
import { readText, type Check, type CheckTools } from './check.ts'

const MAX_BULK = 50
const LONGEST_LIST = MAX_BULK * 320

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
  const address = parseMailAddress(email)
  if (address === null) return { email, valid: false, syntax_valid: false, reason: 'syntax' }
  const { domain, local } = address
  const { kind, servers } = await findMailRoute(names, domain)
  const hasMx = kind === 'mx'
  return {
    email,
    valid: kind !== 'none',
    syntax_valid: true,
    domain,
    mx_found: hasMx,
    mx_records: hasMx ? servers.map(({ exchange }) => exchange) : [],
    disposable: isDisposable(domain),
    role_account: isRoleName(local),
    free_provider: isWebmailDomain(domain),
    reason: kind === 'none' ? 'no_mail_server' : null,
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
    disposable_mail: isDisposable(domain),
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
