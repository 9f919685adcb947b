import { html, type Html } from './html.ts'

/** `version` changes with the assets, so that browsers may keep them for good. */
export type Site = { readonly publicUrl: string; readonly version: string }

export type Page = {
  readonly title: string
  readonly description: string
  /** Path of the page, for the marked entry of the navigation. */
  readonly path: string
  readonly main: Html
  /** Pages that search engines should not keep. */
  readonly unlisted?: boolean
  /** What links to the pages of the account keep, such as "?mode=test". */
  readonly accountQuery?: string
  /** Where the browser goes on to by itself: an absolute http(s) address. */
  readonly goesOnTo?: string
  /** A file of /assets that the page runs. */
  readonly script?: string
}

const NAVIGATION = [
  ['/guide', 'Guide'],
  ['/catalog', 'Catalog'],
  ['/balance', 'Balance'],
  ['/keys', 'Keys'],
  ['/account', 'Account'],
] as const
const ACCOUNT_PAGES: readonly string[] = ['/balance', '/keys']

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
  page.goesOnTo !== undefined &&
  html`<meta http-equiv="refresh" content="0;url=${page.goesOnTo}">
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
<p>Tollgate, the pay-per-call action gateway.</p>
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
