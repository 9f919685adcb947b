/** Fictional people and companies. Everything is derived from the text of the request. */
import { shortHash } from './content.ts'

export type SimulatedPerson = {
  readonly firstName: string
  readonly lastName: string
  readonly fullName: string
  readonly title: string
  readonly company: string
  readonly domain: string
  readonly email: string
  readonly personalEmail: string
  /** A number reserved for fiction. */
  readonly phone: string
  readonly city: string
  readonly linkedinUrl: string
}

export type SimulatedCompany = {
  readonly name: string
  readonly domain: string
  readonly linkedinUrl: string
  readonly city: string
  readonly industry: string
  readonly employees: number
}

const FIRST_NAMES = [
  'Ana',
  'Ben',
  'Carla',
  'Dev',
  'Elin',
  'Farid',
  'Grace',
  'Hugo',
  'Ines',
  'Jonas',
]
const LAST_NAMES = [
  'Example',
  'Sample',
  'Testa',
  'Mock',
  'Fiktiv',
  'Placeholder',
  'Demo',
  'Specimen',
]
const TITLES = [
  'CFO',
  'Head of Marketing',
  'Software Engineer',
  'VP Sales',
  'Operations Manager',
  'Founder',
]
const CITIES = ['Exampleville', 'Sampleton', 'Mockstadt', 'Testbourg']
const INDUSTRIES = ['Software', 'Logistics', 'Biotechnology', 'Retail']

/** The person of an email address, a profile or a name. Facts in the text are used; the rest is invented. */
export function personFor(text: string, domain?: string): SimulatedPerson {
  const seed = text.toLowerCase()
  const [, local, host] = /^([^@\s]+)@([^@\s]+)$/.exec(seed) ?? []
  const profile = /\/(?:in|pub)\/([^/?#]+)/.exec(seed)?.[1]
  const name = wordsOf(local ?? profile ?? (/^[\p{L}' -]+$/u.test(seed) ? seed : ''))
  const firstName = name[0] ?? pick(FIRST_NAMES, seed, 'first')
  const lastName = name.slice(1).join(' ') || pick(LAST_NAMES, seed, 'last')
  const slug = `${firstName}-${lastName}`.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-')
  // The host of a profile is the social network, not an employer.
  const company = companyFor(domain ?? host ?? profile ?? seed)
  const at = domain ?? host ?? company.domain
  return {
    firstName,
    lastName,
    fullName: `${firstName} ${lastName}`,
    title: pick(TITLES, seed, 'title'),
    company: company.name,
    domain: at,
    email: local === undefined ? `${slug.replaceAll('-', '.')}@${at}` : seed,
    personalEmail: `${slug}@example.net`,
    phone: `+1-555-01${String(numberOf(seed, 'phone') % 100).padStart(2, '0')}`,
    city: pick(CITIES, seed, 'city'),
    linkedinUrl: `https://www.linkedin.com/in/${profile ?? `${slug}-simulated`}`,
  }
}

/** `count` people for a description, starting with number `from`. */
export function peopleFor(text: string, count: number, from = 0): SimulatedPerson[] {
  return Array.from({ length: count }, (_, index) => personFor(`#${from + index} ${text}`))
}

/** The company of a domain or a name. A name gets a domain below example.com. */
export function companyFor(text: string): SimulatedCompany {
  const seed = text
    .toLowerCase()
    .replace(/^https?:\/\/(www\.)?/, '')
    .replace(/\/.*$/, '')
  const isDomain = /^[^\s#]+\.[a-z]+$/.test(seed)
  const label = isDomain ? (seed.split('.').at(-2) ?? seed) : `company-${shortHash(seed)}`
  return {
    name: `${label.charAt(0).toUpperCase()}${label.slice(1)} (simulated)`,
    domain: isDomain ? seed : `${label}.example.com`,
    linkedinUrl: `https://www.linkedin.com/company/${label}-simulated`,
    city: pick(CITIES, seed, 'city'),
    industry: pick(INDUSTRIES, seed, 'industry'),
    employees: 10 + (numberOf(seed, 'employees') % 5_000),
  }
}

export function companiesFor(text: string, count: number, from = 0): SimulatedCompany[] {
  return Array.from({ length: count }, (_, index) => companyFor(`#${from + index} ${text}`))
}

function wordsOf(text: string): string[] {
  const words = text.split(/[^\p{L}]+/u).filter((word) => word !== '' && word !== 'simulated')
  return words.slice(0, 3).map((word) => word.charAt(0).toUpperCase() + word.slice(1))
}

function pick(values: readonly string[], seed: string, purpose: string): string {
  return values[numberOf(seed, purpose) % values.length] ?? ''
}

function numberOf(seed: string, purpose: string): number {
  return Number.parseInt(shortHash(`${purpose} ${seed}`), 16)
}
