/** A small catalog with one action of each kind, for tests of the published documents. */
import { Type } from '../../../lib/schema.ts'
import {
  call,
  defineService,
  endpoint,
  job,
  local,
  params,
  type Service,
} from '../../vocabulary/define.ts'
import { done } from '../../vocabulary/outcome.ts'
import { answer, records, text } from '../../vocabulary/returns.ts'
import { chargedOnResult, free, flat } from '../../vocabulary/tariff.ts'
import { get, post } from '../../vocabulary/wire.ts'
import { cents } from '../../../lib/money.ts'
import type { LaneOf } from '../lane.ts'
import type { Published } from '../catalog-index.ts'

const Anything = Type.Object({})

const library = defineService({
  id: 'library',
  title: 'Books',
  category: 'research',
  returns: {
    search: answer({ books: records('The books.', { title: text('The title.') }) }),
    digitise: answer({ scan: text('The scanned text.') }),
  },
  actions: {
    search: call({
      summary: 'Find books by title & author.',
      description: 'Looks through the whole <catalogue>.',
      keywords: ['novel', 'isbn'],
      input: params({
        query: Type.String({
          minLength: 1,
          description: 'Words of the title or the name of the author.',
        }),
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 25,
            default: 10,
            description: 'Most books to return.',
          }),
        ),
      }),
      example: { query: "O'Brien" },
      price: flat(cents('1')),
      timeoutMs: 10_000,
      reply: Anything,
      request: ({ query }) => get('/books', { q: query }),
      outcome: (reply) => done(reply.body as never),
    }),
    pages: call({
      summary: 'Read pages of a book.',
      input: params(
        {
          ids: Type.Optional(
            Type.Array(Type.String(), { minItems: 1, maxItems: 20, description: 'Page ids.' }),
          ),
          urls: Type.Optional(
            Type.Array(Type.String(), {
              minItems: 1,
              maxItems: 20,
              description: 'Page addresses.',
            }),
          ),
        },
        { anyOf: [{ required: ['ids'] }, { required: ['urls'] }] },
      ),
      example: { ids: ['p1'] },
      price: {
        kind: 'unit',
        rate: cents('0.1'),
        unit: 'page',
        atMost: ({ ids = [], urls = [] }) => ids.length + urls.length,
        counted: { by: 'list' },
        rounding: 'whole_cent',
        minimum: cents('1'),
      },
      timeoutMs: 10_000,
      untrustedContent: true,
      reply: Anything,
      request: (input) => post('/pages', input),
      outcome: (reply) => done(reply.body as never),
    }),
    digitise: job({
      summary: 'Scan a paper book.',
      input: params({ isbn: Type.String({ description: 'ISBN-13.' }) }),
      example: { isbn: '9780000000002' },
      price: { kind: 'actual', cap: cents('250') },
      billing: { ...chargedOnResult, pollPrice: cents('1') },
      timeoutMs: 60_000,
      launch: {
        request: (input) => post('/scans', input),
        reply: Anything,
        reference: () => 'scan_1',
      },
      poll: {
        request: (reference) => get(`/scans/${reference}`),
        progress: () => ({ kind: 'finished' }),
        everySeconds: 5,
        giveUpAfterSeconds: 600,
      },
      reply: Anything,
      outcome: (reply) => done(reply.body as never),
    }),
  },
})

const ledgers = defineService({
  id: 'ledgers',
  title: 'Old ledgers',
  category: 'public records',
  actions: {
    fetch: endpoint({
      summary: 'Read old ledgers by path.',
      example: { endpoint: '/ships/cargo', ship: 'Endeavour' },
      price: flat(cents('1')),
      timeoutMs: 10_000,
      reply: Anything,
      outcome: (reply) => done(reply.body as never),
      endpoints: [
        {
          endpoint: '/ships/cargo',
          method: 'GET',
          summary: 'Cargo of a sailing ship.',
          params: [
            { name: 'ship', required: true, type: 'string', description: 'Name of the ship.' },
          ],
        },
        {
          endpoint: '/ships/crew',
          method: 'POST',
          summary: 'Crew of a sailing ship.',
          price: cents('38'),
          params: [
            { name: 'ship', required: true, type: 'string' },
            { name: 'year', required: false, type: 'integer' },
          ],
        },
      ],
    }),
  },
})

const core = defineService({
  id: 'core',
  title: 'Composites',
  category: 'discovery',
  actions: {
    discover: local({
      summary: 'Find the right action for a task.',
      input: params({ query: Type.String({ minLength: 1, description: 'What you want to do.' }) }),
      example: { query: 'read a web page' },
      price: free,
      timeoutMs: 1_000,
      handler: 'core.discover',
    }),
  },
})

export const fixtureServices: readonly Service[] = [library, ledgers, core]

export const fixtureLaneOf: LaneOf = (service, action) => {
  if (service === 'core') return { live: 'in-house', lanes: ['in-house'] }
  return action === 'search'
    ? { live: 'vendor', lanes: ['vendor', 'wallet'] }
    : { live: null, lanes: ['vendor'] }
}

export const fixturePublished: Published = {
  services: fixtureServices,
  laneOf: fixtureLaneOf,
  publicUrl: 'https://gate.example',
}
