/** Checks without a data source: Incoterms, ages, passwords and LinkedIn URLs. */
import { AppError } from '../../errors/app-error.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { readText, type Check } from './check.ts'

type Term = readonly [
  name: string,
  riskPasses: string,
  sellerPays: string,
  sellerInsures: boolean,
  mode: 'any' | 'sea',
]
const INCOTERMS: Readonly<Record<string, Term>> = {
  EXW: [
    'Ex Works',
    'when the goods are ready at the seller’s premises',
    'nothing beyond its own premises',
    false,
    'any',
  ],
  FCA: [
    'Free Carrier',
    'when the goods are handed to the carrier',
    'export clearance and delivery to the carrier',
    false,
    'any',
  ],
  CPT: [
    'Carriage Paid To',
    'when the goods are handed to the first carrier',
    'carriage to the named destination',
    false,
    'any',
  ],
  CIP: [
    'Carriage and Insurance Paid To',
    'when the goods are handed to the first carrier',
    'carriage and insurance to the named destination',
    true,
    'any',
  ],
  DAP: [
    'Delivered at Place',
    'at the destination, ready for unloading',
    'carriage to the destination, but no import duties',
    false,
    'any',
  ],
  DPU: [
    'Delivered at Place Unloaded',
    'at the destination, once unloaded',
    'carriage and unloading, but no import duties',
    false,
    'any',
  ],
  DDP: [
    'Delivered Duty Paid',
    'at the destination, ready for unloading',
    'carriage, import clearance and duties',
    false,
    'any',
  ],
  FAS: [
    'Free Alongside Ship',
    'when the goods are alongside the ship',
    'delivery to the quay and export clearance',
    false,
    'sea',
  ],
  FOB: [
    'Free on Board',
    'when the goods are on board',
    'loading and export clearance',
    false,
    'sea',
  ],
  CFR: [
    'Cost and Freight',
    'when the goods are on board',
    'freight to the port of destination',
    false,
    'sea',
  ],
  CIF: [
    'Cost, Insurance and Freight',
    'when the goods are on board',
    'freight and insurance to the port of destination',
    true,
    'sea',
  ],
}

export function requireIncoterm(parameters: Data): { readonly code: string; readonly term: Term } {
  const code = readText(parameters, 'incoterm').toUpperCase()
  const term = INCOTERMS[code]
  if (term === undefined)
    throw new AppError('invalid_params', `"${code.slice(0, 20)}" is not an Incoterms 2020 term.`, {
      param: 'incoterm',
      fix: `Send one of ${Object.keys(INCOTERMS).join(', ')}.`,
    })
  return { code, term }
}

export const explainIncoterm: Check = (parameters) => {
  const { code, term } = requireIncoterm(parameters)
  const [name, riskPasses, sellerPays, sellerInsures, mode] = term
  return {
    incoterm: code,
    name,
    version: 'Incoterms 2020',
    risk_passes: riskPasses,
    seller_pays: sellerPays,
    seller_insures: sellerInsures,
    transport: mode === 'sea' ? 'sea and inland waterway' : 'any',
    import_duties_paid_by: code === 'DDP' ? 'seller' : 'buyer',
  }
}

function requireDay(text: string, param: string): Date {
  const moment = new Date(`${text}T00:00:00Z`)
  if (
    !/^\d{4}-\d{2}-\d{2}$/.test(text) ||
    Number.isNaN(moment.getTime()) ||
    !moment.toISOString().startsWith(text)
  )
    throw new AppError('invalid_params', `"${param}" is not a date.`, {
      param,
      fix: 'Send a date such as "1990-04-23".',
    })
  return moment
}

/** `until` is null for the age today. */
export function requireDates(parameters: Data): {
  readonly born: Date
  readonly until: Date | null
} {
  const until = readText(parameters, 'reference_date')
  return {
    born: requireDay(readText(parameters, 'date_of_birth'), 'date_of_birth'),
    until: until === '' ? null : requireDay(until, 'reference_date'),
  }
}

/** Counts whole years. A birthday on 29 February moves to 1 March in other years. */
export const verifyAge: Check = (parameters, { now }) => {
  const { born, until } = requireDates(parameters)
  const at = until ?? new Date(now())
  const before =
    at.getUTCMonth() < born.getUTCMonth() ||
    (at.getUTCMonth() === born.getUTCMonth() && at.getUTCDate() < born.getUTCDate())
  const age = at.getUTCFullYear() - born.getUTCFullYear() - (before ? 1 : 0)
  const minimum = typeof parameters['minimum_age'] === 'number' ? parameters['minimum_age'] : 18
  return {
    age,
    minimum_age: minimum,
    meets_minimum: age >= minimum,
    reference_date: at.toISOString().slice(0, 10),
  }
}

const COMMON = new Set(
  '123456 12345678 123456789 1234567890 111111 000000 abc123 admin dragon football iloveyou letmein login master monkey password password1 passw0rd princess qwerty qwerty123 qwertyuiop sunshine superman trustno1 welcome'.split(
    ' ',
  ),
)

export const ratePassword: Check = (parameters) => {
  const password = typeof parameters['password'] === 'string' ? parameters['password'] : ''
  const alphabet = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/\d/, 10],
    [/[^A-Za-z0-9]/, 33],
  ] as const
  const size = alphabet.reduce(
    (sum, [pattern, count]) => sum + (pattern.test(password) ? count : 0),
    0,
  )
  const isCommon = COMMON.has(password.toLowerCase())
  // Repeated characters add almost no entropy.
  const effective = [...password].filter(
    (character, index, all) => character !== all[index - 1],
  ).length
  const bits = isCommon || size === 0 ? 0 : Math.round(effective * Math.log2(size))
  const score = bits < 28 ? 0 : bits < 36 ? 1 : bits < 60 ? 2 : bits < 80 ? 3 : 4
  return {
    score,
    strength: ['very weak', 'weak', 'fair', 'strong', 'very strong'][score],
    entropy_bits: bits,
    length: password.length,
    common: isCommon,
  }
}

export const validateLinkedinUrl: Check = (parameters) => {
  const url = readText(parameters, 'url')
  const [, kind, slug] =
    /^(?:https?:\/\/)?(?:[a-z]{2,3}\.)?linkedin\.com\/(in|company|school|showcase|pub)\/([^/?#\s]{2,100})\/?(?:[?#].*)?$/i.exec(
      url,
    ) ?? []
  const type =
    kind?.toLowerCase() === 'in' || kind?.toLowerCase() === 'pub'
      ? 'person'
      : (kind?.toLowerCase() ?? null)
  return {
    valid: slug !== undefined,
    url,
    type,
    slug: slug ?? null,
    normalized:
      slug === undefined ? null : `https://www.linkedin.com/${kind?.toLowerCase()}/${slug}`,
  }
}
