import type { IconName } from '../components/icon.ts'

/** An entry in the navigation of the console. `follows` keeps the query of the account, such as ?mode=test. */
export type NavigationEntry = {
  readonly path: string
  readonly label: string
  readonly icon: IconName
  readonly follows?: boolean
  /** Shown in the bar at the bottom of phones; all others are in its menu. */
  readonly onPhone?: boolean
}

export type NavigationGroup = {
  readonly title?: string
  readonly entries: readonly NavigationEntry[]
}

/** The console. A page adds its entry here. */
export const CONSOLE_NAVIGATION: readonly NavigationGroup[] = [
  {
    entries: [
      { path: '/balance', label: 'Home', icon: 'home', follows: true, onPhone: true },
      { path: '/calls', label: 'Calls', icon: 'calls', follows: true, onPhone: true },
      { path: '/balance/spending', label: 'Spending', icon: 'bars', follows: true },
      { path: '/keys', label: 'Keys', icon: 'key', follows: true, onPhone: true },
      { path: '/credit', label: 'Credit', icon: 'card', follows: true, onPhone: true },
      { path: '/webhooks', label: 'Webhooks', icon: 'webhook', follows: true },
      { path: '/browsers', label: 'Browsers', icon: 'window', follows: true },
      { path: '/team', label: 'Team', icon: 'people', follows: true },
      { path: '/changes', label: 'Changes', icon: 'history', follows: true },
      { path: '/account', label: 'Account', icon: 'person', onPhone: true },
    ],
  },
  {
    title: 'Build',
    entries: [
      { path: '/catalog', label: 'Catalog', icon: 'grid' },
      { path: '/docs', label: 'Docs', icon: 'book' },
    ],
  },
]

export const OPERATOR_PATH = '/operate'

/** The console of operators, which replaces the other one below /operate. */
export const OPERATOR_NAVIGATION: readonly NavigationGroup[] = [
  {
    entries: [
      { path: OPERATOR_PATH, label: 'Overview', icon: 'gauge', onPhone: true },
      { path: `${OPERATOR_PATH}/accounts`, label: 'Accounts', icon: 'people', onPhone: true },
      { path: `${OPERATOR_PATH}/vendors`, label: 'Vendors', icon: 'box', onPhone: true },
      { path: `${OPERATOR_PATH}/money`, label: 'Money', icon: 'bank', onPhone: true },
      { path: `${OPERATOR_PATH}/health`, label: 'Health', icon: 'bars', onPhone: true },
      { path: `${OPERATOR_PATH}/audit`, label: 'Audit trail', icon: 'history' },
      { path: `${OPERATOR_PATH}/settings`, label: 'Settings', icon: 'shield' },
    ],
  },
]

/** The navigation for a page of the console. */
export function navigationFor(path: string): readonly NavigationGroup[] {
  return path === OPERATOR_PATH || path.startsWith(`${OPERATOR_PATH}/`)
    ? OPERATOR_NAVIGATION
    : CONSOLE_NAVIGATION
}

/** The header of public pages. */
export const SITE_NAVIGATION = [
  ['/catalog', 'Catalog'],
  ['/models', 'Models'],
  ['/pricing', 'Pricing'],
  ['/docs', 'Docs'],
] as const

/** The columns of the footer. */
export const FOOTER = [
  {
    title: 'Product',
    links: [
      ['/catalog', 'Catalog'],
      ['/models', 'Models'],
      ['/pricing', 'Pricing'],
      ['/status', 'Status'],
    ],
  },
  {
    title: 'Account',
    links: [
      ['/balance', 'Home'],
      ['/credit', 'Credit'],
      ['/keys', 'Keys'],
      ['/webhooks', 'Webhooks'],
      ['/account', 'Account'],
    ],
  },
  {
    title: 'Build',
    links: [
      ['/docs/getting-started', 'Getting started'],
      ['/docs', 'Docs'],
      ['/docs/install', 'Run a gateway'],
      ['/docs/changelog', 'Changelog'],
      ['/docs/design', 'Design system'],
    ],
  },
  {
    title: 'For programs',
    links: [
      ['/api/run', 'Index (JSON)'],
      ['/openapi.json', 'OpenAPI'],
      ['/llms.txt', 'llms.txt'],
    ],
  },
] as const

/** Pages that the search dialog finds by their name, as `[path, label]`. */
export type NamedPage = readonly [path: string, label: string]

/** The pages of the footer, and those of the console's navigation. Operators get the operator console, too. */
export function searchPages(isOperator: boolean): readonly NamedPage[] {
  const entriesOf = (groups: readonly NavigationGroup[]): NamedPage[] =>
    groups.flatMap(({ entries }) => entries).map(({ path, label }) => [path, label])
  const all = [
    ...entriesOf(CONSOLE_NAVIGATION),
    ...(isOperator
      ? entriesOf(OPERATOR_NAVIGATION).map(
          ([path, label]) => [path, `Operator: ${label.toLowerCase()}`] as const,
        )
      : []),
    ...FOOTER.flatMap(({ links }): readonly NamedPage[] => links),
  ]
  return all.filter(([path], at) => all.findIndex(([other]) => other === path) === at)
}
