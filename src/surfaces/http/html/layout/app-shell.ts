import { roleMay, type Role } from '../../../../lib/permissions.ts'
import { html, type Html } from '../html.ts'
import { submitButton } from '../components/button.ts'
import { icon } from '../components/icon.ts'
import { accountSwitch, type ShownAccount } from './account-switch.ts'
import { breadcrumb, type Crumb } from '../components/page-header.ts'
import {
  navigationFor,
  OPERATOR_NAVIGATION,
  OPERATOR_PATH,
  type NavigationEntry,
} from './navigation.ts'
import { brand, searchLink, themeSwitch } from './site-frame.ts'
import { assetUrl, type Site } from './site.ts'

/** The signed-in visitor. Null `email`: a session of a key. */
export type Viewer = {
  readonly email: string | null
  readonly caller: { readonly mode: 'live' | 'test'; readonly accountId: string }
  /** Null for a session of a key. */
  readonly role?: Role | null
  /** Whether the account is an operator's, whose owners may use the operator console. */
  readonly isOperator?: boolean
  /** The accounts of the person. */
  readonly accounts?: readonly ShownAccount[]
}

type ConsolePage = {
  readonly title: string
  readonly path: string
  readonly main: Html
  readonly accountQuery?: string
  /** The way to the page; default: its title. */
  readonly crumbs?: readonly Crumb[]
}

/** The console: a rail at the left on wide screens, a bar at the bottom and a menu on phones. */
export function appShell(site: Site, page: ConsolePage, viewer: Viewer): Html {
  return html`<div class="app" data-console>
<aside class="side" aria-label="Account and pages">
<a class="side-account" href="/"><img src="${assetUrl(site, 'mark.svg')}" alt="" width="28" height="28"><span>Tollgate<small>${isOfOperators(page) ? 'Operator console' : new URL(site.publicUrl).host}</small></span></a>
${!isOfOperators(page) && accountSwitch(viewer)}
<nav aria-label="Console">${groups(page)}</nav>
<div class="side-end">${changeConsole(page, viewer)}${modeSwitch(page, viewer)}${person(viewer)}</div>
</aside>
<div class="app-body">
<header class="topbar">
${brand(site, isOfOperators(page) ? OPERATOR_PATH : `/balance${page.accountQuery ?? ''}`)}
${breadcrumb(page.crumbs ?? [{ label: page.title }], 'Location')}
<div class="header-end">${searchLink(viewer.isOperator === true)}${themeSwitch()}<details class="menu" data-menu><summary aria-label="Menu">${icon('menu')}</summary><div>${!isOfOperators(page) && accountSwitch(viewer)}${groups(page)}${changeConsole(page, viewer)}${modeSwitch(page, viewer)}${person(viewer)}</div></details></div>
</header>
${viewer.caller.mode === 'test' && html`<aside class="test-banner" aria-label="Test mode">Test mode: calls are simulated and spend test credit.</aside>`}
<main id="main">
${page.main}
</main>
</div>
</div>
<nav class="bottom-bar" aria-label="Console, main pages"><ul>${entriesOnPhone(page).map((entry) => html`<li><a href="${hrefOf(entry, page)}"${isOpen(entry, page) && html` aria-current="page"`}>${icon(entry.icon)}${entry.label}</a></li>`)}</ul></nav>`
}

function groups(page: ConsolePage): Html {
  return html`${navigationFor(page.path).map(({ title, entries }) => html`${title !== undefined && html`<h2>${title}</h2>`}<ul>${entries.map((entry) => html`<li><a class="side-link" href="${hrefOf(entry, page)}"${isOpen(entry, page) && html` aria-current="page"`}>${icon(entry.icon)}${entry.label}</a></li>`)}</ul>`)}`
}

function isOfOperators({ path }: ConsolePage): boolean {
  return navigationFor(path) === OPERATOR_NAVIGATION
}

/** The link between the two consoles. */
function changeConsole(page: ConsolePage, { isOperator, role }: Viewer): Html | false {
  if (isOfOperators(page))
    return html`<a class="side-link" href="/balance">${icon('home')}Back to my account</a>`
  return (
    isOperator === true &&
    role != null &&
    roleMay(role, 'operate') &&
    html`<a class="side-link" href="${OPERATOR_PATH}">${icon('gauge')}Operator console</a>`
  )
}

function entriesOnPhone({ path }: ConsolePage): readonly NavigationEntry[] {
  return navigationFor(path)
    .flatMap(({ entries }) => entries)
    .filter(({ onPhone }) => onPhone)
}

function hrefOf({ path, follows }: NavigationEntry, { accountQuery = '' }: ConsolePage): string {
  return follows === true ? `${path}${accountQuery}` : path
}

/** The entry with the longest path that begins the path of the page. */
function isOpen({ path }: NavigationEntry, page: ConsolePage): boolean {
  const matching = navigationFor(page.path)
    .flatMap(({ entries }) => entries)
    .map((entry) => entry.path)
    .filter((known) => page.path === known || page.path.startsWith(`${known}/`))
    .toSorted((left, right) => right.length - left.length)
  return matching[0] === path
}

/** Only holders have both modes; a key has its own. */
function modeSwitch(page: ConsolePage, { email, caller }: Viewer): Html | false {
  if (isOfOperators(page)) return false
  const { path } = page
  const choices = [
    [path, 'live', 'Live'],
    [`${path}?mode=test`, 'test', 'Test'],
  ] as const
  return (
    email !== null &&
    html`<nav class="seg mode" aria-label="Live or test">${choices.map(([href, mode, label]) => html`<a href="${href}"${mode === caller.mode && html` aria-current="true"`}>${label}</a>`)}</nav>`
  )
}

function person({ email }: Viewer): Html {
  return html`<div class="side-person">${icon(email === null ? 'key' : 'person')}<span>${email === null ? 'Signed in with a key' : html`Signed in as <bdi>${email}</bdi>`}</span><form action="/balance/sign-out" method="post">${submitButton('Sign out', { kind: 'plain', size: 'small' })}</form></div>`
}
