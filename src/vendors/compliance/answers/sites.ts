/** Checks of email addresses, domains and websites. */
import {
  address,
  anything,
  count,
  flag,
  items,
  maybe,
  number,
  oneOf,
  record,
  records,
  text,
  time,
  words,
  type Returns,
} from '../../../catalog/vocabulary/returns.ts'
import { check } from './common.ts'

const domain = maybe(text('The checked domain.'))
const score = maybe(number('The score, from 0 to 100.'))
const mailServers = maybe(
  records('The servers that receive email, first choice first.', {
    exchange: maybe(text('The name of the server.')),
    priority: maybe(number('The rank: lower is better.')),
  }),
)
const email = {
  email: maybe(text('The checked address.')),
  valid: maybe(flag('Whether the domain of the address accepts email. The mailbox may not exist.')),
  syntax_valid: maybe(flag('Whether the address is written correctly.')),
  domain: maybe(text('The part after the @.')),
  mx_found: maybe(flag('Whether the domain names mail servers.')),
  mx_records: maybe(words('The servers that receive email.')),
  disposable: maybe(flag('Whether the domain offers throwaway addresses.')),
  role_account: maybe(flag('Whether the address is for a role, such as "info".')),
  free_provider: maybe(flag('Whether the domain offers free mailboxes.')),
  reason: maybe(oneOf('Why the address is not valid.', ['syntax', 'no_mail_server'])),
}
const entry = {
  found: maybe(flag('Whether there is an entry.')),
  record: maybe(text('The entry.')),
}
const uptime = check({
  url: maybe(address('The checked URL.')),
  up: maybe(flag('Whether the page answers without an error.')),
  reachable: maybe(flag('Whether the server answers.')),
  exists: maybe(flag('Whether the page answers without an error.')),
  status_code: maybe(count('The HTTP status.')),
  final_url: maybe(address('The URL after redirects.')),
  redirects: maybe(count('The number of redirects.')),
  latency_ms: maybe(number('How long all requests took.', 'milliseconds')),
})
const certificate = check({
  host: maybe(text('The checked server.')),
  port: maybe(count('The checked port.')),
  valid: maybe(flag('Whether the certificate is trusted and valid for the server.')),
  problem: maybe(text('Why it is not.')),
  protocol: maybe(text('The version of TLS.')),
  subject: maybe(text('The owner of the certificate.')),
  issuer: maybe(text('The issuer of the certificate.')),
  valid_from: maybe(time('When the certificate became valid.')),
  valid_to: maybe(time('When the certificate expires.')),
  days_left: maybe(number('The time until then.', 'days')),
  names: maybe(words('The domains that the certificate is for.')),
  chain: maybe(
    records('The certificates up to the root.', {
      subject: maybe(text('The owner.')),
      issuer: maybe(text('The issuer.')),
      valid_to: maybe(text('When it expires.')),
      fingerprint_sha256: maybe(text('The SHA-256 of the certificate.')),
    }),
  ),
})
const registration = check({
  domain,
  registered_at: maybe(time('When the domain was registered.')),
  expires_at: maybe(time('When the registration expires.')),
  changed_at: maybe(time('When the registration was last changed.')),
  status: maybe(words('The states of the registration, such as "active".')),
  nameservers: maybe(words('The name servers.')),
  source: maybe(text('Where the data is from.')),
})
const values = (kind: string) => maybe(items(`The ${kind} records.`, anything('A record.')))

export const sites: Returns = {
  'check /x402/email-validate': check(email),
  'check /x402/email-validate-bulk': check({
    total: maybe(count('The number of addresses, without duplicates.')),
    valid_count: maybe(count('The number of valid addresses.')),
    results: maybe(records('One row for each address.', email)),
  }),
  'check /x402/mx-lookup': check({
    domain,
    has_mx: maybe(flag('Whether the domain names mail servers.')),
    mx_records: mailServers,
  }),
  'check /x402/dns-lookup': check({
    domain,
    resolves: maybe(flag('Whether there is any record.')),
    records: maybe(
      record('The records by kind.', {
        a: values('A'),
        aaaa: values('AAAA'),
        cname: values('CNAME'),
        mx: values('MX'),
        ns: values('NS'),
        txt: values('TXT'),
        caa: values('CAA'),
      }),
    ),
    omitted_records: maybe(count('The number of omitted records.')),
    note: maybe(text('Why records are omitted.')),
  }),
  'check /x402/email-auth-check': check({
    domain,
    spf: maybe(record('The servers that may send for the domain.', entry)),
    dmarc: maybe(
      record('The rule for forged email.', {
        ...entry,
        policy: maybe(oneOf('The rule.', ['none', 'quarantine', 'reject'])),
      }),
    ),
    dkim: maybe(
      record('The key of signatures.', {
        checked: maybe(flag('Whether it was checked, which needs `dkim_selector`.')),
        ...entry,
      }),
    ),
  }),
  'check /x402/email-deliverability-check': check({
    domain,
    deliverable: maybe(flag('Whether the domain names mail servers.')),
    score,
    mx_records: mailServers,
    spf: maybe(flag('Whether there is an SPF record.')),
    dmarc: maybe(flag('Whether there is a DMARC record.')),
    dmarc_policy: maybe(oneOf('Its rule for forged email.', ['none', 'quarantine', 'reject'])),
  }),
  'check /x402/domain-reputation': check({
    domain,
    score,
    rating: maybe(oneOf('The same in words.', ['good', 'fair', 'poor'])),
    signals: maybe(
      record('What the score is based on.', {
        resolves: maybe(flag('The domain has an address.')),
        several_name_servers: maybe(flag('It has more than one name server.')),
        takes_mail: maybe(flag('It names mail servers.')),
        spf: maybe(flag('It has an SPF record.')),
        dmarc: maybe(flag('It has a DMARC record.')),
        dmarc_enforced: maybe(flag('Forged email is rejected or quarantined.')),
        caa: maybe(flag('It names the issuers of its certificates.')),
        disposable_mail: maybe(flag('It offers throwaway addresses.')),
      }),
    ),
    basis: maybe(oneOf('Where the signals are from. No blocklist is used.', ['dns'])),
  }),
  'check /x402/page-exists': uptime,
  'check /x402/url-health-check': uptime,
  'check /x402/uptime-check': uptime,
  'check /x402/redirect-trace': check({
    url: maybe(address('The checked URL.')),
    reachable: maybe(flag('Whether the server answers.')),
    redirect_count: maybe(count('The number of redirects.')),
    final_url: maybe(address('The last URL.')),
    final_status: maybe(count('The last HTTP status.')),
    hops: maybe(
      records('The requests.', {
        url: maybe(address('The URL.')),
        status_code: maybe(count('The HTTP status.')),
        location: maybe(text('Where it redirects to.')),
      }),
    ),
  }),
  'check /x402/header-security-check': check({
    url: maybe(address('The URL after redirects.')),
    status_code: maybe(count('The HTTP status.')),
    score,
    grade: maybe(oneOf('The same as a grade.', ['A', 'B', 'C', 'D', 'F'])),
    headers: maybe(
      records('The rated headers.', {
        header: maybe(text('The name.')),
        present: maybe(flag('Whether the page sends it.')),
        good: maybe(flag('Whether its value protects.')),
        value: maybe(text('The value.')),
        points: maybe(number('Its weight in the score.')),
      }),
    ),
    missing: maybe(words('The headers that the page does not send.')),
  }),
  'check /x402/robots-txt-parse': check({
    url: maybe(address('The URL of the file.')),
    exists: maybe(flag('Whether there is a file.')),
    status_code: maybe(count('The HTTP status.')),
    groups: maybe(
      records('The rules.', {
        user_agents: maybe(words('The crawlers that they are for.')),
        allow: maybe(words('The allowed paths.')),
        disallow: maybe(words('The forbidden paths.')),
      }),
    ),
    sitemaps: maybe(words('The site maps.')),
  }),
  'check /x402/ssl-check': certificate,
  'check /x402/ssl-certificate-chain': certificate,
  'check /x402/whois-lookup': registration,
  'check /x402/domain-age-check': registration,
}
