import { Type } from '../../lib/schema.ts'
import { checkRules } from '../../composites/compliance/check-rules.ts'
import { checks } from '../../composites/compliance/checks.ts'
import { cents, maxMicros, minMicros, type Micros } from '../../lib/money.ts'
import {
  defineService,
  endpoint,
  type EndpointEntry,
  type EndpointGroups,
} from '../../catalog/vocabulary/define.ts'
import rows from './endpoints.json' with { type: 'json' }
import { readEndpoints } from '../../catalog/endpoints/read-endpoints.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { x402Merchant } from '../../catalog/vocabulary/merchant.ts'
import { failed, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { field, isErrorAlone, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { bearer, type Reply, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { checkOutcome, checkRequest, polls } from './account.ts'
import { openChecks } from './open-checks.ts'
import { returns } from './returns.ts'

const strale: Vendor = {
  baseUrl: 'https://api.strale.io',
  auth: bearer(),
  docsUrl: 'https://api.strale.io/x402/catalog',
  readFailure: (reply) => {
    const vendorCode = field(reply.body, 'error_code')
    // The vendor reports a failed register behind a check as a mistake of the caller.
    const code =
      vendorCode === 'execution_failed'
        ? 'upstream_error'
        : vendorCode === 'insufficient_balance'
          ? 'upstream_payment'
          : undefined
    const message =
      field(reply.body, 'error') ??
      field(field(reply.body, 'details'), 'error') ??
      field(reply.body, 'message')
    return vendorFailure(reply, { code, vendorCode, message })
  },
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

const listed = readEndpoints(rows)
/** The merchant's list prices, for answers that do not contain the charge. */
const listPrices = new Map(listed.map(({ endpoint: path, price }) => [path, price]))

/**
 * Recovers the list price from a cap. A cap is the list price in euro at 1.08 dollars plus a tenth,
 * in whole cents.
 */
function listPriceOf({ price = 0n }: EndpointEntry): Micros {
  const euroCents = (price * 1_000n) / cents('1188')
  return euroCents * cents('1.08')
}

/**
 * Minimum caps of these families, so that a merchant's higher list price still fits. Only the
 * actual cost is charged.
 */
const LEAST_CAPS: readonly (readonly [paths: RegExp, least: Micros])[] = [
  [/^\/x402\/(email-|domain-|(dns|mx|whois)-lookup$|ssl-check$)/, cents('5')],
  [/^\/x402\/solutions\//, cents('30')],
]

function withCap(entry: EndpointEntry): EndpointEntry {
  const least = LEAST_CAPS.find(([paths]) => paths.test(entry.endpoint))?.[1]
  return {
    ...entry,
    leastCharge: listPriceOf(entry),
    price: maxMicros(entry.price ?? 0n, least ?? 0n),
  }
}

const entries = listed.map(withCap)
const caps = new Map(entries.map(({ endpoint: path, price = 0n }) => [path, price]))

/** The most that the check named by the input may cost. */
function capOf({ endpoint: path }: Data): Micros {
  return caps.get(String(path)) ?? 0n
}

/** The charge of a check that the gateway computes or a public register answers. */
const OWN_CHARGE = cents('1')

/** Lists the least charge of both lanes, because each gateway has another one. */
function withSources(entry: EndpointEntry): EndpointEntry {
  const name = nameOf(entry.endpoint)
  const own = { ...entry, leastCharge: minMicros(entry.leastCharge ?? OWN_CHARGE, OWN_CHARGE) }
  const open = openChecks[name]
  if (open !== undefined) return { ...own, openSource: open.source, example: open.example }
  return Object.hasOwn(checks, name)
    ? { ...own, inHouse: 'compliance.check', inHouseCheck: checkRules[name] }
    : entry
}

const MICROS = 1_000_000

/** The merchant's charge if its answer contains it. A check may be free. */
function actualOf(body: unknown): Micros | undefined {
  const usd = field(field(field(body, '_meta'), 'payment'), 'price_usd')
  return typeof usd === 'number' && usd >= 0 && usd <= 10
    ? BigInt(Math.ceil(usd * MICROS))
    : undefined
}

function outcomeOf(reply: Reply<Data>, { endpoint: path }: Data): Outcome {
  return checkOutcome(reply) ?? outcomeOnTop(reply, path)
}

/**
 * For answers of merchants and in-house checks, which have the fields of the check at the top
 * level.
 */
function outcomeOnTop(reply: Reply<Data>, path: unknown): Outcome {
  const { body } = reply
  const { error, _meta, ...fields } = body
  if ((error !== undefined && error !== null) || !isFilled(fields) || isErrorAlone(reply))
    return failed('no_results', 'The check returned no result. Nothing was charged.')
  const actual = actualOf(body) ?? listPrices.get(String(path))
  return { kind: 'done', data: body, ...(actual === undefined ? {} : { actual }) }
}

/** The first that fits. */
const CHECK_GROUPS: EndpointGroups = [
  [
    /crypto|bitcoin|dogecoin|(?:eth|solana|tron|xrp)-address|ens-|token|contract-verify|approval|wallet|protocol|stablecoin|gas-price|fear-greed|vasp|web3/,
    'Crypto',
  ],
  [
    /sanctions|pep|adverse|aml|disqualified|insolvency|bankruptcy|customer-risk|beneficial|ubo/,
    'Risk and sanctions',
  ],
  [
    /company|officer|filing|companies-house|gazette|charity|license-check-se|lei|gleif|ein|bodacc|unreliable|credit-report|cz-ico|sec-filings/,
    'Companies',
  ],
  [/iban|bank|bic|swift|sepa|invoice|payment|uk-cop|eori|vat|tax/, 'Payments and tax'],
  [/email|phone|contact|lead|address-(?:validate|geocode)|linkedin/, 'Contacts'],
  [
    /container|shipping|port-lookup|hs-code|customs|incoterms|dangerous|trade-data/,
    'Trade and shipping',
  ],
  [
    /gdpr|privacy|terms-of-service|ai-act|regulation|court|trademark|data-protection|cookie/,
    'Law and data protection',
  ],
  [/security|secret|cve|package|password|license-compat|phishing|workflow/, 'Security'],
  [
    /domain|dns|whois|ssl|mx|website|url|page|port-check|redirect|robots|sitemap|uptime|og-image|accessibility|tech-stack|api|ip-/,
    'Websites and domains',
  ],
  [/ecb|exchange|currency|economic|stock/, 'Currencies and economy'],
  [/^/, 'Other checks'],
]

export const service = defineService({
  id: 'compliance',
  title: 'Compliance checks, registers and validators',
  category: 'compliance',
  vendor: strale,
  returns,
  actions: {
    check: endpoint({
      groups: CHECK_GROUPS,
      title: 'Compliance checks and validators',
      summary:
        'Check companies, people, payments, email addresses, domains, shipments and wallets: about two hundred checks by path.',
      description:
        "The price of each path is a cap; only the check's actual cost is charged. While no vendor key is set, the gateway computes some checks itself (IBAN, BIC, VAT format, ISBN, wallet addresses, email, mail setup, domains) and public registers answer others.",
      keywords: [
        'kyc',
        'kyb',
        'aml',
        'sanctions',
        'pep',
        'vat',
        'iban',
        'lei',
        'company register',
        'validate',
        'due diligence',
        'hs code',
      ],
      endpoints: entries.map(withSources),
      example: { endpoint: '/x402/vat-format-validate', vat_number: 'DE123456789' },
      price: { kind: 'actual', cap: cents('119') },
      priceSource:
        "Caps: the merchant's list price in euro at 1.08 dollars plus a tenth for price changes, 2026-08; email and domain trust at least 5¢, combined checks at least 30¢.",
      // The vendor runs longer checks in the background, and the gateway polls.
      timeoutMs: 180_000,
      isOrder: true,
      untrustedContent: true,
      request: ({ endpoint: path, price: cap = 0n }, parameters, held = cap) =>
        checkRequest(path, parameters, minMicros(cap, held)),
      followUps: polls(capOf),
      merchant: { at: x402Merchant(strale.baseUrl) },
      reply: Type.Record(Type.String(), Type.Unknown()),
      outcome: outcomeOf,
    }),
  },
})
