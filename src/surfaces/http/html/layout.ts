import { html, type Html } from './html.ts'

/** `version` changes with the assets, which browsers cache permanently. */
export type Site = { readonly publicUrl: string; readonly version: string }

export type Page = {
  readonly title: string
  readonly description: string
  /** Marks the current entry of the navigation. */
  readonly path: string
  readonly main: Html
  /** Keeps the page out of search engines. */
  readonly unlisted?: boolean
  /** The query for links to account pages, such as "?mode=test". */
  readonly accountQuery?: string
  /** An absolute URL to which the browser continues immediately. */
  readonly redirectTo?: string
  /** A script in /assets. */
  readonly script?: string
}

const NAVIGATION = [
  ['/guide', 'Guide'],
  ['/catalog', 'Catalog'],
  ['/balance', 'Balance'],
  ['/keys', 'Keys'],
  ['/webhooks', 'Webhooks'],
  ['/account', 'Account'],
] as const
const ACCOUNT_PAGES: readonly string[] = ['/balance', '/keys', '/webhooks']

export function layout({ publicUrl, version }: Site, page: Page): string {
  const title = page.path === '/' ? page.title : `${page.title} · Tollgate`
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta name="description" content="${page.description}">
${page.unlisted === true ? html`<meta name="robots" content="noindex">` : html`<link rel="canonical" href="${publicUrl}${page.path}">`}
<link rel="icon" type="image/svg+xml" href="/assets/mark.svg?v=${version}">
<link rel="stylesheet" href="/assets/tollgate.css?v=${version}">
${
  page.redirectTo !== undefined &&
  html`<meta http-equiv="refresh" content="0;url=${page.redirectTo}">
`
}${
    page.script !== undefined &&
    html`<script type="module" src="/assets/${page.script}?v=${version}"></script>
`
  }</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="site-header">
<div class="bar">
<a class="brand" href="/"><img src="/assets/mark.svg?v=${version}" alt="" width="26" height="26">Tollgate</a>
<nav aria-label="Site"><ul>${NAVIGATION.map(([path, label]) => navigationEntry(path, label, page))}</ul></nav>
</div>
</header>
<main id="main">
${page.main}
</main>
<footer class="site-footer">
<div class="bar">
<p>Tollgate, the gateway for pay-per-call actions.</p>
<nav aria-label="For programs"><ul>
<li><a href="/api/run">Index (JSON)</a></li>
<li><a href="/openapi.json">OpenAPI</a></li>
<li><a href="/llms.txt">llms.txt</a></li>
</ul></nav>
</div>
</footer>
</body>
</html>
`
  return document.markup
}

function navigationEntry(
  path: string,
  label: string,
  { path: current, accountQuery = '' }: Page,
): Html {
  const address = ACCOUNT_PAGES.includes(path) ? `${path}${accountQuery}` : path
  if (path === current) return html`<li><a href="${address}" aria-current="page">${label}</a></li>`
  return current.startsWith(`${path}/`)
    ? html`<li><a href="${address}" aria-current="true">${label}</a></li>`
    : html`<li><a href="${address}">${label}</a></li>`
}
