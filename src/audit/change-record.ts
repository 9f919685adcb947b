import { toRfc3339 } from '../lib/clock.ts'
import { publicId, type Id } from '../lib/ids.ts'
import { formatDollars } from '../lib/money.ts'

export const CHANGE_SUBJECTS = [
  'account',
  'key',
  'limit',
  'daily_cap',
  'password',
  'passkey',
  'provider',
  'member',
  'invitation',
  'credit',
  'automatic_topup',
  'bodies',
  'price',
  'sign_in_link',
  'vendor_key',
  'gone_route',
  'payment',
  'job',
  'webhook',
  'delivery',
  'backup',
  'checks',
] as const
export type ChangeSubject = (typeof CHANGE_SUBJECTS)[number]

/** A field's value before and after the change; "hidden" for secrets. */
export type FieldChange = readonly [before: unknown, after: unknown] | 'hidden'

/** One entry of the audit log. */
export type ChangeRecord = {
  readonly id: string
  readonly changed_at: string
  readonly account_id: string | null
  /** Such as "key agk_…", "member mem_…", "operator root" or "gateway". */
  readonly author: string
  /** A network address or "command line"; null for the gateway itself. */
  readonly origin: string | null
  readonly request_id: string | null
  /** Why an operator made the change. */
  readonly reason: string | null
  readonly subject: ChangeSubject
  readonly subject_id: string
  readonly what: 'created' | 'changed' | 'deleted'
  readonly fields: Readonly<Record<string, FieldChange>>
}

/** The columns of an export, in their order. */
export const CHANGE_COLUMNS = [
  'id',
  'changed_at',
  'account_id',
  'author',
  'origin',
  'request_id',
  'reason',
  'subject',
  'subject_id',
  'what',
  'fields',
] as const satisfies readonly (keyof ChangeRecord)[]

export type ChangeRow = Omit<ChangeRecord, 'id' | 'changed_at' | 'account_id'> & {
  readonly id: bigint
  readonly changed_at: Date
  readonly account_id: Id | null
}

export function changeRecord(row: ChangeRow): ChangeRecord {
  const { subject, subject_id: id, account_id: account } = row
  return {
    ...row,
    id: `chg_${row.id}`,
    changed_at: toRfc3339(row.changed_at.getTime()),
    account_id: account === null ? null : publicId('account', account),
    subject_id: publicSubjectId(subject, id),
  }
}

function publicSubjectId(subject: ChangeSubject, id: string): string {
  if (subject === 'key' || subject === 'limit') return publicId('key', id)
  if (SUBJECTS_OF_ACCOUNTS.has(subject)) return publicId('account', id)
  if (subject === 'invitation') return publicId('invitation', id)
  return SUBJECTS_OF_PEOPLE.has(subject) ? publicId('member', id) : id
}

/** Their id is the account's. */
const SUBJECTS_OF_ACCOUNTS: ReadonlySet<ChangeSubject> = new Set([
  'account',
  'sign_in_link',
  'automatic_topup',
  'bodies',
])

/** Their id is the member's. */
const SUBJECTS_OF_PEOPLE: ReadonlySet<ChangeSubject> = new Set([
  'password',
  'passkey',
  'provider',
  'member',
])

/** The change in words, such as "limit of key agk_…: ceiling $5.00 → $10.00". */
export function describeChange({ subject, subject_id: id, what, fields }: ChangeRecord): string {
  const changes = Object.entries(fields)
    .filter(
      ([, change]) =>
        what !== 'created' || (change !== 'hidden' && change[1] !== null && change[1] !== false),
    )
    .map(([name, change]) => describeField(name, change, what))
  const head = `${SUBJECT_NAMES[subject]} ${id} ${what}`
  return changes.length === 0 ? head : `${head}: ${changes.join(', ')}`
}

const SUBJECT_NAMES: Readonly<Record<ChangeSubject, string>> = {
  account: 'account',
  key: 'key',
  limit: 'limit of key',
  daily_cap: 'daily cap of wallet',
  password: 'password of',
  passkey: 'passkey of',
  provider: 'sign-in provider of',
  member: 'member',
  invitation: 'invitation',
  credit: 'credit of account',
  automatic_topup: 'automatic top-up of account',
  bodies: 'stored requests and answers of account',
  price: 'price of',
  sign_in_link: 'sign-in link of account',
  vendor_key: 'vendor key',
  gone_route: 'gone route',
  payment: 'payment',
  job: 'job',
  webhook: 'webhook',
  delivery: 'delivery',
  backup: 'backup',
  checks: 'checks',
}

/** The words of the pages for fields of the tables. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  breaker: 'loop breaker',
  ceiling_micros: 'limit',
  ceiling_period: 'limit per',
  is_operator: 'operator',
  is_owner: 'owner of the gateway',
  is_primary: 'primary',
  key_copied: 'first key copied',
  key_prefix: 'begins with',
  period: 'limit per',
  steps_dismissed: 'first steps dismissed',
}

function describeField(name: string, change: FieldChange, what: ChangeRecord['what']): string {
  const label = FIELD_NAMES[name] ?? name.replace(/_(micros|hash|ms|id)$/, '').replaceAll('_', ' ')
  if (change === 'hidden') return `${label} replaced`
  if (change[1] === true && change[0] !== true) return label
  const [before, after] = change.map((value) => describeValue(name, value))
  if (what === 'created' || change[0] === null) return `${label} ${after}`
  return what === 'deleted' ? `${label} ${before}` : `${label} ${before} → ${after}`
}

function describeValue(name: string, value: unknown): string {
  if (value === null) return 'none'
  if (name.endsWith('_micros') && typeof value === 'number') return formatDollars(BigInt(value))
  if (name.endsWith('_ms') && typeof value === 'number') return toRfc3339(value)
  if (name === 'parent_id' && typeof value === 'string') return publicId('key', value)
  if (name === 'person_id' && typeof value === 'string') return publicId('member', value)
  if (Array.isArray(value)) return value.join(' ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
