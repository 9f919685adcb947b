/** An address report in the shapes of the three vendors. */
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { isWebmailDomain } from '../shared/mail-domains.ts'
import type { AddressReport, Finding } from './check-address.ts'

type Verdict = {
  readonly contactfind: 'valid' | 'invalid' | 'accept_all' | 'disposable' | 'unknown'
  readonly result: 'deliverable' | 'undeliverable' | 'risky'
  readonly state: 'FOUND' | 'NOT_FOUND' | 'BAD_INPUT' | 'ABORTED'
  readonly certainty: 'ultra_sure' | 'probable' | null
}

const VALID: Verdict = {
  contactfind: 'valid',
  result: 'deliverable',
  state: 'FOUND',
  certainty: 'ultra_sure',
}
const INVALID: Verdict = {
  contactfind: 'invalid',
  result: 'undeliverable',
  state: 'NOT_FOUND',
  certainty: null,
}
const UNKNOWN: Verdict = {
  contactfind: 'unknown',
  result: 'risky',
  state: 'NOT_FOUND',
  certainty: null,
}
/** NOT_FOUND would be a verdict about the address. */
const NOT_MADE: Verdict = { ...UNKNOWN, state: 'ABORTED' }
const VERDICTS: Readonly<Record<Finding, Verdict>> = {
  accepted: VALID,
  accepts_all: {
    contactfind: 'accept_all',
    result: 'risky',
    state: 'FOUND',
    certainty: 'probable',
  },
  disposable: {
    contactfind: 'disposable',
    result: 'risky',
    state: 'FOUND',
    certainty: 'probable',
  },
  rejected: INVALID,
  no_mail_server: INVALID,
  bad_syntax: { ...INVALID, state: 'BAD_INPUT' },
  deferred: UNKNOWN,
  unclear: UNKNOWN,
  blocked: NOT_MADE,
  unreachable: NOT_MADE,
  not_probed: NOT_MADE,
}

/** Findings that decide nothing about the address, because the gateway could not ask. Not charged. */
export const UNCHECKED: Readonly<Partial<Record<Finding, string>>> = {
  blocked: 'The email server of the domain does not let this gateway check addresses.',
  unreachable:
    'No email server of the domain answered this gateway. Port 25 may be closed in its network.',
  not_probed:
    'This gateway does not ask email servers, because it has no public name. Its operator sets MAIL_DOMAIN or PUBLIC_URL.',
}

/** The status of the check in the words of contactfind and emailintel. */
export function verdictOf({ finding }: AddressReport): string {
  return VERDICTS[finding].contactfind
}

/** The field `unchecked` for an answer that is not charged; no field for others. */
export function uncheckedField({ finding }: AddressReport): { readonly unchecked?: string } {
  const unchecked = UNCHECKED[finding]
  return unchecked === undefined ? {} : { unchecked }
}

/** The reply of contactfind/email-verify. */
export function toContactfindReply(report: AddressReport): Data {
  return {
    status_code: 200,
    data: { status: VERDICTS[report.finding].contactfind },
    ...uncheckedField(report),
  }
}

/** The reply of emailintel/email-verifier. */
export function toEmailintelReply(report: AddressReport): Data {
  const { email, address, finding, servers, hasAnswered } = report
  const { result, contactfind: status } = VERDICTS[finding]
  return {
    data: {
      email: {
        email,
        result,
        status,
        regex: address !== null,
        ...(servers === null ? {} : { mx_check: servers.length > 0, mx: { records: servers } }),
        smtp_server: hasAnswered || finding === 'accepts_all',
        smtp_check: finding === 'accepted' || finding === 'accepts_all',
        smtp_provider: servers === null ? null : providerOf(servers),
        ...acceptAllField(finding),
        block: finding === 'blocked',
        disposable: finding === 'disposable',
        webmail: address !== null && isWebmailDomain(address.domain),
        greylisted: finding === 'deferred',
      },
      sources: [],
    },
    ...uncheckedField(report),
  }
}

/** Unknown unless a server accepted the address. */
function acceptAllField(finding: Finding): { readonly accept_all?: boolean } {
  if (finding === 'accepts_all') return { accept_all: true }
  return finding === 'accepted' ? { accept_all: false } : {}
}

/** The status and the addresses of an emailasync search. */
export function toEmailasyncResult(report: AddressReport): {
  readonly status: Verdict['state']
  readonly emails: readonly Data[]
} {
  const { email, finding, servers } = report
  const { state: status, certainty } = VERDICTS[finding]
  const found = { email, certainty, ...mailHostFields(servers ?? []) }
  return { status, emails: certainty === null ? [] : [found] }
}

export function mailHostFields(servers: readonly string[]): Data {
  return { mxProvider: providerOf(servers), mxRecords: servers }
}

/** The operator of email servers, by the end of their names. */
const PROVIDERS: readonly (readonly [suffix: string, name: string])[] = [
  ['google.com', 'google'],
  ['googlemail.com', 'google'],
  ['outlook.com', 'outlook'],
  ['yahoodns.net', 'yahoo'],
  ['icloud.com', 'icloud'],
  ['zoho.com', 'zoho'],
  ['zoho.eu', 'zoho'],
  ['protonmail.ch', 'proton'],
  ['messagingengine.com', 'fastmail'],
  ['mimecast.com', 'mimecast'],
  ['pphosted.com', 'proofpoint'],
  ['yandex.net', 'yandex'],
  ['mail.ru', 'mail.ru'],
]

function providerOf([first = '']: readonly string[]): string | null {
  const host = first.toLowerCase().replace(/\.$/, '')
  const found = PROVIDERS.find(([suffix]) => host === suffix || host.endsWith(`.${suffix}`))
  return found?.[1] ?? null
}
