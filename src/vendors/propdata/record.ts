import { Type, type Static } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { flag, list, NOT_BLANK, optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { done, empty, failed, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { found } from '../shared/records.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { filledRows, isFilled } from '../../catalog/answers/filled.ts'
import {
  asText,
  mapStatusToCode,
  field,
  vendorFailure,
} from '../../catalog/answers/vendor-failure.ts'
import { keyHeader, post, type Reply, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { searchFilters } from './filters.ts'
import { returns } from './returns.ts'

const realEstateApi: Vendor = {
  baseUrl: 'https://api.realestateapi.com',
  auth: keyHeader('x-api-key'),
  limits: { perSecond: 60 },
  docsUrl: 'https://developer.realestateapi.com/reference',
  readFailure: (reply) =>
    vendorFailure(reply, {
      message: field(reply.body, 'statusMessage') ?? field(reply.body, 'message'),
    }),
}

/** A search for counts or ids without records. */
const SURVEY = cents('2')

const envelope = Type.Object({
  statusCode: Type.Optional(Type.Unknown()),
  data: Type.Optional(Type.Unknown()),
})
type Envelope = Reply<Static<typeof envelope>>

/** The status in the body decides. The HTTP status may still be 200. */
function readRejection({ body }: Envelope): Outcome | undefined {
  const status = Number(asText(body.statusCode))
  if (!(status >= 400)) return undefined
  const words = field(body, 'statusMessage')
  return status === 404
    ? failed('no_results', 'No such property was found.')
    : failed(mapStatusToCode(status), 'The vendor rejected the call.', {
        upstream: {
          service: 'propdata',
          status,
          code: null,
          message: typeof words === 'string' ? words.slice(0, 500) : null,
        },
      })
}

/** The answer if `data` is not empty, otherwise a miss. */
function toOutcome(reply: Envelope): Outcome {
  const { data } = reply.body
  return readRejection(reply) ?? found(reply.body, [data])
}

/** Billed by the returned rows, regardless of the vendor's count. */
function billRows(reply: Envelope, rows: unknown): Outcome {
  const count = Array.isArray(rows) ? filledRows(rows).length : 0
  return (
    readRejection(reply) ??
    (count === 0 ? empty(reply.body) : { kind: 'done', data: reply.body, units: count })
  )
}

const anyOf = (...alternatives: readonly string[][]) => ({
  anyOf: alternatives.map((required) => ({ required })),
})
const degrees = (description: string, most: number) =>
  optional(Type.Number({ minimum: -most, maximum: most, description }))
const middle = {
  latitude: degrees('Latitude of the center.', 90),
  longitude: degrees('Longitude of the center.', 180),
  radius: optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 50,
      description: 'Radius around the center in miles.',
    }),
  ),
}
const corner = params({
  lat: Type.Number({ description: 'Latitude.' }),
  lon: Type.Number({ description: 'Longitude.' }),
})
const polygon = optional(
  Type.Array(corner, { minItems: 3, maxItems: 500, description: 'Corners of the area.' }),
)
const state = optional(text('Two-letter state.', 2, { pattern: '^[A-Za-z]{2}$' }))
const zip = optional(text('Five-digit zip code.', 5, { pattern: '^[0-9]{5}$' }))
const city = optional(text('City.', 100, NOT_BLANK))
const address = optional(text('Full address.', 300, NOT_BLANK))
const id = optional(
  text(
    'Id of the property, from propdata/property-search or propdata/autocomplete.',
    40,
    NOT_BLANK,
  ),
)
const parcelNumber = {
  apn: optional(text("Assessor's parcel number. Requires fips.", 60, NOT_BLANK)),
  fips: optional(text('FIPS code of the county. Requires apn.', 5, { pattern: '^[0-9]{5}$' })),
}

const searchInput = params(
  {
    state,
    city,
    zip,
    address,
    ...middle,
    polygon,
    size: whole('Maximum number of records. Each returned record is charged.', 1, 25, {
      default: 5,
    }),
    resultIndex: optional(whole('Records to skip.', 0, 100_000)),
    count: optional(flag('Survey: returns only the number of matches.')),
    summary: optional(flag('Survey: returns only a summary of the matches.')),
    ids_only: optional(flag('Survey: returns only the ids of the matches.')),
    ...searchFilters,
  },
  anyOf(['state'], ['zip'], ['address'], ['latitude', 'longitude', 'radius'], ['polygon']),
)
type SearchInput = Static<typeof searchInput>
const searchExample = { state: 'VA', city: 'Arlington', beds_min: 3, absentee_owner: true, size: 2 }
const isSurvey = ({
  count,
  summary,
  ids_only: ids,
}: Pick<SearchInput, 'count' | 'summary' | 'ids_only'>) =>
  count === true || summary === true || ids === true

function toSurvey(reply: Envelope): Outcome {
  const count = field(reply.body, 'resultCount')
  return (
    readRejection(reply) ??
    (Number(asText(count)) > 0 || isFilled(field(reply.body, 'summary'))
      ? done(reply.body)
      : toOutcome(reply))
  )
}

const detailInput = params(
  {
    id,
    address,
    house: optional(text('House number.', 20, NOT_BLANK)),
    street: optional(text('Street.', 200, NOT_BLANK)),
    unit: optional(text('Unit.', 20)),
    city,
    state,
    zip,
    ...parcelNumber,
    comps: flag('Adds comparable properties.', { default: false }),
    exact_match: optional(flag('Only exact matches of the address.')),
  },
  anyOf(
    ['id'],
    ['address'],
    ['house', 'street', 'zip'],
    ['house', 'street', 'city', 'state'],
    ['apn', 'fips'],
  ),
)
const addressRow = params(
  {
    key: optional(text('Your own id for the address.', 100)),
    address,
    street: optional(text('House number and street.', 300, NOT_BLANK)),
    city,
    state,
    zip,
  },
  anyOf(['address'], ['street', 'zip'], ['street', 'city', 'state']),
)
const toNumber = (value: unknown) =>
  typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
    ? Number(value)
    : value

/**
 * The vendor sends numbers as text below its own envelope. The answer repeats them as numbers at
 * the top level.
 */
function valuation(reply: Envelope): Outcome {
  const { data } = reply.body
  if (typeof toNumber(field(data, 'avm')) !== 'number')
    return readRejection(reply) ?? empty(reply.body)
  const numbers = Object.fromEntries(
    ['avm', 'avmMin', 'avmMax', 'confidence'].map((name) => [name, toNumber(field(data, name))]),
  )
  return (
    readRejection(reply) ??
    done({ ...numbers, ...reply.body, data: { ...(data as Data), ...numbers } })
  )
}

function comparables({ body }: Envelope): unknown {
  return field(body, 'comps') ?? field(body.data, 'comps') ?? body.data
}

/** The vendor finds a street by its zip code. Without one it expects the address in one line. */
function formatAddress({
  street,
  city: town,
  state: region,
  zip: code,
  ...row
}: Static<typeof addressRow>): object {
  if (row.address !== undefined || code !== undefined || street === undefined)
    return { ...row, street, city: town, state: region, zip: code }
  return { ...row, address: `${street}, ${town}, ${region}` }
}

/**
 * The addresses with a verdict, match or not. An address that the vendor could not interpret has an
 * error instead.
 */
function selectVerdicts(rows: unknown): unknown {
  return Array.isArray(rows) ? rows.filter((row: unknown) => !isFilled(field(row, 'error'))) : rows
}

const shared = { priceSource: 'List price, 2026-11.', timeoutMs: 30_000, reply: envelope }
const perRow = { kind: 'unit', rate: cents('15'), base: cents('5') } as const

export const service = defineService({
  id: 'propdata',
  title: 'Property data, comparables and owners',
  category: 'real estate',
  vendor: realEstateApi,
  returns,
  actions: {
    autocomplete: call({
      ...shared,
      title: 'Complete an address',
      summary:
        'Turn an inexact address into properties, streets, cities, zip codes or counties with their ids.',
      keywords: ['address lookup', 'typeahead', 'normalise address'],
      input: params({
        search: text('The address as typed.', 300, NOT_BLANK),
        search_types: optional(
          list(
            'A address, C city, Z zip, S state, N county, P neighborhood, T street, G parcel.',
            Type.Enum(['A', 'C', 'Z', 'S', 'N', 'P', 'T', 'G']),
            8,
          ),
        ),
      }),
      example: { search: '123 main st arlingtn va' },
      price: flat(cents('1')),
      request: (input) => post('/v2/AutoComplete', input),
      outcome: toOutcome,
    }),
    'property-search': call({
      ...shared,
      title: 'Search properties',
      summary: 'Find properties by place and more than a hundred filters, or count the matches.',
      description:
        'The search costs 5¢ and each returned record 15¢. With the survey flags count, summary or ids_only, a call costs 2¢ and returns no records.',
      keywords: [
        'leads',
        'absentee owner',
        'pre-foreclosure',
        'vacant house',
        'investor',
        'real estate list',
      ],
      input: searchInput,
      example: searchExample,
      price: {
        ...perRow,
        unit: 'record',
        atMost: ({ size }) => size,
        counted: { by: 'number', field: 'size' },
      },
      exceptionalPrice: (input) => (isSurvey(input) ? flat(SURVEY) : undefined),
      leastCharge: SURVEY,
      request: ({ size, ...input }) =>
        post('/v2/PropertySearch', isSurvey(input) ? input : { ...input, size }),
      outcome: (reply, input) =>
        isSurvey(input) ? toSurvey(reply) : billRows(reply, reply.body.data),
    }),
    'property-detail': call({
      ...shared,
      title: 'Property details',
      summary: 'Read all data about a property: owner, mortgage, taxes, sales, demographics.',
      keywords: ['home owner', 'mortgage', 'deed', 'liens'],
      input: detailInput,
      example: { address: '123 Main St, Arlington VA 22205' },
      price: flat(cents('20')),
      request: (input) => post('/v2/PropertyDetail', input),
      outcome: toOutcome,
    }),
    parcel: call({
      ...shared,
      title: 'Parcel outline',
      summary: 'Read the outline of a parcel as GeoJSON.',
      keywords: ['parcel boundary', 'lot shape', 'map'],
      input: params(
        { id, address, ...parcelNumber, ...middle, polygon },
        anyOf(['id'], ['address'], ['apn', 'fips'], ['latitude', 'longitude'], ['polygon']),
      ),
      example: { address: '123 Main St, Arlington VA 22205' },
      price: flat(cents('20')),
      request: (input) => post('/v1/PropertyParcel', input),
      outcome: toOutcome,
    }),
    'property-comps': call({
      ...shared,
      title: 'Comparable sales',
      summary: 'Find comparable sales of a property. Each returned sale is charged.',
      keywords: ['comparables', 'comps', 'appraisal'],
      input: params(
        {
          id,
          address,
          max_results: whole('Maximum number of comparables.', 1, 25, { default: 10 }),
          max_radius_miles: optional(
            Type.Number({
              exclusiveMinimum: 0,
              maximum: 100,
              description: 'Radius in miles.',
            }),
          ),
          max_days_back: optional(whole('Maximum number of days since the sale.', 1, 10_000)),
          exact_match: optional(flag('Only exact matches of the address.')),
        },
        anyOf(['id'], ['address']),
      ),
      example: { address: '123 Main St, Arlington VA 22205', max_results: 3 },
      price: {
        ...perRow,
        unit: 'comparable',
        atMost: ({ max_results: most }) => most,
        counted: { by: 'number', field: 'max_results' },
      },
      request: (input) => post('/v3/PropertyComps', input),
      outcome: (reply) => billRows(reply, comparables(reply)),
    }),
    avm: call({
      ...shared,
      title: 'Home value with confidence',
      summary:
        'Estimate what a property is worth: the value (avm), its lower and upper bound, and a confidence from 0 to 100.',
      keywords: ['home value', 'automated valuation', 'appraisal'],
      input: params(
        { id, address, strict: optional(flag('Only exact matches of the address.')) },
        anyOf(['id'], ['address']),
      ),
      example: { address: '123 Main St, Arlington VA 22205', strict: true },
      price: flat(cents('25')),
      request: (input) => post('/v2/PropertyAvm', input),
      outcome: valuation,
    }),
    skiptrace: call({
      ...shared,
      title: 'People at an address',
      summary: 'Find the people at an address: names, phone numbers, email addresses.',
      keywords: [
        'owner contact',
        'skip tracing',
        'phone of owner',
        'who lives at an address',
        'residents',
      ],
      input: params(
        {
          address: text('Street address. Requires city and state, or zip.', 300, NOT_BLANK),
          city,
          state,
          zip,
          first_name: optional(text('First name.', 100)),
          last_name: optional(text('Last name.', 100)),
          email: optional(text('Email address.', 320)),
          phone: optional(text('Phone number.', 30)),
        },
        anyOf(['city', 'state'], ['zip']),
      ),
      example: { address: '123 Main St', city: 'Arlington', state: 'VA' },
      price: flat(cents('25')),
      limits: { perSecond: 10 },
      request: (input) => post('/v1/SkipTrace', input),
      reply: Type.Object({
        match: Type.Optional(Type.Unknown()),
        output: Type.Optional(Type.Unknown()),
        statusCode: Type.Optional(Type.Unknown()),
      }),
      outcome: (reply) =>
        readRejection(reply) ?? (reply.body.match === true ? done(reply.body) : empty(reply.body)),
    }),
    'address-verify': call({
      ...shared,
      title: 'Verify postal addresses',
      summary:
        'Verify and complete up to ten addresses. A confidence of 0.88 or more counts as a match.',
      keywords: [
        'address validation',
        'standardise address',
        'verify mailing address',
        'postal address',
        'geocode',
      ],
      input: params({
        addresses: list('The addresses.', addressRow, 10),
        strict: optional(flag('Only exact matches.')),
      }),
      example: {
        addresses: [
          { address: '123 Main St, Arlington VA 22205' },
          { street: '1 Example Ave', zip: '22201' },
        ],
      },
      price: {
        ...perRow,
        unit: 'address',
        atMost: ({ addresses }) => addresses.length,
        counted: { by: 'list' },
      },
      request: ({ addresses, ...input }) =>
        post('/v2/AddressVerification', { ...input, addresses: addresses.map(formatAddress) }),
      outcome: (reply) => billRows(reply, selectVerdicts(reply.body.data)),
    }),
  },
})
