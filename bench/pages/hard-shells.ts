/**
 * Written pages for `judge.ts`: applications that show a menu and a footer, but whose content is missing until their
 * scripts run, and complete pages that resemble them.
 */
export type WrittenPage = { readonly name: string; readonly html: string }

const TOPICS = ['Women', 'Men', 'Kids', 'Sale', 'Brands', 'Stores', 'Gift cards', 'Help']
const COMPANY = ['About us', 'Careers', 'Press', 'Investors', 'Sustainability', 'Contact']
const LEGAL = ['Privacy policy', 'Terms of use', 'Cookie settings', 'Imprint', 'Accessibility']
const RIGHTS = '© 2026 Harbour Goods Ltd. All rights reserved.'
const SCRIPTS = `<script src="/static/js/main.4f1c.js"></script><script>window.__config__ = { api: "/api", locale: "en" };${'window.dataLayer = window.dataLayer || [];'.repeat(200)}</script>`

const links = (words: readonly string[]): string =>
  words.map((word) => `<a href="/${word.toLowerCase().replaceAll(' ', '-')}">${word}</a>`).join(' ')
const items = (words: readonly string[], name: string): string =>
  `<ul class="${name}">${words.map((word) => `<li><a href="/x/${word.length}">${word}</a></li>`).join('')}</ul>`
const spans = (words: readonly string[], name: string): string =>
  words.map((word) => `<div class="${name}"><span>${word}</span></div>`).join('')
const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title><meta name="viewport" content="width=device-width"></head><body>${body}${SCRIPTS}</body></html>`

const NAV = `<header><a href="/"><img src="/logo.svg" alt="Harbour Goods"></a><nav>${items(TOPICS, 'menu')}</nav></header>`
const FOOTER = `<footer>${items(COMPANY, 'company')}<p>${RIGHTS}</p>${links(LEGAL)}</footer>`

export const HARD_SHELLS: readonly WrittenPage[] = [
  {
    name: 'a layout with an empty main',
    html: page('Desk lamps', `<div id="__next">${NAV}<main></main>${FOOTER}</div>`),
  },
  {
    name: 'a layout without semantic elements, footer as spans',
    html: page(
      'Desk lamps',
      `<div id="root"><div class="hg-pc"><div class="part-header"><div class="header-nav-wrap">${links(TOPICS)}</div></div></div><div><div class="breadcrumb-container"><a href="/">Home</a> / </div><h1 class="category-title"></h1><div class="product-grid"></div></div><div class="part-footer"><div class="footer-columns">${spans([...COMPANY, ...LEGAL, ...TOPICS], 'footer-entry')}</div><div class="footer-copyright">${RIGHTS}</div></div></div>`,
    ),
  },
  {
    name: 'sort options and an empty grid',
    html: page(
      'Desk lamps',
      `<div id="app">${NAV}<div class="toolbar"><span>Sort:</span><button>Relevance</button><button>Latest</button><button>Price</button></div><div class="grid" data-loading="true"></div>${FOOTER}</div>`,
    ),
  },
  {
    name: 'skeleton cards',
    html: page(
      'New arrivals',
      `${NAV}<section class="results">${'<div class="skeleton"><div class="skeleton-line"></div><div class="skeleton-line"></div></div>'.repeat(12)}</section>${FOOTER}`,
    ),
  },
  {
    name: 'an Angular root between a menu and a footer',
    html: page('Accounts', `${NAV}<app-root></app-root>${FOOTER}`),
  },
  {
    name: 'a loading text in the middle',
    html: page(
      'Tickets',
      `${NAV}<div class="view"><div class="spinner"></div><p>Loading, please wait…</p></div>${FOOTER}`,
    ),
  },
  {
    name: 'a newsletter box and no content',
    html: page(
      'Desk lamps',
      `${NAV}<div class="page-content"></div><section class="newsletter"><h2>Join our mailing list</h2><p>Subscribe for early access to new products and offers.</p><form><input type="email"><button>Subscribe</button></form></section>${FOOTER}`,
    ),
  },
  {
    name: 'a cookie notice and no content',
    html: page(
      'Timetable',
      `<div id="app-shell">${NAV}<div role="main"></div>${FOOTER}</div><div class="cookie-banner"><p>We use cookies to improve your experience. You can change your settings at any time.</p><button>Accept</button></div>`,
    ),
  },
  {
    name: 'a large menu of categories in a header',
    html: page(
      'Categories',
      `<header class="site-header">${Array.from({ length: 9 }, (_, at) => `<div class="mega-menu"><h3>${TOPICS[at % 8]}</h3>${items([...COMPANY, ...TOPICS], 'sub-menu')}</div>`).join('')}</header><div id="content"></div>${FOOTER}`,
    ),
  },
  {
    name: 'a menu of buttons for an application',
    html: page(
      'Dashboard',
      `<div id="root"><div class="topbar"><button>Search</button><button>Create</button><button>Notifications</button></div><div class="sidebar-menu">${spans(['Overview', 'Reports', 'Members', 'Billing', 'Settings'], 'sidebar-item')}</div><div class="workspace"></div><div class="bottom-bar">${RIGHTS}</div></div>`,
    ),
  },
  {
    name: 'contact lines in the footer',
    html: page(
      'Rooms',
      `${NAV}<div id="booking-app"></div><footer class="footer"><p>Harbour Hotel, 12 Quay Street, Portville. Phone 555 0100. Open every day from 7 to 23.</p><p>Member of the association of harbour hotels since 1984, awarded for its service and its kitchen.</p>${links(LEGAL)}<p>${RIGHTS}</p></footer>`,
    ),
  },
  {
    name: 'a list that is filled by a request',
    html: page(
      'Jobs',
      `${NAV}<main id="main"><h1>Jobs</h1><div class="job-list" data-url="/api/jobs"></div></main>${FOOTER}`,
    ),
  },
  {
    name: 'a search page before the search',
    html: page(
      'Search',
      `${NAV}<main class="search-page"><form role="search"><input name="q"><button>Search</button></form><div id="hits"></div></main>${FOOTER}`,
    ),
  },
  {
    name: 'social links and app badges around an empty view',
    html: page(
      'Feed',
      `<div class="navbar">${links(TOPICS)}</div><div class="router-view"></div><div class="social-links">${links(['Facebook', 'Instagram', 'YouTube', 'LinkedIn'])}</div><div class="app-badges"><a href="/ios">Get it on the App Store</a> <a href="/android">Get it on Google Play</a></div><div class="legal">${links(LEGAL)} ${RIGHTS}</div>`,
    ),
  },
  {
    name: 'styles without names, a menu and a footer',
    html: page(
      'Portfolio',
      `<div class="css-1dbjc4n"><div class="css-18t94o4">${links(TOPICS)}</div><div class="css-1awozwy"></div><div class="css-901oao">${links([...COMPANY, ...LEGAL])}<div class="css-76zvg2">${RIGHTS}</div></div></div>`,
    ),
  },
]

const sentences = (count: number): string =>
  Array.from(
    { length: count },
    (_, at) => `<p>In ${1990 + at} the harbour handled more freight than in any year before.</p>`,
  ).join('')

export const COMPLETE_PAGES: readonly WrittenPage[] = [
  {
    name: 'three sentences',
    html: page(
      'Freight',
      `${NAV}<main><h1>Freight in the harbour</h1>${sentences(3)}</main>${FOOTER}`,
    ),
  },
  {
    name: 'a list of links',
    html: page(
      'Minutes',
      `${NAV}<div class="list"><h1>Minutes of the council</h1>${items(
        Array.from({ length: 14 }, (_, at) => `Meeting of ${at + 1} March 2026`),
        'minutes',
      )}</div>${FOOTER}`,
    ),
  },
  {
    name: 'a contact page',
    html: page(
      'Contact',
      `${NAV}<main><h1>Contact</h1><p>Harbour Goods, 12 Quay Street, Portville.</p><p>Call 555 0100 from Monday to Friday, 9 to 17, or write to hello@harbour.example. We answer within two working days.</p></main>${FOOTER}`,
    ),
  },
  {
    name: 'products without a main element',
    html: page(
      'Lamps',
      `${NAV}<div id="root"><div class="grid">${Array.from({ length: 8 }, (_, at) => `<div class="card"><a href="/p/${at}"><h3>Desk lamp ${at}</h3></a><span>$${at + 20}.00</span></div>`).join('')}</div></div>${FOOTER}`,
    ),
  },
  {
    name: 'a table',
    html: page(
      'Tides',
      `${NAV}<h1>Tides</h1><table>${Array.from({ length: 10 }, (_, at) => `<tr><td>${at} May</td><td>High ${at}:10</td><td>Low ${at + 6}:20</td></tr>`).join('')}</table>${FOOTER}`,
    ),
  },
  {
    name: 'one paragraph and a form',
    html: page(
      'Sign up',
      `${NAV}<main><h1>Sailing course</h1><p>The course takes four weekends in June. Wear warm clothes, a rain jacket and shoes with a light sole. The fee includes boats, teachers and lunch.</p><form><input name="name"><button>Book</button></form></main>${FOOTER}`,
    ),
  },
  {
    name: 'an article without any marked menu',
    html: page(
      'Nets',
      `<div class="css-1">${links(TOPICS)}</div><div class="css-2">${sentences(6)}</div><div class="css-3">${RIGHTS}</div>`,
    ),
  },
  {
    name: 'questions and answers in closed panels',
    html: page(
      'FAQ',
      `${NAV}<main>${Array.from({ length: 5 }, (_, at) => `<details><summary>Question ${at} about the delivery?</summary><p>The delivery takes ${at + 2} days within the country, and a week abroad.</p></details>`).join('')}</main>${FOOTER}`,
    ),
  },
]
