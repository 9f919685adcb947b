/** One short question for what is missing. */
import { choicesOf } from './slots.ts'
import type { Missing } from './fill.ts'
import type { EntityKind } from './entities.ts'

const NAMED: Readonly<Partial<Record<EntityKind, string>>> = {
  linkedin: 'Which LinkedIn profile? Its address, please.',
  url: 'Which page? Its address, please.',
  email: 'Which e-mail address?',
  domain: 'Which company domain, such as example.com?',
  phone: 'Which phone number?',
  person: 'Which person? First and last name, please.',
  company: 'Which company or organisation?',
  handle: 'Which user name?',
  hashtag: 'Which hashtag?',
  ticker: 'Which ticker symbol?',
  cik: 'Which company? Its CIK number at the SEC, please.',
  ein: 'Which organisation? Its EIN, please.',
  zip: 'Which five-digit ZIP code?',
  address: 'Which address? Street, city, state and ZIP code, please.',
  flight: 'Which flight number, such as LH400?',
  airport: 'Which airport? Its three-letter code, such as FRA, please.',
  docket: 'Which docket number?',
  wallet: 'Which wallet address?',
  vat: 'Which VAT number, with the letters of its country?',
  citation: 'Which citation, such as 40 CFR 60.1?',
}

export function questionFor({ name, schema, slot }: Missing): string {
  const choices = choicesOf(schema)
  if (choices !== undefined) return `Which ${spoken(name)}: ${listed(choices)}?`
  if (slot.kind === 'named') return NAMED[slot.of[0] ?? 'id'] ?? asked(name, schema.description)
  if (slot.kind === 'text' || slot.kind === 'title')
    return slot.kind === 'text' && /query|^q$|search|term|keyword/.test(name)
      ? 'What should be searched for?'
      : asked(name, schema.description)
  if (slot.kind === 'inbox')
    return 'Which inbox? Its address, please; inbox/create_inbox makes one.'
  if (slot.kind === 'recipient') return 'To whom? An e-mail address, please.'
  if (slot.kind === 'subject_line') return 'What is the subject of the message?'
  if (slot.kind === 'message') return 'What should the message say?'
  if (slot.kind === 'person_part') return 'Which person? First and last name, please.'
  if (slot.kind === 'window' || slot.kind === 'from' || slot.kind === 'to' || slot.kind === 'date')
    return 'From which time, such as "the last week" or "since 2025-06-01"?'
  if (slot.kind === 'country') return 'Which country?'
  if (slot.kind === 'state') return 'Which US state?'
  if (slot.kind === 'city' || slot.kind === 'place') return 'Which place?'
  return asked(name, schema.description)
}

const MOST_CHOICES = 8

function listed(choices: readonly string[]): string {
  const shown = choices.slice(0, MOST_CHOICES)
  return choices.length > MOST_CHOICES
    ? `${shown.join(', ')} or another`
    : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`
}

function asked(name: string, description: string | undefined): string {
  const first = (description ?? '').split(/(?<=[.:;])\s/)[0]?.replace(/[.:;]$/, '') ?? ''
  return first === '' ? `What is the ${spoken(name)}?` : `What should "${name}" be? (${first}.)`
}

function spoken(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase()
}
