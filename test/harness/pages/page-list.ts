/**
 * Every page for people. `test/pages/every-page-in-browser.test.ts` opens each of them in a browser, and
 * fails for a page that is missing here. Add the path of a new page to one of the lists.
 */

/** Pages that need no session. */
export const PUBLIC_PAGES: readonly string[] = [
  '/',
  '/guide',
  '/docs',
  '/docs/keys',
  '/docs/search?q=limit',
  '/docs/search?q=zzyzx',
  '/docs/design',
  '/status',
  '/catalog',
  '/catalog?q=read+a+page',
  '/catalog?q=zzyzx',
  '/catalog/core',
  '/catalog/core/onescrape',
  '/catalog/semantic/contents',
  // The largest page of an action.
  '/catalog/socialread/fetch',
  '/catalog/trends/fetch/trend',
  '/models',
  '/models?kind=media',
  '/models?q=zzyzx',
  '/models/core/cheap',
  '/models/openai/gpt-6-luna',
  '/models/nano-banana-pro',
  '/pricing',
  '/playground',
  '/sign-in',
  '/balance',
  '/welcome?token=unknown',
  '/invitations/unknown',
  '/nowhere',
]

/**
 * Pages of an account, opened as the holder of a filled account, who is an operator, and of an empty one. `:key`, `:parent`,
 * `:webhook`, `:delivery`, `:browser`, `:call`, `:rejected` and `:account` stand for ids of the filled account (`page-world.ts`); the empty
 * account has no such pages.
 */
export const CONSOLE_PAGES: readonly string[] = [
  '/balance',
  '/balance?mode=test',
  '/balance/spending',
  '/balance/transactions',
  '/balance/transactions?service=zzyzx',
  '/calls',
  '/calls?q=zzyzx',
  '/calls/find',
  '/calls/bodies',
  '/calls/:call',
  '/calls/:rejected',
  '/credit',
  '/keys',
  '/keys?q=zzyzx',
  '/keys/new',
  '/keys/:key',
  '/keys/:parent',
  '/keys/:parent/children/new',
  '/webhooks',
  '/webhooks/new',
  '/webhooks/:webhook',
  '/webhooks/deliveries/:delivery',
  '/browsers',
  '/browsers/:browser',
  '/changes',
  '/team',
  '/account',
  '/operate',
  '/operate/accounts',
  '/operate/accounts/:account',
  '/operate/money',
  '/operate/health',
  '/operate/audit',
  '/operate/vendors',
  '/operate/settings',
]

/** GET routes for people that are no page: redirects, downloads, and pages that only a flow of its own test reaches. */
export const NO_PAGES: readonly RegExp[] = [
  /^\/(login|signup|favicon\.ico|robots\.txt)$/,
  /^\/assets\//,
  /^\/oauth\//,
  /^\/sign-in\/./,
  /\.csv$/,
  /^\/invitations\/[^/]+\/new$/,
  // A WebSocket.
  /^\/browsers\/[^/]+\/cdp$/,
  // A part of the home page.
  /^\/balance\/first-steps$/,
]
