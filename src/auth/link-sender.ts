import { isMailbox } from './records/email.ts'
import { AppError } from '../errors/app-error.ts'
import { findPrimaryCaller } from '../keys/find-caller.ts'
import { HOUR_MS } from '../lib/clock.ts'
import type { Id } from '../lib/ids.ts'
import { Attempts, type AttemptLimits } from './attempts.ts'
import type { AuthDeps } from './auth-deps.ts'
import { createLink } from './sign-in-link.ts'
import { writeLinkEmail, MAILED_LINK_SECONDS } from './link-email.ts'
import type { Mailer } from './auth-services.ts'

/** How often links may be asked for, whether one is sent or not. */
export const REQUEST_LIMITS = {
  forEmail: 5,
  fromAddress: 60,
  windowMs: HOUR_MS,
} as const satisfies AttemptLimits

/**
 * What one process mails in an hour, to one address and in all: nobody is to bother others by means of a gateway. And for how
 * long its end waits for mails.
 */
export type SendingLimits = {
  readonly forEmail: number
  readonly inAll: number
  readonly drainMs: number
}
export const SENDING_LIMITS: SendingLimits = { forEmail: 5, inAll: 500, drainMs: 20_000 }

const MOST_AT_ONCE = 4
const MOST_WAITING = 200

export type LinkSenderDeps = AuthDeps & {
  readonly mailer: Mailer
  /** Whether addresses without an account get a link too, which makes one. */
  readonly signUp: boolean
  readonly publicUrl: string
  /** Tells the operator why a mail was not sent. */
  readonly report: (error: unknown) => void
}

/** `next`: the page that the link leads to in the end. It is kept, and not in the mail, which says nothing that whoever asks has chosen. */
export type LinkRequest = { readonly email: string; readonly next: string }

/**
 * Mails links behind the back of whoever asks, so that no answer, nor the time it takes, tells whether there is an account
 * for the address. A few at a time; when too many wait, a further one is reported and left out.
 */
export class LinkSender {
  readonly #parts: LinkSenderDeps
  readonly #sent: Attempts
  readonly #drainMs: number
  readonly #waiting: LinkRequest[] = []
  readonly #underWay = new Set<Promise<void>>()

  constructor(parts: LinkSenderDeps, { forEmail, inAll, drainMs }: SendingLimits = SENDING_LIMITS) {
    this.#parts = parts
    this.#drainMs = drainMs
    this.#sent = new Attempts({ forEmail, inAll, windowMs: HOUR_MS }, parts.now)
  }

  /** Returns at once, and never throws. */
  request(wish: LinkRequest): void {
    if (this.#waiting.length >= MOST_WAITING)
      this.#parts.report(new AppError('overloaded', 'Too many mails wait to be sent.'))
    else this.#waiting.push(wish)
    this.#work()
  }

  /** Resolves when all mails are sent, or after a while without the rest, which is reported. */
  async drain(): Promise<void> {
    const patience = Promise.withResolvers<void>()
    const timer = setTimeout(patience.resolve, this.#drainMs)
    await Promise.race([this.#allSent(), patience.promise])
    clearTimeout(timer)
    for (const _wish of this.#waiting.splice(0)) this.#parts.report(new AppError('shutting_down'))
  }

  async #allSent(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  #work(): void {
    while (this.#underWay.size < MOST_AT_ONCE) {
      const wish = this.#waiting.shift()
      if (wish === undefined) return
      const sending = this.#send(wish)
        .catch(this.#parts.report)
        .finally(() => {
          this.#underWay.delete(sending)
          this.#work()
        })
      this.#underWay.add(sending)
    }
  }

  async #send({ email: asked, next }: LinkRequest): Promise<void> {
    const { database, mailer, publicUrl } = this.#parts
    const { rows } = await database.query<{ id: Id; email: string }>(
      'select id, email from accounts where lower(email) = lower($1)',
      [asked],
    )
    const account = rows[0]
    const isWelcome =
      account === undefined
        ? this.#parts.signUp
        : (await findPrimaryCaller(database, account.id, 'live')) !== null
    if (!isWelcome) return
    // As the account has it: letters that are alike for the database may be another mailbox for mail.
    const to = account?.email ?? asked
    if (!isMailbox(to)) return
    this.#countSent(to)
    const token = await createLink(this.#parts, {
      email: to,
      makesAccount: account === undefined,
      seconds: MAILED_LINK_SECONDS,
      next,
    })
    await mailer.send(writeLinkEmail({ to, isNew: account === undefined, publicUrl, token }))
  }

  #countSent(to: string): void {
    try {
      this.#sent.count({ email: to })
    } catch (cause) {
      throw new AppError(
        'rate_limited',
        'So many links were mailed within an hour, to one address or in all, that no further one is.',
        { cause },
      )
    }
  }
}
