import type { FastifyReply } from 'fastify'
import { Readable } from 'node:stream'
import { findAccount } from '../../../../accounts/find-account.ts'
import { CHANGE_SUBJECTS } from '../../../../audit/change-record.ts'
import { exportChanges, listChanges, type ChangeFilter } from '../../../../audit/list-changes.ts'
import type { Database } from '../../../../db/database.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { nameAccounts } from '../../../../operate/accounts/name-accounts.ts'
import { changeFilterOf } from '../audit/change-query.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { describeError } from '../visitor/send-page.ts'
import { AUDIT_PATH, auditPage } from './audit-page.ts'
import type { Console, PageRequest } from './console.ts'

const ROWS_SHOWN = 50

/** /operate/audit and its export. */
export function auditPages(console: Console, { database, site }: PageDeps): void {
  console.page(AUDIT_PATH, async (request) => {
    const { page, problem } = await readPage(database, request)
    const names = await nameAccounts(
      database,
      page.changes.flatMap(({ author, account_id: account }) => [author, account]),
    )
    return auditPage(site, request, { page, names, problem })
  })
  console.download(`${AUDIT_PATH}/csv`, async (request, reply) => {
    const filter = await filterOf(database, request)
    return sendCsv(reply, 'audit.csv', exportChanges(database, { filter, format: 'csv' }))
  })
}

export function sendCsv(
  reply: FastifyReply,
  name: string,
  lines: AsyncIterable<string> | Iterable<string>,
): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${name}"`)
    .type('text/csv; charset=utf-8')
    .send(Readable.from(lines))
}

async function readPage(database: Database, request: PageRequest) {
  const cursor = request.query('cursor')
  try {
    const page = await listChanges(database, {
      filter: await filterOf(database, request),
      cursor: cursor === '' ? null : cursor,
      limit: ROWS_SHOWN,
    })
    return { page, problem: null }
  } catch (error) {
    if (!(error instanceof AppError) || error.spec.status >= 500) throw error
    return { page: { changes: [], nextCursor: null }, problem: describeError(error) }
  }
}

async function filterOf(database: Database, { query }: PageRequest): Promise<ChangeFilter> {
  const [from, to, account] = [query('from'), query('to'), query('account').trim()]
  const subject = CHANGE_SUBJECTS.find((one) => one === query('subject'))
  return {
    ...changeFilterOf({ ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) }),
    ...(account === '' ? {} : { accountId: (await findAccount(database, account)).accountId }),
    ...(subject === undefined ? {} : { subject }),
    ...(query('by') === 'operators' ? { byOperators: true } : {}),
  }
}
