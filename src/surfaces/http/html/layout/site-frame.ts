import { html, type Html } from '../html.ts'
import { linkButton } from '../components/button.ts'
import { icon } from '../components/icon.ts'
import { FOOTER, searchPages, SITE_NAVIGATION } from './navigation.ts'
import { assetUrl, type Site } from './site.ts'

/** The header of public pages. Scripts replace its last links for a signed-in browser, because caches share the page. */
export function siteHeader(site: Site, path: string): Html {
  return html`<header class="site-header">
<div class="bar">
${brand(site)}
<nav class="site-nav" aria-label="Site"><ul>${SITE_NAVIGATION.map(([href, label]) => html`<li><a href="${href}"${isCurrent(href, path)}>${label}</a></li>`)}</ul></nav>
<div class="header-end">${searchLink(false)}${themeSwitch()}
<span class="row" data-signed-out>${linkButton('/sign-in', 'Sign in', { kind: 'plain', size: 'small' })}${linkButton('/signup', 'Get started', { size: 'small' })}</span><span class="row" data-signed-in hidden>${linkButton('/balance', 'Console', { size: 'small' })}</span>${siteMenu(path)}</div>
</div>
</header>`
}

/** The navigation on phones. */
function siteMenu(path: string): Html {
  return html`<details class="menu site-menu"><summary aria-label="Menu">${icon('menu')}</summary><div><nav aria-label="Site menu"><ul>${SITE_NAVIGATION.map(([href, label]) => html`<li><a class="side-link" href="${href}"${isCurrent(href, path)}>${label}</a></li>`)}<li data-signed-out><a class="side-link" href="/sign-in">Sign in</a></li></ul></nav><div class="row between menu-theme needs-script">Theme ${themeSwitch()}</div></div></details>`
}

/** Opens the search of everything. Without a script, it leads to the search of the catalog. */
export function searchLink(isOperator: boolean): Html {
  return html`<a class="search-link" href="/catalog" aria-label="Search" aria-keyshortcuts="/ Control+K Meta+K" data-search="${JSON.stringify(searchPages(isOperator))}">${icon('search')}<span>Search</span><kbd class="needs-script" aria-hidden="true">/</kbd></a>`
}

export function siteFooter(site: Site): Html {
  return html`<footer class="site-footer">
<div class="bar">
<div class="columns">
<div class="about">${brand(site)}<p>One key, one balance, one API: the gateway for pay-per-call actions of software agents.</p></div>
${FOOTER.map(
  ({
    title,
    links,
  }) => html`<nav aria-label="${title}"><h2>${title}</h2><ul>${links.map(([href, label]) => html`<li><a href="${href}">${label}</a></li>`)}</ul></nav>
`,
)}</div>
<div class="legal"><p>Open source, Apache-2.0</p><p>${new URL(site.publicUrl).host}</p></div>
</div>
</footer>`
}

export function brand(site: Site, to = '/'): Html {
  return html`<a class="brand" href="${to}"><img src="${assetUrl(site, 'mark.svg')}" alt="" width="26" height="26">Tollgate</a>`
}

/** Switches between light and dark. Without a script, the theme follows the system. */
export function themeSwitch(): Html {
  return html`<button class="icon-button theme-switch needs-script" type="button" aria-label="Switch between light and dark" data-theme-switch>${icon('moon', 'icon-light')}${icon('sun', 'icon-dark')}</button>`
}

export function isCurrent(href: string, path: string): Html | false {
  if (href === path) return html` aria-current="page"`
  return path.startsWith(`${href}/`) && html` aria-current="true"`
}
