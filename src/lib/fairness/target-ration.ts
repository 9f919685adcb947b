import { AppError } from '../../errors/app-error.ts'
import { createUnpaidWork, type UnpaidSettings } from './unpaid-work.ts'

/** Rations requests to other parties' servers that end without a charge. Per process. */
export type TargetRation = {
  /** Throws AppError `rate_limited` once the account, or the target, has used its ration. */
  admit(accountId: string, targets: readonly string[]): void
  /** Counts a request that is not paid, or not yet. */
  start(accountId: string, targets: readonly string[]): void
  /** Takes back the count of the targets, for a request that their servers answered. */
  answered(accountId: string, targets: readonly string[]): void
  /** A paid call of the account makes up for some of its requests. */
  paid(accountId: string): void
}

export type RationSettings = Pick<UnpaidSettings, 'now'> & {
  /** Unpaid requests of one account within an hour. */
  readonly ofAccount: number
  /** Of one account to one target. */
  readonly ofAccountToTarget: number
  /** Of all accounts to one target. */
  readonly toTarget: number
  /** The requests in the error message, such as "email checks". */
  readonly what: string
}

/** As many requests as one call makes, so that paid calls alone never use the ration. */
const MADE_UP_BY_PAID_CALL = 8

export function createTargetRation(settings: RationSettings): TargetRation {
  const { now, what } = settings
  const accounts = createUnpaidWork({ most: settings.ofAccount, now, what })
  const shares = createUnpaidWork({ most: settings.ofAccountToTarget, now })
  const all = createUnpaidWork({ most: settings.toTarget, now })
  const addToTargets = (accountId: string, targets: readonly string[], amount: number): void => {
    for (const target of new Set(targets)) {
      shares.add(`${accountId} ${target}`, amount)
      all.add(target, amount)
    }
  }
  return {
    admit(accountId, targets) {
      accounts.admit(accountId)
      for (const target of targets)
        if (!shares.fits(`${accountId} ${target}`, 1) || !all.fits(target, 1))
          throw new AppError(
            'rate_limited',
            `Too many ${what} with the same servers failed within an hour. Nothing was charged.`,
            {
              fix: 'Use addresses whose servers answer, or try again later.',
              retryAfterSeconds: 600,
            },
          )
    },
    start(accountId, targets) {
      accounts.add(accountId, 1)
      addToTargets(accountId, targets, 1)
    },
    answered: (accountId, targets) => addToTargets(accountId, targets, -1),
    paid: (accountId) => accounts.add(accountId, -MADE_UP_BY_PAID_CALL),
  }
}
