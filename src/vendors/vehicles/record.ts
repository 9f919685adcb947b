import { Type } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { filledRows } from '../../catalog/answers/filled.ts'
import { tempoMerchant } from '../../catalog/vocabulary/merchant.ts'
import { unreadableReply } from '../shared/open-sources.ts'
import { failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import {
  anyObject,
  found,
  foundInOpenSource,
  merchant,
  merchantPrice,
  recordFound,
  rowsOf,
} from '../shared/records.ts'
import { asText, field } from '../../catalog/answers/vendor-failure.ts'
import { get, noAuth, type Reply, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { returns } from './returns.ts'

const apex = merchant('https://api.apex-db.org/v1', 'https://api.apex-db.org/openapi.json')

/** The fuel economy guide of the EPA, and the NHTSA's catalog of vehicle identification numbers. */
const government: Vendor = {
  label: 'fueleconomy',
  baseUrl: 'https://www.fueleconomy.gov',
  origins: { nhtsa: 'https://vpic.nhtsa.dot.gov' },
  auth: noAuth,
  limits: { perSecond: 5 },
  docsUrl: 'https://www.fueleconomy.gov/feg/ws/',
}

type Search = { q?: string; make?: string; model?: string; year?: number }
const VIN = /^[A-HJ-NPR-Z0-9]{17}$/i

/** Make, model and year, also from words such as "2020 Toyota Camry". */
function parseVehicle({ q = '', make, model, year }: Search): Search {
  const stated = /\b(19[89]\d|20\d\d)\b/.exec(q)?.[0]
  const words = q
    .replace(stated ?? '', '')
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
  // Words next to a make belong to its model, except the make itself.
  const [first] = words
  const others = (
    make === undefined || make.toLowerCase() === first?.toLowerCase() ? words.slice(1) : words
  ).join(' ')
  const more = {
    make: make ?? first,
    model: model ?? (others === '' ? undefined : others),
    year: year ?? (stated === undefined ? undefined : Number(stated)),
  }
  return Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined))
}

/** Rejects input that the source's menus do not support. */
function checkMenu(input: Search): void {
  const { make = '', model = '', year = '' } = parseVehicle(input)
  const heeded = `${make} ${model} ${year}`.toLowerCase().split(/\s+/)
  const unheeded = (input.q ?? '')
    .split(/\s+/)
    .find((word) => !heeded.includes(word.toLowerCase()) && word !== '')
  if (unheeded !== undefined)
    throw new AppError(
      'invalid_params',
      `The public source lists vehicles only by make, model and year. It does not support "${unheeded.slice(0, 60)}".`,
      { param: 'q', fix: 'Remove "q", or send the full model name in "model".' },
    )
  if (year === '')
    throw new AppError('invalid_params', 'The public source lists vehicles by model year.', {
      param: 'year',
      fix: 'Send "year", with "make" and "model" if known.',
    })
}

/**
 * The next menu: the makes of a year, the models of a make, or the versions of a model. A single
 * entry is not a list there.
 */
function menuRequest(input: Search) {
  const { make, model, year } = parseVehicle(input)
  const menu = make === undefined ? 'make' : model === undefined ? 'model' : 'options'
  return get(`/ws/rest/vehicle/menu/${menu}`, { year, make, model })
}

/** The service returns "null" for an empty result. Any other text is not its answer. */
function isAway(body: unknown): boolean {
  return typeof body === 'string' && !['', 'null'].includes(body.trim())
}

function menuOutcome({ body }: Reply, input: Search): Outcome {
  if (isAway(body)) return unreadableReply()
  const items = field(body, 'menuItem')
  const named = parseVehicle(input)
  const rows = filledRows([items].flat()).map((item) => ({
    id: named.model === undefined ? null : field(item, 'value'),
    name: field(item, 'text'),
    ...named,
  }))
  return foundInOpenSource({ results: rows, source: 'fueleconomy.gov' }, rows)
}

const paid = { at: tempoMerchant(apex.baseUrl) }
const shared = { priceSource: 'Cap: the merchant’s listed price, 2026-08.', timeoutMs: 30_000 }

export const service = defineService({
  id: 'vehicles',
  title: 'Vehicles and their specifications',
  category: 'public records',
  vendor: apex,
  returns,
  actions: {
    search: call({
      ...shared,
      title: 'Search vehicles',
      summary: 'Find vehicles by make, model and year.',
      keywords: ['car', 'truck', 'automobile', 'fuel economy', 'mpg', 'mileage', 'specifications'],
      input: params(
        {
          q: optional(text('Words, such as "2020 Toyota Camry".', 200)),
          make: optional(text('Make, such as "Toyota".', 60)),
          model: optional(text('Model, such as "Camry".', 60)),
          year: optional(whole('Model year.', 1900, 2100)),
        },
        { anyOf: ['q', 'make', 'model', 'year'].map((name) => ({ required: [name] })) },
      ),
      example: { make: 'Toyota', model: 'Camry', year: 2020 },
      price: merchantPrice(cents('10')),
      merchant: paid,
      request: ({ q, make, model, year }) =>
        get('/apex', { q, brand: make, model, model_year: year }),
      reply: anyObject,
      outcome: ({ body }) => found(body, rowsOf(body)),
      openSource: {
        vendor: government,
        check: checkMenu,
        demands: {
          oneOf: ['year', 'q'],
          words:
            'On this gateway a public source lists vehicles by model year: send "year", or name the year in "q".',
        },
        request: menuRequest,
        reply: Type.Union([Type.Object({}), Type.Null(), Type.String()]),
        outcome: menuOutcome,
      },
    }),
    get: call({
      ...shared,
      title: 'Vehicle by id or VIN',
      summary: 'Read one vehicle by its id from vehicles/search, or by its VIN.',
      keywords: ['vin decoder', 'vehicle identification number', 'mpg'],
      input: params({
        id: text('Id of the vehicle, or a VIN of 17 characters.', 100, {
          pattern: '^[A-Za-z0-9_:.-]+$',
        }),
      }),
      example: { id: '41393' },
      price: merchantPrice(cents('2.5')),
      merchant: paid,
      request: ({ id }) => get(`/apex/${encodeURIComponent(id)}`),
      reply: anyObject,
      outcome: recordFound,
      openSource: {
        vendor: government,
        request: ({ id }) =>
          VIN.test(id)
            ? { ...get(`/api/vehicles/DecodeVinValues/${id}`, { format: 'json' }), origin: 'nhtsa' }
            : get(`/ws/rest/vehicle/${encodeURIComponent(id)}`),
        reply: Type.Union([Type.Object({}), Type.Null(), Type.String()]),
        outcome: ({ body }, { id }) => {
          if (isAway(body)) return unreadableReply()
          const decoded = field(body, 'Results')
          const vehicle: unknown = Array.isArray(decoded) ? decoded[0] : body
          // An unknown VIN is decoded into a row of empty fields.
          const isKnown = Array.isArray(decoded)
            ? Boolean(field(vehicle, 'Make'))
            : asText(field(vehicle, 'id')) !== ''
          return isKnown
            ? foundInOpenSource({ id, vehicle }, [vehicle])
            : failed('upstream_not_found', `No vehicle has the id "${id}".`)
        },
      },
    }),
  },
})
