import { nameAccounts } from '../../../../operate/accounts/name-accounts.ts'
import { readAccountDetails } from '../../../../operate/accounts/read-account.ts'
import { searchAccounts } from '../../../../operate/accounts/search-accounts.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { accountCreation, accountForms } from './account-forms.ts'
import { accountPage } from './account-page.ts'
import { ACCOUNTS_PATH, accountsPage } from './accounts-page.ts'
import type { Console } from './console.ts'

/** /operate/accounts and the page of one account. */
export function accountPages(console: Console, pages: PageDeps): void {
  const { database, now, site } = pages
  console.page(
    ACCOUNTS_PATH,
    async (request, rejection) => {
      const cursor = request.query('cursor')
      const found = await searchAccounts(database, {
        search: request.query('q'),
        cursor: cursor === '' ? null : cursor,
      })
      return accountsPage(site, request, found, rejection)
    },
    [accountCreation(pages)],
  )
  console.page(
    `${ACCOUNTS_PATH}/:id`,
    async (request, rejection) => {
      const details = await readAccountDetails({ database, now }, request.params['id'] ?? '')
      if (details === null) return null
      const names = await nameAccounts(
        database,
        details.changes.changes.map(({ author }) => author),
      )
      return accountPage(site, request, { details, names, rejection })
    },
    accountForms(pages),
  )
}
