import { readGoneRoutes } from '../../../../calls/lanes/gone-routes.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { HOUR_MS } from '../../../../lib/clock.ts'
import { clearGoneRoute } from '../../../../operate/health/act-on-health.ts'
import type { KeyReplacements, OperateDeps } from '../../../../operate/operate-deps.ts'
import { findTroubles } from '../../../../operate/read-attention.ts'
import { readHours } from '../../../../operate/totals/read-totals.ts'
import { readKeyTests } from '../../../../operate/vendors/key-tests.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import type { Console } from './console.ts'
import { ADD_KEY, REPLACE_KEY, RESTORE_KEY, TEST_ALL, TEST_KEY } from './vendor-forms.ts'
import { CLEAR_ROUTE } from './vendor-notices.ts'
import { VENDORS_PATH, vendorsPage } from './vendors-page.ts'

const HOURS = 24
const LONGEST_KEY = 4_000

/** /operate/vendors: states, tests and replacements of keys, and routes that are gone. */
export function vendorPages(
  console: Console,
  { database, now, site }: PageDeps,
  operate: OperateDeps,
): void {
  const { replacements } = operate
  console.page(
    VENDORS_PATH,
    async (request, rejection) => {
      const hour = Math.floor(now() / HOUR_MS)
      const hours = await readHours(database, {
        mode: 'live',
        fromHour: hour - HOURS + 1,
        untilHour: hour + 1,
      })
      return vendorsPage(site, request, {
        vendors: operate.vendors(),
        hours,
        hour,
        troubles: findTroubles(hours),
        tests: await readKeyTests(database),
        gone: await readGoneRoutes(database),
        ends: operate.ends(),
        belowCost: operate.belowCost(),
        canReplace: replacements,
        storeProblem: await operate.findStoreProblem(),
        rejection,
      })
    },
    [
      {
        name: TEST_KEY,
        needsReason: false,
        async work({ field }) {
          const service = field('service')
          await operate.testKey(service)
          return { done: 'tested', anchor: service }
        },
      },
      {
        name: TEST_ALL,
        needsReason: false,
        async work() {
          const { left } = await operate.testAllKeys()
          return { done: left === 0 ? 'tested-all' : 'tested-some' }
        },
      },
      {
        name: CLEAR_ROUTE,
        needsReason: false,
        async work({ field }) {
          await clearGoneRoute(database, field('route'))
          return { done: 'route-cleared', anchor: 'gone' }
        },
      },
      {
        name: REPLACE_KEY,
        isSensitive: true,
        async work({ field }) {
          const service = field('service')
          await requireReplacements(replacements).replace(
            service,
            field('credential'),
            readKey(field('key')),
          )
          return { done: 'replaced', anchor: service }
        },
      },
      {
        name: ADD_KEY,
        isSensitive: true,
        async work({ field }) {
          const [service = '', credential = ''] = field('place').split(' ')
          await requireReplacements(replacements).replace(
            service,
            credential,
            readKey(field('key')),
          )
          return { done: 'added', anchor: service }
        },
      },
      {
        name: RESTORE_KEY,
        isSensitive: true,
        async work({ field }) {
          await requireReplacements(replacements).restore(field('service'), field('credential'))
          return { done: 'restored', anchor: field('service') }
        },
      },
    ],
  )
}

function readKey(key: string): string {
  if (key === '' || key.length > LONGEST_KEY || /\p{Cc}/u.test(key))
    throw new AppError('invalid_params', 'This is not a key.', {
      param: 'key',
      fix: 'Paste the whole key on one line.',
    })
  return key
}

function requireReplacements(replacements: KeyReplacements | null): KeyReplacements {
  if (replacements === null)
    throw new AppError('bad_request', 'This gateway cannot store keys.', {
      fix: 'Set VENDOR_KEYS_SECRET, or change the setting of the key, and restart the gateway.',
    })
  return replacements
}
