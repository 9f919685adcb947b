/** A gateway with email checks of its own: the call path, a local email server, names and websites. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { grantCredit } from '../../../src/accounts/grant-credit.ts'
import { openEmails } from '../../../src/app/wiring/in-house/emails.ts'
import { loadConfig } from '../../../src/app/settings/config.ts'
import { runCall } from '../../../src/calls/run.ts'
import type { InHouseHandler } from '../../../src/catalog/vocabulary/handlers.ts'
import { EMAIL_HANDLERS, emailHandlers } from '../../../src/composites/emails/email-handlers.ts'
import type { Caller } from '../../../src/keys/caller.ts'
import { cents } from '../../../src/lib/money.ts'
import { createPages } from '../../../src/reader/create-pages.ts'
import { cleanUp } from '../clean-up.ts'
import { startRecipientServer, type RecipientServer } from '../vendors/recipient-server.ts'
import { openCallBed, type CallBed } from './calls.ts'

export type EmailBed = CallBed & {
  readonly server: RecipientServer
  /** DNS records by "KIND name". */
  readonly zone: Map<string, readonly unknown[]>
  /** Addresses of hosts; 127.0.0.1 for others. */
  readonly hosts: Map<string, string>
  /** Pages by host and path, such as "acme.example/contact". A text that begins with "http" redirects. */
  readonly pages: Map<string, string>
  /** The URL of a page by host and path. */
  urlOf(page: string): string
  /** The requested pages. */
  readonly requested: string[]
  /** A call with a live key. Rejects with its error. */
  run(
    action: string,
    body: object,
    caller?: Caller,
  ): Promise<{ readonly data: Record<string, unknown>; readonly charged: bigint }>
}

export async function openEmailBed(environment: Record<string, string> = {}): Promise<EmailBed> {
  let handlers: ReadonlyMap<string, InHouseHandler> = new Map()
  const bed = await openCallBed({
    configured: false,
    inHouse: new Map(
      EMAIL_HANDLERS.map((name) => [
        name,
        (input, tools) =>
          handlers.get(name)?.(input, tools) ?? Promise.reject(new RangeError(name)),
      ]),
    ),
  })
  const { database, clock } = bed
  const server = await startRecipientServer()
  const [zone, hosts, pages] = [
    new Map<string, readonly unknown[]>(),
    new Map<string, string>(),
    new Map<string, string>(),
  ]
  const requested: string[] = []
  const site = await startSite(pages, requested)
  const lookup = async (host: string) => [{ address: hosts.get(host) ?? '127.0.0.1', family: 4 }]
  const reader = createPages({
    allowPrivateNetworks: ['127.0.0.0/8'],
    ownPages: [],
    userAgent: 'Tollgate-Test/1.0',
    respectRobots: false,
    browserConcurrency: 1,
    extractionWorkers: 1,
    cacheFolder: '/nonexistent',
    lookup,
    now: clock,
  })
  const emails = openEmails(
    loadConfig({
      IN_HOUSE: 'emails',
      PUBLIC_URL: 'https://gate.example',
      ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
      ...environment,
    }),
    {
      database,
      now: clock,
      pages: reader,
      world: {
        names: { resolve: async (domain, kind) => zone.get(`${kind} ${domain}`) ?? [] },
        lookup,
        port: server.port,
        homePages: (domain) => [`http://${domain}:${site}/`],
        pause: async (ms) => clock.advance(ms),
        // A busy machine must not decide the result.
        times: {
          read: { pageMs: 60_000, siteMs: 60_000 },
          find: { siteMs: 60_000, wholeMs: 80_000 },
        },
      },
    },
    false,
  )
  if (emails === null) throw new RangeError('the part is enabled')
  handlers = emailHandlers(emails)
  cleanUp(async () => {
    await emails.close()
    await reader.close()
  })
  await grantCredit(
    { database, now: clock },
    { accountId: bed.caller.accountId, mode: 'live', amount: cents('10000') },
  )
  return {
    ...bed,
    server,
    zone,
    hosts,
    pages,
    requested,
    urlOf: (page) => `http://${page.replace('/', `:${site}/`)}`,
    async run(action, body, caller = bed.caller) {
      const [service = '', name = ''] = action.split('/')
      const answer = await runCall(bed.calls, bed.request(service, name, body, { caller }))
      const { data } = JSON.parse(answer.body) as { data: Record<string, unknown> }
      return { data, charged: answer.charged }
    },
  }
}

async function startSite(pages: ReadonlyMap<string, string>, requested: string[]): Promise<number> {
  const site = createServer((request, response) => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '')
    const found = pages.get(`${host}${request.url}`)
    if (request.url !== '/robots.txt') requested.push(`${host}${request.url}`)
    if (found === undefined) response.writeHead(404).end('missing')
    else if (found.startsWith('http')) response.writeHead(302, { location: found }).end()
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(found)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  cleanUp(() => {
    site.closeAllConnections()
    site.close()
  })
  return (site.address() as AddressInfo).port
}
