/**
 * Opens a cloud browser for five minutes and releases it. With a live key it opens a page over the
 * Chrome DevTools Protocol and prints the title. A simulated browser accepts no connections.
 *
 * Costs 1 cent for five minutes; unused minutes are not refunded.
 * Run: TOLLGATE_KEY=tg_test_… npx node examples/typescript/browser-agent.ts https://example.com
 */
import { chromium } from 'playwright-core'
import { runAgent } from './run-agent.ts'

const page = process.argv[2] ?? 'https://example.com/'

/** The title of the page in the remote browser. */
async function readTitle(connectUrl: string): Promise<string> {
  const browser = await chromium.connectOverCDP(connectUrl)
  try {
    const [context = await browser.newContext()] = browser.contexts()
    const tab = await context.newPage()
    await tab.goto(page)
    return await tab.title()
  } finally {
    await browser.close()
  }
}

await runAgent(async (tollgate, bill) => {
  const opened = await tollgate.browser.create_session({ estimatedMinutes: 5 })
  const session = bill.add(opened)
  console.log(`Session: ${session.sessionId}, ${session.paidMinutes} minutes paid`)
  try {
    if (opened.simulated) console.log(`Simulated, connect to: ${session.connectUrl}`)
    else console.log(`Title of ${page}: ${await readTitle(session.connectUrl)}`)
  } finally {
    // An open session counts against the limit of the account, so it is released after errors, too.
    const end = await tollgate.browser.release_session({ session_id: session.sessionId })
    console.log(`Released: ${bill.add(end).released}`)
  }
})
