import { html, type Html } from '../html.ts'
import type { Crumb } from '../components/page-header.ts'
import { toast } from '../components/note.ts'
import { appShell, type Viewer } from './app-shell.ts'
import { siteFooter, siteHeader } from './site-frame.ts'
import { assetUrl, type Site } from './site.ts'

export type { Site } from './site.ts'

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
  /** Reloads the page after these seconds in browsers without scripts; with scripts, an island refreshes a part. */
  readonly refreshSeconds?: number
  /** Islands: names of files in html/islands without their ending. */
  readonly islands?: readonly string[]
  /** Puts the page into the frame of the console. Without it, the page has the public header and footer. */
  readonly viewer?: Viewer
  /** `bare`: without a width, for pages that fill the window. */
  readonly frame?: 'bare'
  /** The way to a page of the console, in its bar at the top; default: its title. */
  readonly crumbs?: readonly Crumb[]
  /** Confirms the action that led here. */
  readonly confirmation?: string
}

/** Runs on every page. */
const COMMON_ISLAND = 'common'

export function layout(site: Site, page: Page): string {
  const body = html`${
    page.viewer === undefined
      ? html`${siteHeader(site, page.path)}
<main id="main"${page.frame === undefined && html` class="page"`}>
${page.main}
</main>
${siteFooter(site)}`
      : appShell(site, page, page.viewer)
  }${page.confirmation !== undefined && toast(page.confirmation)}`
  const document = html`<!doctype html>
<html lang="en">
<head>
${head(site, page)}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${body}
</body>
</html>
`
  return document.markup
}

function head(site: Site, page: Page): Html {
  const title = page.path === '/' ? page.title : `${page.title} · Tollgate`
  const to = (name: string): string => assetUrl(site, name)
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta name="description" content="${page.description}">
${
  page.unlisted === true
    ? html`<meta name="robots" content="noindex">`
    : html`<link rel="canonical" href="${site.publicUrl}${page.path}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Tollgate">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${page.description}">
<meta property="og:url" content="${site.publicUrl}${page.path}">
<meta property="og:image" content="${site.publicUrl}/assets/social.png">
<meta name="twitter:card" content="summary_large_image">`
}
<link rel="icon" href="/favicon.ico" sizes="32x32">
<link rel="icon" type="image/svg+xml" href="${to('mark.svg')}">
<link rel="apple-touch-icon" href="${to('touch-icon.png')}">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#fbfaf7">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0c1210">
<script src="${to('islands/theme.ts')}"></script>
<link rel="preload" as="font" type="font/woff2" crossorigin href="${to('fonts/inter.woff2')}">
<link rel="stylesheet" href="${to('tollgate.css')}">
${
  page.redirectTo !== undefined &&
  html`<meta http-equiv="refresh" content="0;url=${page.redirectTo}">
`
}${
    page.refreshSeconds !== undefined &&
    html`<noscript><meta http-equiv="refresh" content="${page.refreshSeconds}"></noscript>
`
  }${[COMMON_ISLAND, ...(page.islands ?? [])].map(
    (name) => html`<script type="module" src="${to(`islands/${name}.ts`)}"></script>
`,
  )}`
}
