/**
 * Strale: POST /v1/do and /v1/solutions/{slug}/execute with a bearer key. Also the public registers
 * that answer some checks.
 */
import { isMiss, json, openData, SIMULATED } from '../../simulators/open-data.ts'
import { routed } from '../../simulators/routed.ts'
import {
  bearerCredential,
  bodyField,
  type SimulatedReply,
  type SimulatedRequest,
} from '../../simulators/vendor.ts'

const EURO_CENTS = 2

const audit = {
  shareable_url: 'https://example.com/simulated',
  poll_url: '/v1/transactions/simulated',
}

/** Requires the maximum price of the check, like the vendor. */
function checked(
  request: SimulatedRequest,
  told: Readonly<Record<string, unknown>>,
): SimulatedReply {
  const most = Number(bodyField(request, 'max_price_cents'))
  if (!(most > 0))
    return complaint(
      400,
      'invalid_request',
      "'max_price_cents' is required and must be a positive integer (simulated).",
    )
  if (most < EURO_CENTS)
    return complaint(402, 'budget_exceeded', 'The check costs more (simulated).', {
      actual_price_cents: EURO_CENTS,
      max_price_cents: most,
    })
  if (isMiss(request, 'compliance'))
    return complaint(
      500,
      'execution_failed',
      'The capability failed to execute. You were not charged (simulated).',
      { error: 'The register does not answer (simulated).' },
    )
  return json({
    result: {
      transaction_id: 'simulated',
      status: 'completed',
      ...told,
      price_cents: EURO_CENTS,
      latency_ms: 12,
      wallet_balance_cents: 100,
    },
    meta: { audit },
  })
}

function complaint(
  status: number,
  error_code: string,
  message: string,
  details?: unknown,
): SimulatedReply {
  return json({ error_code, message, ...(details === undefined ? {} : { details }) }, status)
}

const compliance = routed({
  credential: bearerCredential,
  quotaStatus: 402,
  failure: (status, reason) =>
    complaint(
      status,
      reason === 'quota' ? 'insufficient_balance' : 'simulated',
      `Simulated failure with status ${status}.`,
    ),
  routes: {
    'POST /v1/do': (request) => {
      const check = bodyField(request, 'capability_slug')
      return checked(request, {
        capability_used: check,
        output: { check, valid: true, note: SIMULATED },
        provenance: { source: 'simulated' },
      })
    },
    'POST /v1/solutions/:slug/execute': (request, { slug = '' }) =>
      checked(request, {
        solution_slug: slug,
        steps: { simulated: { note: SIMULATED } },
        step_count: 1,
      }),
  },
})

const entity = (lei: string) => ({
  type: 'lei-records',
  id: lei,
  attributes: {
    lei,
    entity: { legalName: { name: 'Simulated Entity' }, status: 'ACTIVE' },
    note: SIMULATED,
  },
})

const noEntity = () =>
  json({ errors: [{ status: '404', title: 'Resource not found (simulated)' }] }, 404)

const gleif = openData({
  'GET /lei-records': (request) =>
    json({ data: isMiss(request, 'gleif') ? [] : [entity('5493001KJTIIGC8Y1R12')] }),
  'GET /lei-records/:lei': (_, { lei = '' }) =>
    lei === 'NONE' ? noEntity() : json({ data: entity(lei) }),
  'GET /lei-records/:lei/direct-children': () => json({ data: [entity('5493001KJTIIGC8Y1R99')] }),
  'GET /lei-records/:lei/ultimate-parent': (_, { lei = '' }) =>
    lei === 'NONE' ? noEntity() : json({ data: entity('5493001KJTIIGC8Y1R00') }),
})

const vies = openData({
  'GET /ms/:country/vat/:number': (_, { country, number = '' }) =>
    json({
      isValid: number.startsWith('6'),
      requestDate: '2026-11-20T12:00:00Z',
      userError: number.startsWith('000') ? 'MS_UNAVAILABLE' : 'VALID',
      name: SIMULATED,
      address: `Simulated Street 1, ${country}`,
    }),
})

const rdap = openData({
  'GET /domain/:domain': (_, { domain = '' }) =>
    domain.startsWith('nobody')
      ? json({ errorCode: 404 }, 404)
      : json({
          objectClassName: 'domain',
          ldhName: domain,
          status: ['active'],
          events: [
            { eventAction: 'registration', eventDate: '1995-08-14T04:00:00Z' },
            { eventAction: 'expiration', eventDate: '2027-08-13T04:00:00Z' },
          ],
          nameservers: [{ ldhName: 'ns1.example.net' }],
        }),
})

const nager = openData({
  'GET /PublicHolidays/:year/:country': (_, { year, country }) =>
    json([
      { date: `${year}-12-25`, name: 'Christmas Day', countryCode: country, global: true },
      { date: `${year}-08-15`, name: 'Assumption Day', countryCode: country, global: false },
    ]),
})

const usitc = openData({
  'GET /search': (request) =>
    json(
      isMiss(request, 'usitc')
        ? []
        : [{ htsno: '8712.00.15', description: SIMULATED, general: '11%', indent: '1' }],
    ),
})

const enhet = {
  organisasjonsnummer: '923609016',
  navn: 'SIMULERT ASA',
  konkurs: false,
  underAvvikling: false,
}

const brreg = openData({
  'GET /enheter': (request) =>
    json(
      isMiss(request, 'brreg')
        ? { page: { totalElements: 0 } }
        : { _embedded: { enheter: [enhet] }, page: { totalElements: 1 } },
    ),
  'GET /enheter/:number': (_, { number }) =>
    number === '000000000'
      ? json({ status: 404 }, 404)
      : json({ ...enhet, organisasjonsnummer: number }),
})

const ares = openData({
  'GET /ekonomicke-subjekty/:ico': (_, { ico }) =>
    json({ ico, obchodniJmeno: 'Simulovaná a.s.', pravniForma: '121' }),
})

const prh = openData({
  'GET /companies': (request) =>
    json({
      totalResults: 1,
      companies: isMiss(request, 'prh')
        ? []
        : [
            {
              businessId: { value: request.query.get('businessId') },
              names: [{ name: 'Simuloitu Oyj' }],
            },
          ],
    }),
})

const sirene = openData({
  'GET /search': (request) =>
    json({
      results: isMiss(request, 'sirene')
        ? []
        : [{ siren: request.query.get('q'), nom_complet: 'SOCIÉTÉ SIMULÉE' }],
      total_results: 1,
    }),
})

const krs = openData({
  'GET /OdpisAktualny/:number': (_, { number }) =>
    json({
      odpis: { rodzaj: 'Aktualny', naglowekA: { numerKRS: number }, dane: { note: SIMULATED } },
    }),
})

export const simulators = {
  compliance,
  gleif,
  vies,
  rdap,
  nager,
  usitc,
  brreg,
  ares,
  prh,
  sirene,
  krs,
}
