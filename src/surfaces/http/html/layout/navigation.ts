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
      { path: '/balance', label: 'Balance', icon: 'home', follows: true, onPhone: true },
      { path: '/balance/spending', label: 'Spending', icon: 'bars', follows: true },
      { path: '/keys', label: 'Keys', icon: 'key', follows: true, onPhone: true },
      { path: '/webhooks', label: 'Webhooks', icon: 'webhook', follows: true, onPhone: true },
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
    ],
  },
  {
    title: 'Account',
    links: [
      ['/balance', 'Balance'],
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
