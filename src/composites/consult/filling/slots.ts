/** Recognises the meaning of a parameter by its name, type and description. */
import type { JsonSchema } from '../../../catalog/published/json-schema.ts'
import type { EntityKind } from '../reading/entity-kind.ts'

export type Slot =
  /** One of these kinds of entities, the best first. */
  | { readonly kind: 'named'; readonly of: readonly EntityKind[] }
  | { readonly kind: 'person_part'; readonly part: 'first' | 'last' }
  | {
      readonly kind:
        | 'country'
        | 'country_code'
        | 'state'
        | 'city'
        | 'place'
        | 'count'
        | 'date'
        | 'from'
        | 'to'
        | 'window'
        | 'inbox'
        | 'recipient'
        | 'subject_line'
        | 'message'
        | 'title'
        | 'role'
        | 'text'
        | 'prompt'
        | 'speech'
        | 'chat'
        | 'currency'
        | 'coin'
        | 'chain'
        | 'pair'
        | 'exchange'
        | 'model_name'
        | 'make'
        | 'model'
        | 'year'
        | 'language'
        | 'tags'
        | 'version'
        | 'ecosystem'
        | 'package'
        | 'commit'
        | 'media'
        | 'subject'
        | 'command'
        | 'site'
        | 'indicator'
        | 'license'
        | 'flag'
        | 'choice'
        | 'number'
        | 'latitude'
        | 'longitude'
        | 'other'
    }

const named = (...of: EntityKind[]): Slot => ({ kind: 'named', of })

/** The first matching rule decides. Names are in snake case. */
const BY_NAME: readonly (readonly [RegExp, Slot])[] = [
  [/^include_?domains$/, { kind: 'site' }],
  [/^(swift|bic)(_code)?$/, named('bic')],
  [/^lei$/, named('lei')],
  [/^make$/, { kind: 'make' }],
  [/^model$/, { kind: 'model_name' }],
  [/^pair$/, { kind: 'pair' }],
  [/^chain$/, { kind: 'chain' }],
  [/^geo$/, { kind: 'country' }],
  [/^expiration(_date)?$/, { kind: 'date' }],
  [/^exchange$/, { kind: 'exchange' }],
  [/^year$/, { kind: 'year' }],
  [/^(search_)?lang(uage)?(_code)?$/, { kind: 'language' }],
  [/^tags$/, { kind: 'tags' }],
  [/^version$/, { kind: 'version' }],
  [/^ecosystem$/, { kind: 'ecosystem' }],
  [/^package_name$/, { kind: 'package' }],
  [/^commit$/, { kind: 'commit' }],
  [/^(image|video|audio|end_image)_urls?$/, { kind: 'media' }],
  [/^ip(_address)?$/, named('ip')],
  [/^eori/, named('eori')],
  [/^ndc$/, named('ndc')],
  [/^cron/, named('cron')],
  [/^sparql$/, named('query')],
  [/^container_number$/, named('container', 'code')],
  [/^document_number$/, named('document')],
  [/^(hash|txid|tx_hash|transaction_hash)$/, named('hash')],
  [/^host$/, named('domain', 'url', 'ip')],
  [/^(contract_|token_|wallet_)address$/, named('wallet')],
  [/^ratio$|^aspect_ratio$/, named('ratio')],
  [/^messages$/, { kind: 'chat' }],
  [/^(incoterm|product|substance|protocol|drug|publication)$/, { kind: 'subject' }],
  [/linkedin|^profile(_url)?s?$|^profile_urls$/, named('linkedin')],
  // The page of a person on a platform, never the site of a company.
  [/^social_media_url$/, named('linkedin', 'url')],
  [/(^|_)e?mails?$/, named('email')],
  [/^inbox_?id$/, { kind: 'inbox' }],
  [
    /^(seed_|company_|website_)?domains?(_or)?$|^domain_or_company$|^hostname$/,
    named('domain', 'url', 'email'),
  ],
  [/(^|_)phone(_number)?s?$/, named('phone')],
  [/^first_?names?$/, { kind: 'person_part', part: 'first' }],
  [/^last_?names?$|^surname$/, { kind: 'person_part', part: 'last' }],
  [/^(full_?name|person|person_name|author|contact_name|judge)$/, named('person')],
  [/^(entity_?|subject_?)?name$/, named('quoted', 'person', 'company', 'ens')],
  [
    /^(user_?names?|user_names|screen_?names?|handles?|unique_id|channel_?name|account)$/,
    named('handle', 'person'),
  ],
  [/hash_?tags?|^challenge(_name)?$/, named('hashtag')],
  [/^(ticker|symbol)s?$/, named('ticker')],
  [/^cik$/, named('cik')],
  [/^ein$/, named('ein')],
  [/^accession(_number)?$/, named('accession')],
  [/^doi$/, named('doi')],
  [/^(nct(_?id)?)$/, named('trial')],
  [/^iban$/, named('iban')],
  [/^vin$/, named('vin')],
  [/^cve(_?id)?$/, named('cve')],
  [/^isbn$/, named('isbn')],
  [/^vat(_(number|id))?$/, named('vat')],
  [/^citation$/, named('citation')],
  [/wallet/, named('wallet')],
  [/^flight(_iata|_number)?$/, named('flight')],
  [/^(dep_|arr_)?iata(_?code)?$|^airport$/, named('airport')],
  [/^docket_number$/, named('docket')],
  [/^zip(_?code)?$|^postal_?code$/, named('zip')],
  [
    /^(company|companies|company_?name(_or)?|organization|organisation|employer|party_name|business(_name)?|brand|supplier|publication)$/,
    named('company', 'person', 'domain'),
  ],
  [/^acquiring_company$/, named('company', 'person', 'domain')],
  [/^(street_?)?address$/, named('address', 'wallet')],
  [/^(lat|latitude)$/, { kind: 'latitude' }],
  [/^(lon|lng|longitude)$/, { kind: 'longitude' }],
  [/country/, { kind: 'country' }],
  [/^state$/, { kind: 'state' }],
  [/^city$/, { kind: 'city' }],
  [/location|^place$|^region$|^area$/, { kind: 'place' }],
  [/job_?titles?|title_or|^titles?_|^position$|^role$/, { kind: 'role' }],
  [
    /freshness|time_?range|timespan|^tbs$|^period$|^date_preset$|^posted_(at|limit)$|max_age_days/,
    { kind: 'window' },
  ],
  [
    /(^|_)(gte|after|since)$|^(published|posted)_from$|^(from|start)(_?date|dt|date_?time|_?time)?$|^start_published_date$|^date_(from|start)$/,
    { kind: 'from' },
  ],
  [
    /(^|_)(lte|before|until)$|^(published|posted)_to$|^(to|end)(_?date|dt|date_?time|_?time)?$|^end_published_date$|^date_(to|end)$/,
    { kind: 'to' },
  ],
  [/^(date|day|timestamp)$/, { kind: 'date' }],
  [
    /^(limit|count|num_?results|max_?results|per_?page|page_?size|size|max_?items|max_?records|max_?pages|top|top_?k|n|num_images|rows)$/,
    { kind: 'count' },
  ],
  [/^subtitle_url$/, { kind: 'other' }],
  [
    /(^|_)(urls?|links?|websites?|pages?)$|^(target|start|post|profile|image|video)_?ur[il]s?$/,
    named('url', 'domain', 'linkedin'),
  ],
  [
    /^(siren|siret|nif|cif|abn|uen|ico|dic|oib|afm|cnpj|swift|identifier|license_number|sort_code)$|(^|_)(number|code|cro|krs|cvr|uid)$|^(business|company|officer|data_box|tax|id)_(id|number)$/,
    named('code', 'ein'),
  ],
  [/(^|_)ids?$/, named('id', 'handle')],
  [/^(title|page_title|article)$/, { kind: 'title' }],
  [/^(command|code)$/, { kind: 'command' }],
  [
    /^(q|query|search|searches|search_?(query|queries|term|terms|strings?|strings_array)|term|terms|keywords?|prompt|intent|objective|input|text|question|brief|goal|description|filter_text|activity(_question)?|task|case_name|variations|company_query|topic|subject|item)$/,
    { kind: 'text' },
  ],
]

/** Kinds whose value is found by its meaning, then matched with the allowed values. */
const CHOSEN_BY_MEANING: ReadonlySet<Slot['kind']> = new Set(['window', 'language', 'country'])

/** `about` is the endpoint or name of the action, for fields with different meanings. */
export function slotOf(name: string, schema: JsonSchema, about = ''): Slot {
  const type = typeOf(schema)
  if (type === 'boolean') return { kind: 'flag' }
  const plainName = toSnakeCase(name)
  const found =
    slotWithin(about, name) ??
    messageSlot(name, schema) ??
    publicNumberSlot(name, schema) ??
    BY_NAME.find(([pattern]) => pattern.test(plainName))?.[1]
  if (choicesOf(schema) !== undefined)
    return found !== undefined && CHOSEN_BY_MEANING.has(found.kind) ? found : { kind: 'choice' }
  const byText = found ?? byDescription(schema)
  if (type === 'integer' || type === 'number')
    return byText.kind === 'count' ||
      byText.kind === 'latitude' ||
      byText.kind === 'longitude' ||
      byText.kind === 'window' ||
      byText.kind === 'year'
      ? byText
      : { kind: 'number' }
  return byText
}

/** Fields whose meaning depends on the action. */
function slotWithin(about: string, name: string): Slot | undefined {
  if (name === 'model' && /vehicle/.test(about)) return { kind: 'model' }
  if (/currency|exchange-rate|\/fx\//.test(about) && /^(?:from|to|base|symbols)$/.test(name))
    return about.includes('/history') && /^(?:from|to)$/.test(name)
      ? undefined
      : { kind: 'currency' }
  if (/\/crypto\//.test(about) && name === 'currency') return { kind: 'currency' }
  if (/vulns\/package|package-security/.test(about) && name === 'name') return { kind: 'package' }
  if (/\/crypto\//.test(about) && name === 'ids') return { kind: 'coin' }
  if (about === '/macro/worldbank' && name === 'country') return { kind: 'country_code' }
  if (about === '/vulns/get' && name === 'id') return named('advisory', 'cve')
  if (about === '/macro/worldbank' && name === 'indicator') return { kind: 'indicator' }
  if (/license-compatibility/.test(about) && name === 'licenses') return { kind: 'license' }
  // These lists are those of a website, not of a search term.
  if (/\/(?:serp_api|competitors_api)\/(?!.*SerpAnalysis)/.test(about) && name === 'query')
    return named('domain', 'url')
  return undefined
}

/** The fields of a message. Elsewhere `to`, `subject` and `text` have other meanings. */
function messageSlot(name: string, { description = '' }: JsonSchema): Slot | undefined {
  if (name === 'prompt' && /result|image|picture/i.test(description)) return { kind: 'prompt' }
  if (name === 'text' && /to speak/i.test(description)) return { kind: 'speech' }
  if (name === 'to') return /whom|recipient/i.test(description) ? { kind: 'recipient' } : undefined
  if (!/\bmessage\b/i.test(description)) return undefined
  if (name === 'subject') return { kind: 'subject_line' }
  return name === 'text' ? { kind: 'message' } : undefined
}

/** An id that may be a public number: "Id of the vehicle, or a VIN". */
function publicNumberSlot(name: string, { description = '' }: JsonSchema): Slot | undefined {
  const kinds =
    toSnakeCase(name) === 'id'
      ? PUBLIC_NUMBERS.flatMap(([pattern, kind]) => (pattern.test(description) ? [kind] : []))
      : []
  return kinds.length === 0 ? undefined : named(...kinds, 'id')
}

const PUBLIC_NUMBERS: readonly (readonly [RegExp, EntityKind])[] = [
  [/\bVIN\b/, 'vin'],
  [/\bdoi\b/i, 'doi'],
  [/\bNCT\d/, 'trial'],
]

function byDescription({ description = '' }: JsonSchema): Slot {
  if (/linkedin/i.test(description)) return named('linkedin', 'url')
  if (/e-?mail address/i.test(description)) return named('email')
  if (/\b(address|url) of (the|a) (page|site|video|post)/i.test(description)) return named('url')
  if (/\bname of (the|a) (company|business|organi[sz]ation)/i.test(description))
    return named('company')
  if (/\bname of (the|a) (person|individual)/i.test(description)) return named('person')
  return { kind: 'other' }
}

/** Converts "startPublishedDate" and "start-published-date" to "start_published_date". */
function toSnakeCase(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()
}

export function typeOf(schema: JsonSchema): string | undefined {
  if (typeof schema.type === 'string') return schema.type
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map(typeOf)
  // A field that accepts true or an object of options is a switch.
  return branches.includes('boolean')
    ? 'boolean'
    : branches.includes('number')
      ? 'number'
      : branches.includes('string')
        ? 'string'
        : branches[0]
}

/** The allowed values of a field, or of a list's items. */
export function choicesOf({ enum: own, items }: JsonSchema): readonly string[] | undefined {
  const values = own ?? items?.enum
  return values?.filter((value) => typeof value === 'string')
}
