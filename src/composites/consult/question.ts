/** Writes one short question for a missing field. */
import { choicesOf } from './slots.ts'
import type { Missing } from './fill.ts'
import type { EntityKind } from './entity-rules.ts'

const NAMED: Readonly<Partial<Record<EntityKind, string>>> = {
  linkedin: 'Which LinkedIn profile? Please send its URL.',
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
  wallet: 'Which wallet address?',
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
  if (slot.kind === 'person_part') return 'Which person? Please send first and last name.'
  if (slot.kind === 'window' || slot.kind === 'from' || slot.kind === 'to' || slot.kind === 'date')
    return 'Which time, such as "the last week" or "since 2025-06-01"?'
  if (slot.kind === 'country') return 'Which country?'
  if (slot.kind === 'state') return 'Which US state?'
  if (slot.kind === 'city' || slot.kind === 'place') return 'Which place?'
  return askFor(name, schema.description)
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
