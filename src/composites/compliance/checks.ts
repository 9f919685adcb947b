/** The in-house checks by the last segment of their path. */
import { validateBic, validateIban } from './bank-accounts.ts'
import type { Check } from './check.ts'
import { lookUpCountry } from './countries.ts'
import {
  checkDeliverability,
  checkMailAuthentication,
  lookUpDns,
  lookUpMx,
  rateDomain,
  validateEmail,
  validateEmails,
} from './mail.ts'
import { validateCzechIco, validateIsbn, validateVatFormat } from './numbers.ts'
import { explainIncoterm, ratePassword, validateLinkedinUrl, verifyAge } from './reference.ts'
import {
  checkCertificate,
  checkSecurityHeaders,
  checkUptime,
  readRobots,
  traceRedirects,
} from './sites.ts'
import {
  validateBitcoin,
  validateDogecoin,
  validateEthereum,
  validateSolana,
  validateTron,
  validateXrp,
} from './wallet-addresses.ts'

export const checks: Readonly<Record<string, Check>> = {
  'iban-validate': validateIban,
  'swift-validate': validateBic,
  'vat-format-validate': validateVatFormat,
  'cz-ico-validate': validateCzechIco,
  'isbn-validate': validateIsbn,
  'bitcoin-address-validate': validateBitcoin,
  'dogecoin-address-validate': validateDogecoin,
  'eth-address-validate': validateEthereum,
  'solana-address-validate': validateSolana,
  'tron-address-validate': validateTron,
  'xrp-address-validate': validateXrp,
  'email-validate': validateEmail,
  'email-validate-bulk': validateEmails,
  'mx-lookup': lookUpMx,
  'dns-lookup': lookUpDns,
  'email-auth-check': checkMailAuthentication,
  'email-deliverability-check': checkDeliverability,
  'domain-reputation': rateDomain,
  'page-exists': checkUptime,
  'url-health-check': checkUptime,
  'uptime-check': checkUptime,
  'redirect-trace': traceRedirects,
  'header-security-check': checkSecurityHeaders,
  'robots-txt-parse': readRobots,
  'ssl-check': checkCertificate,
  'ssl-certificate-chain': checkCertificate,
  'password-strength': ratePassword,
  'age-verify': verifyAge,
  'incoterms-explain': explainIncoterm,
  'iso-country-lookup': lookUpCountry,
  'linkedin-url-validate': validateLinkedinUrl,
}
