import { isMailbox } from './records/email.ts'
import { AppError } from '../errors/app-error.ts'
import { hasOpenAccount } from './records/choose-account.ts'
import type { Database } from '../db/database.ts'
import { HOUR_MS } from '../lib/clock.ts'
import type { Id } from '../lib/ids.ts'
import { Attempts, type AttemptLimits } from './attempts.ts'
import type { AuthDeps } from './auth-deps.ts'
import { findPerson } from './records/find-person.ts'
import { createLink } from './sign-in-link.ts'
import { writeLinkEmail, MAILED_LINK_SECONDS } from './link-email.ts'
import type { Mailer } from './auth-services.ts'

/** Limits of requests for links, sent or not. */
export const REQUEST_LIMITS = {
  forEmail: 5,
  fromAddress: 60,
  windowMs: HOUR_MS,
} as const satisfies AttemptLimits

/**
 * Emails per hour and process, for one network, to one address and in total, so that the gateway cannot be used to
 * bother people. `drainMs`: how long a stopping process waits for pending emails.
 */
export type SendingLimits = {
  readonly fromAddress: number
  readonly forEmail: number
  readonly inAll: number
  readonly drainMs: number
}
export const SENDING_LIMITS: SendingLimits = {
  fromAddress: REQUEST_LIMITS.fromAddress,
  forEmail: 5,
  inAll: 500,
  drainMs: 20_000,
}

const MOST_CONCURRENT = 4
const MOST_WAITING = 200

export type LinkSenderDeps = AuthDeps & {
  readonly mailer: Mailer
  /** Whether addresses without an account get a link that creates one. */
  readonly signUp: boolean
  readonly publicUrl: string
  /** Reports an unsent email to the operator. */
  readonly report: (error: unknown) => void
}

/**
 * `next`: the page after sign-in. It is stored, because requesters must
 * not choose any text of an email.
 */
export type LinkRequest = {
  readonly email: string
  readonly next: string
  /** The network address of the request. */
  readonly address: string
}

/**
 * Sends links in the background, so that neither the response nor its time reveals whether an
 * address has an account. Sends a few concurrently. When too many wait, further ones are reported
 * and dropped.
 */
export class LinkSender {
  readonly #deps: LinkSenderDeps
  readonly #sent: Attempts
  readonly #drainMs: number
  readonly #waiting: LinkRequest[] = []
  readonly #active = new Set<Promise<void>>()

  constructor(deps: LinkSenderDeps, { drainMs, ...limits }: SendingLimits = SENDING_LIMITS) {
    this.#deps = deps
    this.#drainMs = drainMs
    this.#sent = new Attempts({ ...limits, windowMs: HOUR_MS }, deps.now)
  }

  /** Queues an email. Never throws. */
  request(link: LinkRequest): void {
    if (this.#waiting.length >= MOST_WAITING)
      this.#deps.report(new AppError('overloaded', 'Too many emails are waiting to be sent.'))
    else this.#waiting.push(link)
    this.#work()
  }

  /** Resolves when all emails are sent, or on timeout. Reports the unsent ones. */
  async drain(): Promise<void> {
    const timeout = Promise.withResolvers<void>()
    const timer = setTimeout(timeout.resolve, this.#drainMs)
    await Promise.race([this.#allSent(), timeout.promise])
    clearTimeout(timer)
    for (const _link of this.#waiting.splice(0)) this.#deps.report(new AppError('shutting_down'))
  }

  async #allSent(): Promise<void> {
    while (this.#active.size > 0) await Promise.all(this.#active)
  }

  #work(): void {
    while (this.#active.size < MOST_CONCURRENT) {
      const link = this.#waiting.shift()
      if (link === undefined) return
      const sending = this.#send(link)
        .catch(this.#deps.report)
        .finally(() => {
          this.#active.delete(sending)
          this.#work()
        })
      this.#active.add(sending)
    }
  }

  async #send({ email, next, address }: LinkRequest): Promise<void> {
    const { database, mailer, publicUrl } = this.#deps
    const { rows } = await database.query<{ id: Id; email: string }>(
      'select id, email from people where lower(email) = lower($1)',
      [email],
    )
    const person = rows[0]
    const getsLink =
      person === undefined
        ? this.#deps.signUp && (await isOpenAddress(database, email))
        : await hasOpenAccount(database, person.id)
    if (!getsLink) return
    // The person's spelling: letters that the database equates can be another mailbox.
    const to = person?.email ?? email
    if (!isMailbox(to)) return
    this.#countSent(to, address)
    const token = await createLink(this.#deps, {
      email: to,
      makesAccount: person === undefined,
      seconds: MAILED_LINK_SECONDS,
      next,
    })
    await mailer.send(writeLinkEmail({ to, isNew: person === undefined, publicUrl, token }))
  }

  #countSent(to: string, address: string): void {
    try {
      this.#sent.count({ address, email: to })
    } catch (cause) {
      throw new AppError(
        'rate_limited',
        'The hourly limit of emailed links is reached, for one network, one address or in total.',
        { cause },
      )
    }
  }
}

/** Whether a new person can use the address. */
async function isOpenAddress(database: Database, email: string): Promise<boolean> {
  const owner = await findPerson(database, email)
  return owner.personId === null && owner.isOpen
}
