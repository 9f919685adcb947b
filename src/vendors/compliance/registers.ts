/** The public registers that answer checks, and their outcomes. */
import { cents } from '../../lib/money.ts'
import { isFields } from '../../lib/json-fields.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { failed, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { foundInOpenSource } from '../shared/records.ts'
import { asText, field } from '../../catalog/answers/vendor-failure.ts'
import { noAuth, type Reply, type Vendor } from '../../catalog/vocabulary/wire.ts'

export const open = (
  label: string,
  baseUrl: string,
  docsUrl: string,
  more: Partial<Vendor> = {},
): Vendor => ({ label, baseUrl, docsUrl, auth: noAuth, limits: { perSecond: 2 }, ...more })
export const gleif = open(
  'gleif',
  'https://api.gleif.org/api/v1',
  'https://www.gleif.org/en/lei-data/gleif-api',
  { limits: { perSecond: 1 } },
)
export const vies = open(
  'vies',
  'https://ec.europa.eu/taxation_customs/vies/rest-api',
  'https://ec.europa.eu/taxation_customs/vies/',
)
export const rdap = open('rdap', 'https://rdap.org', 'https://about.rdap.org/')
export const nager = open('nager', 'https://date.nager.at/api/v3', 'https://date.nager.at/Api')
export const usitc = open('usitc', 'https://hts.usitc.gov/reststop', 'https://hts.usitc.gov/')
export const brreg = open(
  'brreg',
  'https://data.brreg.no/enhetsregisteret/api',
  'https://data.brreg.no/enhetsregisteret/api/dokumentasjon/en/index.html',
)
export const ares = open(
  'ares',
  'https://ares.gov.cz/ekonomicke-subjekty-v-be/rest',
  'https://ares.gov.cz/swagger-ui/',
)
export const prh = open(
  'prh',
  'https://avoindata.prh.fi/opendata-ytj-api/v3',
  'https://avoindata.prh.fi/en',
)
export const sirene = open(
  'sirene',
  'https://recherche-entreprises.api.gouv.fr',
  'https://recherche-entreprises.api.gouv.fr/docs/',
  { limits: { perSecond: 5 } },
)
export const krs = open(
  'krs',
  'https://api-krs.ms.gov.pl/api/krs',
  'https://prs.ms.gov.pl/krs/openApi',
)

export const word = (value: unknown) => encodeURIComponent(asText(value).trim())

/** A register's record with the register's name. A missing record is a free miss. */
export function registerRecord(source: string, at = ''): (reply: Reply) => Outcome {
  return ({ body }) => {
    const record = at === '' ? body : at.split('.').reduce(field, body)
    return isFilled(record)
      ? foundInOpenSource({ source, result: record }, [record])
      : failed('no_results', 'The public register has no entry. Nothing was charged.')
  }
}

/**
 * The list of a source that returns {} for an empty list. Undefined if the answer contains anything
 * else, such as an error or a page token.
 */
export function listIn(body: unknown, name: string): readonly unknown[] | undefined {
  const list = field(body, name) ?? []
  return isFields(body) &&
    Array.isArray(list) &&
    list.every((row) => isFilled(row)) &&
    (list.length > 0 || !isFilled(body))
    ? (list as unknown[])
    : undefined
}

/** A verdict is a result, whether positive or negative. */
export function verdict(fields: Data): Outcome {
  return { kind: 'done', data: fields, actual: cents('1') }
}
