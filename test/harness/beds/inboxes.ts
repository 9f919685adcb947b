/** A gateway with inboxes of its own: the call path, and its SMTP server on a free port. */
import { createTransport } from 'nodemailer'
import type { InHouseHandler } from '../../../src/catalog/vocabulary/handlers.ts'
import { grantCredit } from '../../../src/accounts/grant-credit.ts'
import { runCall } from '../../../src/calls/run.ts'
import type { Caller } from '../../../src/keys/caller.ts'
import { DAY_MS } from '../../../src/lib/clock.ts'
import { createTargetRation } from '../../../src/lib/fairness/target-ration.ts'
import { cents } from '../../../src/lib/money.ts'
import type { InboxDeps, InboxLimits } from '../../../src/resources/inboxes/inbox-deps.ts'
import { INBOX_HANDLERS, inboxHandlers } from '../../../src/resources/inboxes/inbox-handlers.ts'
import type { DnsResolver } from '../../../src/resources/inboxes/receiving/check-sender.ts'
import { createMessageParser } from '../../../src/resources/inboxes/receiving/message-parser.ts'
import { createSenderChecker } from '../../../src/resources/inboxes/receiving/sender-checker.ts'
import { createBounceAddresses } from '../../../src/resources/inboxes/sending/bounce-addresses.ts'
import { createCompose } from '../../../src/resources/inboxes/sending/compose.ts'
import { createSelfSignedCertificate } from '../../../src/surfaces/smtp/self-signed-certificate.ts'
import { openSmtpListener, type SmtpListener } from '../../../src/surfaces/smtp/smtp-listener.ts'
import { cleanUp } from '../clean-up.ts'
import { openCallBed, type CallBed } from './calls.ts'
import { openTestFiles } from './files.ts'

export const MAIL_DOMAIN = 'agents.example'

export type Answer = { readonly status: number; readonly body: Record<string, unknown> }

export type InboxBed = CallBed & {
  readonly inboxes: InboxDeps
  readonly listener: SmtpListener
  /** Errors that the server logs. */
  readonly errors: unknown[]
  /** TXT and other records by "KIND name". */
  readonly names: Map<string, readonly unknown[]>
  readonly transport: ReturnType<typeof createTransport>
  /** A call with a live key. Rejects with its error. */
  run(
    action: string,
    body: object,
    options?: { caller?: Caller; key?: string },
  ): Promise<Record<string, unknown>>
}

const LIMITS: InboxLimits = {
  maxMessageBytes: 1_000_000,
  maxInboxBytes: 3_000_000,
  maxAccountBytes: 50_000_000,
  retentionMs: 90 * DAY_MS,
  sendsPerDay: 20,
  maxInboxes: 100,
}

export async function openInboxBed(
  change: (deps: InboxDeps) => Partial<InboxDeps> = () => ({}),
): Promise<InboxBed> {
  let handlers: ReadonlyMap<string, InHouseHandler> = new Map()
  const bed = await openCallBed({
    configured: false,
    inHouse: new Map(
      INBOX_HANDLERS.map((name) => [
        name,
        (input, tools) =>
          handlers.get(name)?.(input, tools) ?? Promise.reject(new RangeError(name)),
      ]),
    ),
  })
  const { database, clock } = bed
  const names = new Map<string, readonly unknown[]>()
  const resolve: DnsResolver = async (domain, kind) => {
    const found = names.get(`${kind} ${domain}`)
    if (found === undefined) throw Object.assign(new RangeError(domain), { code: 'ENOTFOUND' })
    return found
  }
  const parser = createMessageParser(clock)
  const senderChecker = createSenderChecker(MAIL_DOMAIN, resolve)
  const deps: InboxDeps = {
    database,
    now: clock,
    files: await openTestFiles(database, clock, { maxFileBytes: 1e8, maxAccountBytes: 1e9 }),
    domain: MAIL_DOMAIN,
    isLocal: false,
    ownName: 'signin',
    limits: LIMITS,
    rejectsForged: true,
    parser,
    senderChecker,
    bounceAddresses: createBounceAddresses(Buffer.alloc(32, 1), MAIL_DOMAIN),
    relay: null,
    ration: createTargetRation({
      now: clock,
      ofAccount: 10,
      ofAccountToTarget: 4,
      toTarget: 20,
      what: 'messages',
    }),
    compose: createCompose(MAIL_DOMAIN, null, clock),
  }
  const inboxes = { ...deps, ...change(deps) }
  handlers = inboxHandlers(inboxes)
  const errors: unknown[] = []
  const listener = await openSmtpListener({
    inboxes,
    certificate: createSelfSignedCertificate(MAIL_DOMAIN, Date.now()),
    host: '127.0.0.1',
    port: 0,
    ownNetworks: [],
    now: clock,
    onError: (error) => errors.push(error),
  })
  cleanUp(async () => {
    await listener.close()
    await parser.close()
    await senderChecker.close()
  })
  await grantCredit(
    { database, now: clock },
    { accountId: bed.caller.accountId, mode: 'live', amount: cents('10000') },
  )
  const transport = createTransport({
    host: '127.0.0.1',
    port: listener.port,
    tls: { rejectUnauthorized: false },
    disableFileAccess: true,
  })
  return {
    ...bed,
    inboxes,
    listener,
    errors,
    names,
    transport,
    async run(action, body, { caller = bed.caller, key } = {}) {
      const request = bed.request('inbox', action, body, {
        caller,
        ...(key === undefined ? {} : { idempotency: { key, fingerprint: 'aa'.repeat(32) } }),
      })
      const answer = await runCall(bed.calls, request)
      return (JSON.parse(answer.body) as { data: Record<string, unknown> }).data
    },
  }
}
