/** What checks of our own refuse of their parameters, by the last part of their path: the others find out, and say, what is wrong. */
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import type { AddressCheck } from '../../catalog/validate/web-address.ts'
import { addressesOf, domainOf, mailDomainOf } from './mail.ts'
import { incotermOf, lifetimeOf } from './reference.ts'
import { addressOf, hostOf } from './sites.ts'

type Rule = (parameters: Data, checkAddress: AddressCheck) => void

const named: Rule = (parameters) => void domainOf(parameters)
const located: Rule = (parameters, checkAddress) =>
  checkAddress(addressOf(parameters), 'url', 'gateway')
const hosted: Rule = (parameters) => void hostOf(parameters)

export const checkRules: Readonly<Record<string, Rule>> = {
  'email-validate-bulk': (parameters) => void addressesOf(parameters),
  'mx-lookup': named,
  'dns-lookup': named,
  'email-auth-check': (parameters) => void mailDomainOf(parameters),
  'email-deliverability-check': named,
  'domain-reputation': named,
  'page-exists': located,
  'url-health-check': located,
  'uptime-check': located,
  'redirect-trace': located,
  'header-security-check': located,
  'robots-txt-parse': located,
  'ssl-check': hosted,
  'ssl-certificate-chain': hosted,
  'age-verify': (parameters) => void lifetimeOf(parameters),
  'incoterms-explain': (parameters) => void incotermOf(parameters),
}
