/** The kinds of entities in an intent, and the form of the rules that read them. */

const ENTITY_KINDS = [
  'linkedin',
  'url',
  'email',
  'domain',
  'doi',
  'trial',
  'wallet',
  'hash',
  'ens',
  'iban',
  'bic',
  'lei',
  'ip',
  'ein',
  'cik',
  'accession',
  'vin',
  'cve',
  'advisory',
  'isbn',
  'vat',
  'eori',
  'ndc',
  'document',
  'container',
  'cron',
  'query',
  'citation',
  'address',
  'coordinates',
  'phone',
  'handle',
  'hashtag',
  'ticker',
  'flight',
  'airport',
  'docket',
  'zip',
  'label',
  'quoted',
  'person',
  'company',
  'place',
  'id',
  'money',
  'duration',
  'ratio',
  'currency',
  'code',
] as const
export type EntityKind = (typeof ENTITY_KINDS)[number]

export type Rule = {
  readonly kind: EntityKind
  readonly pattern: RegExp
  /** Replaces the entity in the text of the catalog search. */
  readonly mask: string
  /** The rule applies only to an intent that matches. */
  readonly when?: RegExp
  /** Converts a match to the value. Without it, the value is the matched text. */
  readonly read?: (groups: readonly (string | undefined)[]) => string
}
