/** Validates the parameters of in-house checks before the hold, by the last segment of the check's path. */
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import type { AddressCheck } from '../../catalog/validate/web-address.ts'
import { requireAddresses, requireDomain, requireMailDomain } from './mail.ts'
import { requireIncoterm, requireDates } from './reference.ts'
import { requireUrl, requireHost } from './sites.ts'

type Rule = (parameters: Data, checkAddress: AddressCheck) => void

const checkDomain: Rule = (parameters) => void requireDomain(parameters)
const checkUrl: Rule = (parameters, checkAddress) =>
  checkAddress(requireUrl(parameters), 'url', 'gateway')
const checkHost: Rule = (parameters) => void requireHost(parameters)

export const checkRules: Readonly<Record<string, Rule>> = {
  'email-validate-bulk': (parameters) => void requireAddresses(parameters),
  'mx-lookup': checkDomain,
  'dns-lookup': checkDomain,
  'email-auth-check': (parameters) => void requireMailDomain(parameters),
  'email-deliverability-check': checkDomain,
  'domain-reputation': checkDomain,
  'page-exists': checkUrl,
  'url-health-check': checkUrl,
  'uptime-check': checkUrl,
  'redirect-trace': checkUrl,
  'header-security-check': checkUrl,
  'robots-txt-parse': checkUrl,
  'ssl-check': checkHost,
  'ssl-certificate-chain': checkHost,
  'age-verify': (parameters) => void requireDates(parameters),
  'incoterms-explain': (parameters) => void requireIncoterm(parameters),
}
