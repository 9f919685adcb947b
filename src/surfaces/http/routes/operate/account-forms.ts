import { addCredit } from '../../../../accounts/add-credit.ts'
import { closeAccount } from '../../../../accounts/close-account.ts'
import { createAccount } from '../../../../accounts/create-account.ts'
import { TIERS } from '../../../../accounts/account.ts'
import { findAccount, type FoundAccount } from '../../../../accounts/find-account.ts'
import { pauseAccount, resumeAccount } from '../../../../accounts/pause-account.ts'
import { setDailyCap } from '../../../../accounts/set-daily-cap.ts'
import { setOperator } from '../../../../accounts/set-operator.ts'
import { takeCredit } from '../../../../accounts/take-credit.ts'
import { createAccountLink } from '../../../../auth/create-account-link.ts'
import { linkUrl } from '../../../../auth/link-email.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { DAY_MS } from '../../../../lib/clock.ts'
import { dollars, type Micros } from '../../../../lib/money.ts'
import { hashOfToken } from '../../../../lib/token.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { ACCOUNT_FORMS } from './account-actions.ts'
import { ACCOUNTS_PATH } from './accounts-page.ts'
import type { ConsoleForm, FormWork } from './console.ts'
import { linkPage } from './link-page.ts'

type Deps = Pick<PageDeps, 'database' | 'now' | 'site'>

/** The forms of an account's page. Each calls the function of its command. */
export function accountForms(deps: Deps): readonly ConsoleForm[] {
  const { database, now } = deps
  return [
    {
      name: ACCOUNT_FORMS.grant,
      isSensitive: true,
      async work({ params, field }) {
        const days = /^(\d{1,3})d$/.exec(field('expires'))?.[1]
        await addCredit(deps, {
          account: idOf(params),
          mode: 'live',
          kind: 'grant',
          amount: amountOf(field),
          reference: referenceOf(field),
          ...(days === undefined ? {} : { expiresAt: new Date(now() + Number(days) * DAY_MS) }),
        })
        return { done: 'granted' }
      },
    },
    {
      name: ACCOUNT_FORMS.take,
      isSensitive: true,
      async work({ params, field }) {
        const { accountId } = await findAccount(database, idOf(params))
        await takeCredit(deps, {
          accountId,
          mode: 'live',
          amount: amountOf(field),
          reference: referenceOf(field),
        })
        return { done: 'taken' }
      },
    },
    {
      name: ACCOUNT_FORMS.link,
      isSensitive: true,
      async work({ operator, params }) {
        const { account, token, expiresAtMs } = await createAccountLink(deps, idOf(params))
        const url = linkUrl(deps.site.publicUrl, token)
        return { markup: linkPage(deps.site, { operator, account, url, expiresAtMs }) }
      },
    },
    {
      name: ACCOUNT_FORMS.cap,
      async work({ params, field }) {
        const { accountId } = await findAccount(database, idOf(params))
        await setDailyCap(database, { accountId, mode: 'live', cap: amountOf(field) })
        return { done: 'daily-cap' }
      },
    },
    {
      name: ACCOUNT_FORMS.pause,
      async work({ operator, params }) {
        await requireOther(deps, operator, params)
        await pauseAccount(deps, idOf(params))
        return { done: 'paused' }
      },
    },
    {
      name: ACCOUNT_FORMS.resume,
      async work({ params }) {
        await resumeAccount(database, idOf(params))
        return { done: 'resumed' }
      },
    },
    {
      name: ACCOUNT_FORMS.close,
      isSensitive: true,
      async work({ operator, params, field }) {
        requireConfirmation(await requireOther(deps, operator, params), field)
        await closeAccount(database, idOf(params))
        return { done: 'closed' }
      },
    },
    {
      name: ACCOUNT_FORMS.operator,
      isSensitive: true,
      async work({ operator, params, field }) {
        requireConfirmation(await requireOther(deps, operator, params), field)
        const isOperator = field('operator') === 'yes'
        await setOperator(database, idOf(params), isOperator)
        return { done: isOperator ? 'operator' : 'not-operator' }
      },
    },
  ]
}

/** The form of the list of accounts. */
export function accountCreation(deps: Deps): ConsoleForm {
  return {
    name: 'create',
    isSensitive: true,
    async work({ field }) {
      const tier = TIERS.find((one) => one === field('tier')) ?? 'personal'
      const { account } = await createAccount(deps, { email: field('email'), tier })
      return { done: 'created', to: `${ACCOUNTS_PATH}/${account.id}` }
    },
  }
}

function idOf(params: FormWork['params']): string {
  return params['id'] ?? ''
}

/** Throws AppError invalid_params. */
function amountOf(field: FormWork['field']): Micros {
  const text = field('dollars').replaceAll(',', '')
  if (/^\d{1,9}(\.\d{1,6})?$/.test(text) && dollars(text) > 0n) return dollars(text)
  throw new AppError('invalid_params', `"${field('dollars')}" is not an amount.`, {
    param: 'dollars',
    fix: 'Enter dollars, such as 25 or 2.50.',
  })
}

/** A repeated form moves credit once: the ledger rejects a second use of a reference. */
function referenceOf(field: FormWork['field']): string {
  const hash = hashOfToken(field('once'))
  if (hash === null)
    throw new AppError('bad_request', 'This form is incomplete.', {
      fix: 'Submit it again from this page.',
    })
  return `operator ${hash.toString('hex').slice(0, 16)}`
}

/** Operators do not lock themselves out. Throws AppError bad_request. */
async function requireOther(
  { database }: Deps,
  { visitor }: FormWork['operator'],
  params: FormWork['params'],
): Promise<FoundAccount> {
  const found = await findAccount(database, idOf(params))
  if (found.accountId === visitor.caller.accountId)
    throw new AppError('bad_request', 'This is your own account.', {
      fix: 'Another operator can do this, or you at the command line.',
    })
  return found
}

function requireConfirmation({ account }: FoundAccount, field: FormWork['field']): void {
  if (field('confirm').toLowerCase() !== account.email.toLowerCase())
    throw new AppError('invalid_params', 'This is not the email address of the account.', {
      param: 'confirm',
      fix: 'Type it exactly to confirm.',
    })
}
