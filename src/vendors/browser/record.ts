import { AppError } from '../../errors/app-error.ts'
import { Type } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { flag, optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { proxies, vendorProxies, type Proxies } from '../../catalog/vocabulary/browser-proxies.ts'
import { tempoMerchant } from '../../catalog/vocabulary/merchant.ts'
import { done } from '../../catalog/vocabulary/outcome.ts'
import { anyObject, keyedMerchant } from '../shared/records.ts'
import { free } from '../../catalog/vocabulary/tariff.ts'
import { field, textField } from '../../catalog/answers/vendor-failure.ts'
import { get, keyHeader, post, type Reply, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { returns } from './returns.ts'

/**
 * Under a key the vendor sells no minutes; the gateway does (src/resources/browsers), and so for the
 * browsers of its own machine. This record
 * describes the calls to its merchant.
 */
const browserbase: Vendor = {
  ...keyedMerchant(
    'https://api.browserbase.com',
    'https://docs.browserbase.com/reference/api/create-a-session',
    {
      statuses: [404, 409, 410],
      words:
        /\bsession\b.*\b(ended|released|expired|timed out|not active|not running|not found)\b/i,
      code: 'unknown_session',
      fix: 'The session has ended: it was released or its paid minutes are used up. Open another with browser/create_session.',
    },
  ),
  auth: keyHeader('X-BB-API-Key'),
}
const paid = { at: tempoMerchant('https://mpp.browserbase.com') }

/** The browsers of the gateway's machine have its address. */
function rejectProxies(choice: Proxies | undefined): void {
  if (choice === undefined || choice === false) return
  throw new AppError(
    'invalid_params',
    'This gateway has no proxies for its browsers. Nothing was charged.',
    { param: 'proxies', fix: 'Omit "proxies".' },
  )
}

const minutes = (description: string, more: Readonly<Record<string, unknown>> = {}) =>
  whole(description, 1, 360, more)
const sessionId = text('The sessionId that browser/create_session returned.', 200)
const perMinute = {
  kind: 'unit',
  rate: cents('0.2'),
  unit: 'minute',
  atMost: ({ estimatedMinutes }: { readonly estimatedMinutes: number }) => estimatedMinutes,
  counted: { by: 'number', field: 'estimatedMinutes' },
} as const
const bought = {
  price: perMinute,
  priceSource: 'Specification, 2026-11; the merchant’s price is the same, $0.12 per hour.',
  timeoutMs: 60_000,
  merchant: paid,
}
const ownership = {
  targetId: ({ session_id }: { readonly session_id: string }) => session_id,
  unknownCode: 'unknown_session',
} as const

const pathOf = (id: string, verb = '') => `/browser/session/${encodeURIComponent(id)}${verb}`
const isGone = ({ status }: Reply): boolean => status === 404 || status === 410

function minutesLeft({ body }: Reply): number | null {
  const left = field(field(body, 'usage'), 'minutesRemaining')
  return typeof left === 'number' ? left : null
}

const isAlive = ({ body }: Reply): boolean =>
  /^(active|running|pending)$/i.test(textField(body, 'status'))

export const service = defineService({
  id: 'browser',
  title: 'Cloud browsers that you drive',
  category: 'browser',
  vendor: browserbase,
  returns,
  actions: {
    create_session: call({
      ...bought,
      title: 'Open a cloud browser',
      summary: 'Open a cloud browser for a number of prepaid minutes, and drive it over CDP.',
      description:
        'Connect to connectUrl with any client of the Chrome DevTools Protocol. The session ends when its paid minutes are used up; browser/extend_session adds more.',
      keywords: [
        'cloud browser',
        'headless chrome',
        'remote browser',
        'playwright',
        'puppeteer',
        'cdp',
        'persistent browser',
        'log in and stay logged in',
        'keep cookies',
        'click through a website',
      ],
      input: params({
        estimatedMinutes: minutes('Minutes to pay for.', { default: 1 }),
        keepAlive: optional(flag('Keeps the session open when the client disconnects.')),
        proxies: optional(proxies),
        record: optional(
          flag(
            'Stores a video of the session among the files of the account. Only where the gateway runs the browser.',
          ),
        ),
      }),
      example: { estimatedMinutes: 5 },
      // The gateway records sessions itself.
      request: ({ proxies: choice, record: _record, ...input }) =>
        post('/browser/session/create', {
          ...input,
          proxies: vendorProxies(choice, 'browserbase'),
        }),
      reply: Type.Object({
        sessionId: Type.String({ minLength: 1 }),
        connectUrl: Type.String({ minLength: 1 }),
      }),
      outcome: ({ body }, { estimatedMinutes }) => done({ paidMinutes: estimatedMinutes, ...body }),
      paidTime: 'open',
      inHouse: 'browser.time',
      inHousePart: 'browsers',
      inHouseCheck: ({ proxies: choice }) => rejectProxies(choice),
      ownership: { createdId: ({ body }) => textField(body, 'sessionId') || undefined },
    }),
    extend_session: call({
      ...bought,
      isOrder: true,
      title: 'Extend a browser session',
      summary: 'Add paid minutes to an open browser session.',
      description:
        'They start when the current paid minutes end. A session lasts at most six hours.',
      keywords: ['prolong browser', 'more minutes'],
      input: params({
        session_id: sessionId,
        estimatedMinutes: minutes('Minutes to add.', { default: 1 }),
      }),
      example: { session_id: 'session-simulated', estimatedMinutes: 5 },
      // Newer and older versions of the vendor use different names.
      request: ({ session_id, estimatedMinutes }) =>
        post(pathOf(session_id, '/extend'), {
          additionalMinutes: estimatedMinutes,
          estimatedMinutes,
        }),
      reply: anyObject,
      outcome: ({ body }, { session_id }) => done({ sessionId: session_id, ...body }),
      paidTime: 'extend',
      inHouse: 'browser.time',
      inHousePart: 'browsers',
      ownership,
    }),
    session_status: call({
      title: 'Browser session state',
      summary: 'Get the state of a browser session and its remaining paid minutes.',
      keywords: ['browser alive', 'minutes left'],
      input: params({ session_id: sessionId }),
      example: { session_id: 'session-simulated' },
      price: free,
      timeoutMs: 30_000,
      request: ({ session_id }) => ({
        ...get(pathOf(session_id, '/status')),
        acceptedStatuses: [404, 410],
      }),
      merchant: paid,
      reply: anyObject,
      outcome: (answer, { session_id }) => {
        // The account created the session, so an unknown one has ended.
        if (isGone(answer))
          return done({ sessionId: session_id, status: 'ended', alive: false, paidMinutes: 0 })
        const alive = isAlive(answer)
        return done({
          ...answer.body,
          sessionId: session_id,
          alive,
          paidMinutes: alive ? minutesLeft(answer) : 0,
        })
      },
      paidTime: 'inspect',
      inHouse: 'browser.time',
      inHousePart: 'browsers',
      ownership,
    }),
    release_session: call({
      title: 'End a browser session',
      summary: 'End a browser session. Remaining minutes are not refunded.',
      description:
        'unused_minutes is the number of remaining minutes, if the vendor reports it. Releasing a session again is harmless.',
      keywords: ['close browser', 'end session', 'terminate browser'],
      input: params({ session_id: sessionId }),
      example: { session_id: 'session-simulated' },
      price: free,
      timeoutMs: 30_000,
      request: ({ session_id }) => ({
        method: 'DELETE',
        path: pathOf(session_id),
        acceptedStatuses: [404, 410],
      }),
      merchant: paid,
      reply: Type.Unknown(),
      outcome: (answer, { session_id }) =>
        done({
          sessionId: session_id,
          released: true,
          unused_minutes: isGone(answer) ? 0 : minutesLeft(answer),
        }),
      paidTime: 'release',
      inHouse: 'browser.time',
      inHousePart: 'browsers',
      ownership,
    }),
  },
})
