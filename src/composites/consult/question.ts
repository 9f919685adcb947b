/** Writes one short question: for a missing field, for a choice of actions, or for consent to a price. */
import { choicesOf } from './filling/slots.ts'
import type { Missing } from './filling/fill.ts'
import type { EntityKind } from './reading/entity-kind.ts'
import type { Candidate } from './suggest.ts'

const NAMED: Readonly<Partial<Record<EntityKind, string>>> = {
  linkedin: 'Which LinkedIn profile? Please send its URL.',
  quoted: 'Which name? Please send the full name of the person or company.',
  wallet: 'Which wallet or contract address?',
  iban: 'Which IBAN?',
  bic: 'Which BIC (SWIFT code)?',
  lei: 'Which LEI, a code of 20 characters?',
  ip: 'Which IP address?',
  eori: 'Which EORI number?',
  isbn: 'Which ISBN?',
  vin: 'Which VIN, the vehicle number of 17 characters?',
  advisory: 'Which advisory, such as GHSA-jfh8-c2jp-5v3q?',
  cve: 'Which CVE number, such as CVE-2021-44228?',
  ndc: 'Which NDC number of the drug?',
  trial: 'Which NCT number of the trial?',
  doi: 'Which DOI of the paper?',
  container: 'Which container number?',
  cron: 'Which cron expression?',
  document: 'Which document number, such as 2024-12345?',
  url: 'Which page? Please send its URL.',
  email: 'Which email address?',
  domain: 'Which company domain, such as example.com?',
  phone: 'Which phone number?',
  person: 'Which person? Please send first and last name.',
  company: 'Which company or organisation?',
  handle: 'Which user name?',
  hashtag: 'Which hashtag?',
  ticker: 'Which ticker symbol?',
  cik: 'Which company? Please send its CIK number at the SEC.',
  ein: 'Which organisation? Please send its EIN.',
  zip: 'Which five-digit ZIP code?',
  address: 'Which address? Please send street, city, state and ZIP code.',
  flight: 'Which flight number, such as LH400?',
  airport: 'Which airport? Please send its three-letter code, such as FRA.',
  docket: 'Which docket number?',
  vat: 'Which VAT number, with its country code?',
  citation: 'Which citation, such as 40 CFR 60.1?',
}

export function questionFor({ name, schema, slot }: Missing): string {
  const choices = choicesOf(schema)
  if (choices !== undefined) return `Which ${toWords(name)}: ${listChoices(choices)}?`
  if (slot.kind === 'named') return NAMED[slot.of[0] ?? 'id'] ?? askFor(name, schema.description)
  if (slot.kind === 'text' || slot.kind === 'title')
    return slot.kind === 'text' && /query|^q$|search|term|keyword/.test(name)
      ? 'What should the search be about?'
      : askFor(name, schema.description)
  if (slot.kind === 'inbox')
    return 'Which inbox? Please send its address, or create one with inbox/create_inbox.'
  if (slot.kind === 'recipient') return 'Which recipient? Please send an email address.'
  if (slot.kind === 'subject_line') return 'What is the subject of the message?'
  if (slot.kind === 'message') return 'What is the text of the message?'
  if (slot.kind === 'role') return 'Which job title?'
  if (slot.kind === 'prompt') return 'What should the result show? Please describe it.'
  if (slot.kind === 'speech') return 'Which text should be spoken?'
  if (slot.kind === 'chat') return 'What is the message for the model?'
  if (slot.kind === 'package') return 'Which package name?'
  if (slot.kind === 'version') return 'Which version of the package?'
  if (slot.kind === 'ecosystem')
    return 'Which ecosystem: npm, PyPI, Maven, Go, NuGet, RubyGems, crates.io or Packagist?'
  if (slot.kind === 'commit') return 'Which commit hash?'
  if (slot.kind === 'currency') return 'Which currency, such as EUR?'
  if (slot.kind === 'indicator')
    return 'Which World Bank indicator, such as GDP, inflation or NY.GDP.MKTP.CD?'
  if (slot.kind === 'license') return 'Which licenses, such as MIT and GPL-3.0?'
  if (slot.kind === 'coin') return 'Which coin, such as bitcoin?'
  if (slot.kind === 'person_part') return 'Which person? Please send first and last name.'
  if (slot.kind === 'window' || slot.kind === 'from' || slot.kind === 'to' || slot.kind === 'date')
    return 'Which time, such as "the last week" or "since 2025-06-01"?'
  if (slot.kind === 'country' || slot.kind === 'country_code') return 'Which country?'
  if (slot.kind === 'state') return 'Which US state?'
  if (slot.kind === 'city' || slot.kind === 'place') return 'Which place?'
  return askFor(name, schema.description)
}

/** "Which action fits: 1) … or 2) …?" with what the first one would lose of the intent. */
export function choiceQuestion(
  candidates: readonly Candidate[],
  lost: readonly string[],
  isDoubtful: boolean,
): string {
  const unplaced = isDoubtful
    ? 'Probably nothing in the catalog matches.'
    : lost.length === 0
      ? 'The match is uncertain.'
      : `${listWords(lost.slice(0, MOST_LOST).map((text) => `"${cut(text, 40)}"`))} ${lost.length > 1 ? 'have' : 'has'} no place in the best match.`
  const options = candidates.map(
    ({ target, summary }, at) => `${at + 1}) ${nameOf(target)} (${cut(summary, 60)})`,
  )
  return options.length === 1
    ? `${unplaced} Use ${nameOf(candidates[0]?.target ?? NO_TARGET)} anyway? Reply "yes", or describe the task in different words.`
    : `${unplaced} Which action fits: ${options.slice(0, -1).join(', ')} or ${options.at(-1)}?`
}

const MOST_LOST = 2
const NO_TARGET = { service: '', action: '', endpoint: null }

/** Short: an endpoint stands alone, as its path names the task. */
function nameOf({ service, action, endpoint }: Candidate['target']): string {
  return endpoint === null ? `${service}/${action}` : endpoint
}

function cut(text: string, most: number): string {
  const plain = text.replace(/[.]$/, '')
  return plain.length <= most ? plain : `${plain.slice(0, most - 1).trimEnd()}…`
}

function listWords(words: readonly string[]): string {
  return words.length < 2
    ? (words[0] ?? '')
    : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

export function priceQuestion({ target, call }: Candidate): string {
  return `${target.service}/${target.action} can cost up to ${((call?.max_cost_cents ?? 0) / 100).toFixed(2)} USD. Is that acceptable? Reply "yes", or name a cheaper task.`
}

const MOST_CHOICES = 8

function listChoices(choices: readonly string[]): string {
  const shown = choices.slice(0, MOST_CHOICES)
  return choices.length > MOST_CHOICES
    ? `${shown.join(', ')} or another`
    : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`
}

function askFor(name: string, description: string | undefined): string {
  const first = (description ?? '').split(/(?<=[.:;])\s/)[0]?.replace(/[.:;]$/, '') ?? ''
  return first === '' ? `What is the ${toWords(name)}?` : `What should "${name}" be? (${first}.)`
}

function toWords(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase()
}
