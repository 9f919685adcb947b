import type { OperateDeps } from '../../../../operate/operate-deps.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import type { Console } from './console.ts'
import { RUN_CHECKS, SETTINGS_PATH, settingsPage } from './settings-page.ts'

/** /operate/settings and the checks of the doctor. */
export function settingsPages(console: Console, { site }: PageDeps, operate: OperateDeps): void {
  console.page(
    SETTINGS_PATH,
    async (request) =>
      settingsPage(site, request, { settings: operate.settings(), facts: await operate.facts() }),
    [
      {
        name: RUN_CHECKS,
        needsReason: false,
        async work() {
          await operate.runChecks()
          return { done: 'checked', anchor: 'checks' }
        },
      },
    ],
  )
}
