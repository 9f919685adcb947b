import type { CallTools, InHouseHandler } from '../../catalog/vocabulary/handlers.ts'
import { textField } from '../../catalog/answers/vendor-failure.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { fieldsOf } from '../../lib/json-fields.ts'
import type { TargetRation } from '../../lib/fairness/target-ration.ts'
import { newId } from '../../lib/ids.ts'
import type { CheckAddress } from './check-address.ts'
import { searchDomain, toDomainScan } from './domain-search.ts'
import { findAddress, type FindAddressDeps } from './find-address.ts'
import { findAuthor, type AuthorDeps } from './find-author.ts'
import { toEmailSearch, toPersonReply } from './person-answers.ts'
import {
  findSearch,
  listSearches,
  storeSearch,
  type EmailSearch,
  type SearchKind,
} from './email-searches.ts'
import type { ReadSiteAddresses } from './read-site-addresses.ts'
import { requirePublicDomain } from './require-domain.ts'
import {
  toContactfindReply,
  toEmailasyncResult,
  toEmailintelReply,
  uncheckedField,
} from './verdicts.ts'

export type EmailDeps = {
  readonly database: Database
  readonly now: Clock
  readonly checkAddress: CheckAddress
  readonly ration: Pick<TargetRation, 'paid'>
  readonly readSite: ReadSiteAddresses
  readonly pages: AuthorDeps['pages']
  readonly findTimes: FindAddressDeps['findTimes']
}

/** Names of handlers that exist only on a gateway with the part `emails`. */
export const EMAIL_HANDLERS = [
  'contactfind.email-verify',
  'emailintel.email-verifier',
  'emailintel.domain-search',
  'emailintel.email-finder',
  'emailintel.author-finder',
  'emailasync.email-search',
  'emailasync.email-verification',
  'emailasync.domain-scan',
  'emailasync.result',
] as const

/** Email checks and published addresses, in the reply shapes of three vendors. */
export function emailHandlers(deps: EmailDeps): ReadonlyMap<string, InHouseHandler> {
  const { checkAddress, readSite } = deps
  const handlers: Readonly<Record<(typeof EMAIL_HANDLERS)[number], InHouseHandler>> = {
    'contactfind.email-verify': async ({ email }, tools) =>
      toContactfindReply(await checkAddress(String(email), tools)),
    'emailintel.email-verifier': async ({ email }, tools) =>
      toEmailintelReply(await checkAddress(String(email), tools)),
    'emailintel.domain-search': async (input, tools) => {
      const domain = requirePublicDomain(input['domain'], 'domain')
      return searchDomain(domain, await readSite(domain, tools), input)
    },
    'emailintel.email-finder': async (input, tools) => {
      const domain = requirePublicDomain(input['domain'], 'domain')
      const name = String(input['full_name'])
      const found = await findAddress(deps, { name, domain }, tools)
      return toPersonReply(found, { name, domain, nowMs: deps.now() })
    },
    'emailintel.author-finder': async ({ url }, tools) => {
      const author = await findAuthor(deps, String(url), tools)
      const found = await findAddress(deps, author, tools)
      const { data, ...more } = toPersonReply(found, { ...author, nowMs: deps.now() })
      return { data: { ...fieldsOf(data), info: { title: author.title } }, ...more }
    },
    'emailasync.email-search': async (input, tools) => {
      const domain = requirePublicDomain(input['domainOrCompany'], 'domainOrCompany')
      const name = [textField(input, 'firstname'), textField(input, 'lastname')].join(' ').trim()
      const found = await findAddress(deps, { name, domain }, tools)
      const { unchecked } = found
      return launch(deps, tools, 'email-search', {
        item: toEmailSearch(found, name),
        ...(unchecked === undefined ? {} : { unchecked }),
      })
    },
    'emailasync.email-verification': async ({ email }, tools) => {
      const report = await checkAddress(String(email), tools)
      const { status, emails } = toEmailasyncResult(report)
      return launch(deps, tools, 'email-verification', {
        item: { status, results: { emails } },
        ...uncheckedField(report),
      })
    },
    'emailasync.domain-scan': async ({ domainOrCompany }, tools) => {
      const domain = requirePublicDomain(domainOrCompany, 'domainOrCompany')
      const item = toDomainScan(await readSite(domain, tools))
      return launch(deps, tools, 'domain-scan', { item })
    },
    'emailasync.result': (input, tools) => readResult(deps, tools, input),
  }
  const checks = CHECKS.map((name) => [name, withRation(deps, handlers[name])] as const)
  return new Map([...Object.entries(handlers), ...checks])
}

/** The actions that ask email servers. An answer without `unchecked` is charged. */
const CHECKS = [
  'contactfind.email-verify',
  'emailintel.email-verifier',
  'emailintel.email-finder',
  'emailintel.author-finder',
  'emailasync.email-search',
  'emailasync.email-verification',
] as const

function withRation({ ration }: Pick<EmailDeps, 'ration'>, handle: InHouseHandler): InHouseHandler {
  return async (input, tools) => {
    const answer = await handle(input, tools)
    if (fieldsOf(answer)['unchecked'] === undefined) ration.paid(tools.accountId)
    return answer
  }
}

/** Stores the finished search. Its poll returns the result immediately. */
async function launch(
  { database, now }: EmailDeps,
  { accountId }: CallTools,
  kind: SearchKind,
  { item, ...more }: { readonly item: Data; readonly unchecked?: string },
): Promise<Data> {
  const createdMs = now()
  const id = newId(createdMs)
  await storeSearch(database, { accountId }, kind, { id, createdMs, item })
  return { success: true, item: { _id: id, status: item['status'] }, ...more }
}

const ID = /^[0-9a-f]{32}$/

/** Ids of the vendor are unknown here. */
async function readResult(
  { database }: EmailDeps,
  { accountId }: CallTools,
  input: Data,
): Promise<Data> {
  if (input['id'] === undefined) {
    const kind = input['type'] as SearchKind | undefined
    const searches = await listSearches(database, { accountId }, kind)
    return { success: true, total: searches.length, items: searches.map(toItem) }
  }
  const id = textField(input, 'id')
  const search = ID.test(id) ? await findSearch(database, { accountId }, id) : null
  if (search === null)
    throw new AppError('unknown_job', undefined, {
      param: 'id',
      fix: 'Send an _id that this gateway returned to this account within the last 30 days.',
    })
  return { success: true, items: [toItem(search, 0)] }
}

function toItem({ id, createdMs, item }: EmailSearch, order: number): Data {
  const time = new Date(createdMs).toISOString()
  return {
    _id: id.replaceAll('-', ''),
    ...item,
    order,
    system: { createdAt: time, modifiedAt: time },
  }
}
