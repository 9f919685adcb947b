import type { CheckResult, GatewayFacts, SettingLine } from '../../../../operate/operate-deps.ts'
import { badge } from '../../html/components/badge.ts'
import { actionForm, linkButton } from '../../html/components/button.ts'
import { card } from '../../html/components/card.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { table } from '../../html/components/table.ts'
import { code } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'
import type { Site } from '../../html/layout/layout.ts'
import { consolePage, OPERATOR_PATH, timeOf } from './console-page.ts'
import type { PageRequest } from './console.ts'

export const SETTINGS_PATH = `${OPERATOR_PATH}/settings`
export const RUN_CHECKS = 'check'

export type SettingsView = {
  readonly settings: readonly SettingLine[]
  readonly facts: GatewayFacts
}

/** The settings in effect, without secrets, and the checks of the doctor. */
export function settingsPage(site: Site, request: PageRequest, view: SettingsView): string {
  const set = view.settings.filter(({ source }) => source !== 'default')
  const defaults = view.settings.filter(({ source }) => source === 'default')
  return consolePage(site, request, {
    path: SETTINGS_PATH,
    title: 'Settings',
    main: html`${pageHeader({ title: 'Settings', lead: 'Of this process, read once at its start. Secrets are hidden.', actions: linkButton('/docs/reference/settings', 'All settings explained', { kind: 'quiet', icon: 'book' }) })}
${unknown(view.facts)}
${card({ title: 'Set', content: set.length === 0 ? html`<p class="muted">Every setting has its default.</p>` : settingTable('Settings that are set', set) })}
${checksCard(view.facts)}
<details class="card unused"><summary>${defaults.length} settings with their defaults</summary>${settingTable('Settings with their defaults', defaults)}</details>`,
  })
}

function unknown({ mistyped }: GatewayFacts): Html | false {
  return (
    mistyped.length > 0 &&
    card({
      id: 'unknown',
      title: 'Unknown names',
      kind: 'danger',
      content: table(
        'Unknown names',
        ['Variable', 'Effect', 'What to do'],
        mistyped.map(({ name, meant }) => [
          code(name),
          'none',
          html`Correct it to ${code(meant)}, or remove it.`,
        ]),
      ),
    })
  )
}

const SOURCES = {
  environment: 'environment',
  file: 'file',
  console: 'replaced in the console',
  default: 'default',
} as const satisfies Record<SettingLine['source'], string>

function settingTable(label: string, lines: readonly SettingLine[]): Html {
  return table(
    label,
    ['Setting', 'Value', 'Source'],
    lines.map((line) => [code(line.name), valueOf(line), SOURCES[line.source]]),
  )
}

function valueOf({ value, ending }: SettingLine): Html {
  if (value === null)
    return html`<span class="muted">set${ending !== null && `, ends in …${ending}`}</span>`
  return value === ''
    ? html`<span class="muted">unset</span>`
    : html`<bdi class="given">${code(value)}</bdi>`
}

const STATES = {
  broken: badge('error', 'Broken'),
  warning: badge('pending', 'Needs you'),
  unchecked: badge('info', 'Not checked'),
  missing: badge('free', 'Not set up'),
  ok: badge('live', 'OK'),
} as const satisfies Record<CheckResult['state'], Html>
const ORDER: readonly CheckResult['state'][] = ['broken', 'warning', 'unchecked', 'missing', 'ok']

/** Dozens of services work without setup, or are not set up. */
function isShown({ name, state, found }: CheckResult): boolean {
  if (!name.startsWith('service ')) return true
  return state === 'broken' || state === 'unchecked' || found.startsWith('vendor')
}

function checksCard({ checks }: GatewayFacts): Html {
  const results = checks?.results.toSorted(
    (one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state),
  )
  return card({
    id: 'checks',
    title: 'Checks',
    aside: actionForm(`${SETTINGS_PATH}/${RUN_CHECKS}`, 'Run the checks', {
      kind: 'quiet',
      size: 'small',
    }),
    content:
      results === undefined
        ? html`<p class="muted">The same as ${code('./tollgate doctor')}. They have not run in this process. A run takes up to half a minute.</p>`
        : html`<p class="muted">Run ${timeOf(checks?.atMs ?? 0)} by this process.</p>${table(
            'Checks',
            ['Check', 'State', 'Found', 'What to do'],
            results
              .filter(isShown)
              .map(({ name, state, found, fix }) => [
                html`<b>${name}</b>`,
                STATES[state],
                html`<bdi class="given">${found}</bdi>`,
                fix === null ? '–' : html`<bdi class="given">${fix}</bdi>`,
              ]),
          )}`,
  })
}
