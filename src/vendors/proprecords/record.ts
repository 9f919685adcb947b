import { Type, type Static } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { choice, flag, NOT_BLANK, optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { done, empty, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { anyObject, found } from '../shared/records.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { field, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import {
  get,
  keyHeader,
  type QueryValue,
  type Reply,
  type Vendor,
  type WireRequest,
} from '../../catalog/vocabulary/wire.ts'
import { returns } from './returns.ts'

const rentCast: Vendor = {
  baseUrl: 'https://api.rentcast.io/v1',
  auth: keyHeader('x-api-key'),
  limits: { perSecond: 20 },
  docsUrl: 'https://developers.rentcast.io/reference/introduction',
  readFailure: (reply) =>
    vendorFailure(reply, {
      vendorCode: field(reply.body, 'error'),
      message: field(reply.body, 'message'),
    }),
}

const TYPES = [
  'Single Family',
  'Condo',
  'Townhouse',
  'Manufactured',
  'Multi-Family',
  'Apartment',
  'Land',
] as const
const range = (description: string) =>
  optional(
    Type.Union(
      [
        Type.Number({ minimum: 0 }),
        Type.String({ maxLength: 40, pattern: '^[0-9]+(\\.[0-9]+)?([-:][0-9]+(\\.[0-9]+)?)?$' }),
      ],
      { description: `${description}: a number, or a range such as "2-4".` },
    ),
  )

const place = {
  address: optional(text('Street, City, State, Zip.', 300, NOT_BLANK)),
  latitude: optional(
    Type.Number({ minimum: -90, maximum: 90, description: 'Latitude of the center.' }),
  ),
  longitude: optional(
    Type.Number({ minimum: -180, maximum: 180, description: 'Longitude of the center.' }),
  ),
}
const area = {
  ...place,
  zipCode: optional(text('Five-digit zip code.', 5, { pattern: '^[0-9]{5}$' })),
  city: optional(text('City. Requires the state.', 100, NOT_BLANK)),
  state: optional(text('Two-letter state.', 2, { pattern: '^[A-Za-z]{2}$' })),
  radius: optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 100,
      description: 'Radius around the center in miles, at most 100.',
    }),
  ),
}
const facts = {
  propertyType: optional(choice('Type of the property.', [...TYPES])),
  bedrooms: range('Bedrooms; 0 is a studio'),
  bathrooms: range('Bathrooms'),
  squareFootage: range('Living area in square feet'),
}
const filters = {
  ...facts,
  lotSize: range('Lot size in square feet'),
  yearBuilt: range('Year of construction'),
}
const page = {
  limit: whole('Maximum number of records.', 1, 100, { default: 50 }),
  offset: whole('Records to skip.', 0, 100_000, { default: 0 }),
}
const anyOf = (...alternatives: readonly string[][]) => ({
  anyOf: alternatives.map((required) => ({ required })),
})
const inArea = anyOf(
  ['address'],
  ['zipCode'],
  ['city', 'state'],
  ['latitude', 'longitude', 'radius'],
)

const recordsInput = params(
  { ...area, ...filters, saleDateRange: range('Days since the last sale'), ...page },
  inArea,
)
const listingsInput = params(
  {
    ...area,
    ...filters,
    status: choice('Active or inactive listings.', ['Active', 'Inactive'], { default: 'Active' }),
    price: range('Price in dollars'),
    daysOld: range('Days since it was listed'),
    ...page,
  },
  inArea,
)
/** Facts of a single property are numbers; the vendor accepts no ranges for them. */
const exactly = (description: string) => optional(Type.Number({ minimum: 0, description }))
const estimateInput = params(
  {
    ...place,
    propertyType: facts.propertyType,
    bedrooms: exactly("Bedrooms, overriding the property's record; 0 is a studio."),
    bathrooms: exactly("Bathrooms, overriding the property's record."),
    squareFootage: exactly("Living area in square feet, overriding the property's record."),
    maxRadius: optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 100,
        description: 'Radius for comparables in miles.',
      }),
    ),
    daysOld: optional(whole('Maximum number of days since a comparable was listed.', 1, 10_000)),
    compCount: whole('Number of comparables for the estimate.', 5, 25, { default: 15 }),
    lookupSubjectAttributes: flag("Fills in missing values from the property's record.", {
      default: true,
    }),
  },
  anyOf(['address'], ['latitude', 'longitude']),
)

/** Ranges and names in the vendor's form: "2:4", "Austin", "TX". */
function query({
  city,
  state,
  ...rest
}: Readonly<Record<string, unknown>>): Record<string, QueryValue> {
  const ranges = Object.entries(rest as Record<string, QueryValue>).map(
    ([name, value]): [string, QueryValue] => [
      name,
      typeof value === 'string' && /^[\d.]+-[\d.]+$/.test(value) ? value.replace('-', ':') : value,
    ],
  )
  return {
    ...Object.fromEntries(ranges),
    city: typeof city === 'string' ? cityName(city) : undefined,
    state: typeof state === 'string' ? state.toUpperCase() : undefined,
  }
}

/**
 * The vendor is case-sensitive. Mixed case stays as typed, as in "McKinney"; other names are
 * capitalized.
 */
function cityName(city: string): string {
  const name = city.trim()
  return /^\p{Lu}.*\p{Ll}/u.test(name)
    ? name
    : name.toLowerCase().replaceAll(/(^|[\s'’-])\p{L}/gu, (start) => start.toUpperCase())
}

/** A search without results has status 404. */
function search(path: string, input: Readonly<Record<string, unknown>>): WireRequest {
  return { ...get(path, query(input)), acceptedStatuses: [404] }
}

const rows = Type.Union([Type.Array(Type.Unknown()), anyObject])
const rowsIn =
  (name: string) =>
  ({ body }: Reply<Static<typeof rows>>): Outcome => {
    const list = Array.isArray(body) ? body : []
    return found({ [name]: list }, list)
  }
const estimate = ({ body }: Reply<Static<typeof anyObject>>): Outcome =>
  typeof (body['price'] ?? body['rent']) === 'number' ? done(body) : empty(body)

const record = {
  price: flat(cents('30')),
  priceSource: "List price, 2026-11; the vendor's plans start at 20¢ per request.",
  timeoutMs: 30_000,
}
const valued = {
  ...record,
  price: flat(cents('35')),
  input: estimateInput,
  example: { address: '5500 Grand Lake Dr, San Antonio, TX, 78244', compCount: 5 },
  reply: anyObject,
  outcome: estimate,
}

export const service = defineService({
  id: 'proprecords',
  title: 'Property records, listings and estimates',
  category: 'real estate',
  vendor: rentCast,
  returns,
  actions: {
    properties: call({
      ...record,
      title: 'Property records',
      summary: 'Find property records by address or area: facts, owner, sales, taxes.',
      keywords: ['house', 'home', 'parcel owner', 'tax assessment', 'real estate'],
      input: recordsInput,
      example: { city: 'Austin', state: 'TX', bedrooms: '2-4', limit: 2 },
      request: (input) => search('/properties', input),
      reply: rows,
      outcome: rowsIn('properties'),
    }),
    'sale-listings': call({
      ...record,
      title: 'Homes for sale',
      summary: 'Find homes for sale by address or area.',
      keywords: ['homes for sale', 'houses for sale', 'mls', 'asking price', 'real estate listing'],
      input: listingsInput,
      example: { zipCode: '78244', limit: 2 },
      request: (input) => search('/listings/sale', input),
      reply: rows,
      outcome: rowsIn('listings'),
    }),
    'rental-listings': call({
      ...record,
      title: 'Homes for rent',
      summary: 'Find homes for rent by address or area.',
      keywords: ['apartments for rent', 'rental', 'asking rent'],
      input: listingsInput,
      example: { zipCode: '78244', limit: 2 },
      request: (input) => search('/listings/rental/long-term', input),
      reply: rows,
      outcome: rowsIn('listings'),
    }),
    'market-stats': call({
      ...record,
      title: 'Housing market of a zip code',
      summary: 'Read the sale and rental market of a zip code: prices, days on market, history.',
      keywords: ['housing market', 'median price', 'rent trend'],
      input: params({
        zipCode: text('Five-digit zip code.', 5, { pattern: '^[0-9]{5}$' }),
        dataType: choice('Sale or rental market, or both.', ['All', 'Sale', 'Rental'], {
          default: 'All',
        }),
        historyRange: whole('Months of history.', 1, 120, { default: 12 }),
      }),
      example: { zipCode: '78244' },
      request: (input) => get('/markets', input),
      reply: Type.Object({
        saleData: Type.Optional(Type.Unknown()),
        rentalData: Type.Optional(Type.Unknown()),
      }),
      outcome: ({ body }) => found(body, [body.saleData, body.rentalData]),
    }),
    'value-estimate': call({
      ...valued,
      title: 'Home value with comparable sales',
      summary: 'Estimate what a property is worth, with the sales on which the estimate is based.',
      keywords: ['avm', 'home value', 'comparables', 'zestimate'],
      request: (input) => search('/avm/value', input),
    }),
    'rent-estimate': call({
      ...valued,
      title: 'Rent estimate with comparables',
      summary: 'Estimate the rent of a property, with the rentals on which the estimate is based.',
      keywords: ['rent value', 'rental comparables'],
      request: (input) => search('/avm/rent/long-term', input),
    }),
  },
})
