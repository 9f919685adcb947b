/**
 * A small product site for demo videos with a test key. It is the same for every host except its name.
 * The gateway does not fetch the real site.
 */

const PAGES = ['Features', 'Pricing', 'Docs', 'Contact'] as const

const STYLE = `
* { margin: 0; box-sizing: border-box } body { font: 17px/1.6 "Open Sans", "DejaVu Sans", sans-serif; color: #1d2433; background: #fff }
header { position: sticky; top: 0; display: flex; gap: 26px; align-items: center; padding: 16px 6%; background: rgba(255,255,255,.95); border-bottom: 1px solid #e6e9f1 }
header b { font-size: 20px; margin-right: auto } a { color: #3347c9; text-decoration: none } nav { display: flex; gap: 22px; flex-wrap: wrap } nav a:hover { text-decoration: underline }
main { max-width: 1060px; margin: 0 auto; padding: 0 24px } .hero { padding: 90px 0 70px; text-align: center } h1 { font-size: 46px; line-height: 1.15; letter-spacing: -.02em }
.hero p { font-size: 20px; color: #55607a; max-width: 620px; margin: 18px auto 30px } .button { display: inline-block; border: 0; padding: 13px 26px; border-radius: 9px; background: #3347c9; color: #fff; font: inherit; font-weight: 600; cursor: pointer } .button:hover { background: #26369f }
section { padding: 54px 0 } h2 { font-size: 30px; margin-bottom: 12px } .cards { display: flex; gap: 20px; flex-wrap: wrap; margin-top: 24px } .card { flex: 1 1 260px; padding: 26px; border-radius: 14px; background: #f4f6fb; border: 1px solid #e6e9f1 } .card h3 { margin-bottom: 6px } .card .price { font-size: 32px; font-weight: 700 }
input { font: inherit; padding: 12px 16px; border: 1px solid #c9cfdf; border-radius: 9px; width: 300px; max-width: 100% } details { border: 1px solid #e6e9f1; border-radius: 10px; padding: 14px 18px; margin-top: 10px } footer { padding: 40px 6%; color: #77809a; border-top: 1px solid #e6e9f1; margin-top: 60px }`

const HOME = `
<div class="hero"><h1>Plan the week in five minutes</h1><p>One board for what is to be done, who does it and when it is finished.</p><a class="button" href="/features">See how it works</a></div>
<section><h2>Everything on one board</h2><p>Tasks, dates and people stand side by side, so nobody has to ask what comes next.</p><div class="cards"><div class="card"><h3>Drag and drop</h3><p>Move a task to another day and everyone sees it at once.</p></div><div class="card"><h3>Reminders</h3><p>A quiet note in the morning, and nothing for the rest of the day.</p></div><div class="card"><h3>Templates</h3><p>Start from last week, or from one of forty ready-made plans.</p></div></div></section>
<section><h2>Works with your calendar</h2><p>Meetings appear on the board by themselves, from every calendar that you use.</p></section>
<section><h2>Try a search</h2><p>Find any task by a word of it.</p><p style="margin-top:16px"><input type="search" placeholder="Search tasks" aria-label="Search tasks"></p></section>`

const OTHERS: Readonly<Record<string, string>> = {
  '/features':
    '<div class="hero"><h1>Features</h1><p>What the board does for a team of three, or of three hundred.</p></div><section><h2>Shared views</h2><p>Every team sees its own week, and leaders see all of them together.</p></section><section><h2>Automatic plans</h2><p>The board suggests a day for each task from how long the last ones took.</p></section>',
  '/pricing':
    '<div class="hero"><h1>Pricing</h1><p>Free for three people. Pay for more when there are more.</p></div><section><h2>Plans</h2><div class="cards"><div class="card"><h3>Starter</h3><p class="price">$0</p><p>Three people, one board.</p></div><div class="card"><h3>Team</h3><p class="price">$6</p><p>A person and month, all features.</p></div><div class="card"><h3>Company</h3><p class="price">$11</p><p>Own rules, own sign-in.</p></div></div></section><section><h2>Questions about billing</h2><p>Bills come once a month and can be paid by card or transfer.</p><details><summary>Can I change plans later?</summary><p>At any time; the difference is settled with the next bill.</p></details></section>',
  '/docs':
    '<div class="hero"><h1>Docs</h1><p>From the first board to your own integrations.</p></div><section><h2>First steps</h2><p>Make a board, invite a colleague, and write down three tasks.</p></section>',
  '/contact': '<div class="hero"><h1>Contact</h1><p>We answer within a working day.</p></div>',
}

export function samplePage(address: string): string {
  const url = URL.parse(address)
  const host = (url?.hostname ?? 'example.com').replace(/^www\./, '')
  const name = host.split('.')[0] ?? host
  const shown = escape(name.charAt(0).toUpperCase() + name.slice(1))
  const path = (url?.pathname ?? '/').replace(/\/+$/, '')
  const current = PAGES.find((page) => path === `/${page.toLowerCase()}`)
  const nav = PAGES.map((page) => `<a href="/${page.toLowerCase()}">${page}</a>`).join('')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${current === undefined ? '' : `${current} – `}${shown} (simulated)</title><meta property="og:site_name" content="${shown} (simulated)">
<meta name="description" content="A simulated site that stands in for ${escape(host)} in test mode."><style>${STYLE}</style></head>
<body><header><b>${shown}</b><nav>${nav}</nav></header><main>${OTHERS[path] ?? HOME}</main><footer>Simulated page: made up by the test mode of the gateway, says nothing about ${escape(host)}.</footer></body></html>`
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
