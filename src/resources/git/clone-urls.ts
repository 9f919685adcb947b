/** The check and the renewal of clone URLs. */
import type { Database } from '../../db/database.ts'
import { mayAct } from '../../db/may-act.ts'
import { AppError } from '../../errors/app-error.ts'
import { onlyMaker, type Owner } from '../../lib/owner.ts'
import type { Maker } from '../makers/maker-watch.ts'
import type { GitDeps } from './git-deps.ts'

/** The service whose references name the owner of a repository. */
export const SERVICE = 'gitstore'
const REPOSITORY_ID = /^repo_[0-9a-f]{32}$/

export function isRepositoryId(text: string): boolean {
  return REPOSITORY_ID.test(text)
}

type UrlRow = {
  readonly account_id: Maker['accountId']
  readonly key_id: Maker['keyId']
  readonly url_ms: bigint
  readonly version: number
  readonly works: boolean
}

// The reference exists once the call that created the repository has been charged.
const bought = (condition = 'true'): string =>
  `exists (select from vendor_references as sold where sold.service = '${SERVICE}' and not sold.is_test and sold.lasts
    and sold.reference = repo_id and sold.account_id = repositories.account_id and ${condition})`
const WORKS = mayAct({
  account: 'repositories.account_id',
  key: 'repositories.key_id',
  nowMs: '$2::bigint',
  madeMs: 'url_ms',
})

/**
 * The maker of the clone URL with this token. Null for a wrong token, for an unknown repository, and while
 * the maker may not act.
 */
export async function openCloneUrl(
  { database, now, tokens }: GitDeps,
  repoId: string,
  token: string,
): Promise<Maker | null> {
  const { rows } = await database.query<UrlRow>(
    `select account_id, key_id, url_ms, version, true as works from repositories where repo_id = $1 and ${bought()} and ${WORKS}`,
    [repoId, now()],
    'open_clone_url',
  )
  const [row] = rows
  if (row === undefined || !tokens.isTokenOf(repoId, row.version, token)) return null
  return { accountId: row.account_id, keyId: row.key_id, madeMs: Number(row.url_ms) }
}

/** A clone URL that works: the present one, or a new one if its key was revoked, rotated or paused, or has expired. Throws AppError `unknown_repo`. */
export async function cloneUrlFor(deps: GitDeps, owner: Owner, repoId: string): Promise<string> {
  const { rows } = await deps.database.query<UrlRow>(
    `select *, ${WORKS} as works from repositories where repo_id = $1`,
    [repoId, deps.now()],
  )
  const [row] = rows
  return row?.works === true ? urlOf(deps, repoId, row.version) : renewCloneUrl(deps, owner, repoId)
}

/**
 * Replaces the clone URL: the former one stops working, and the new one works as long as the calling key.
 * Throws AppError `api_key_paused`, and `unknown_repo`, also for a repository of another owner.
 */
export async function renewCloneUrl(deps: GitDeps, owner: Owner, repoId: string): Promise<string> {
  const { accountId, keyId, mode } = owner
  if (mode === 'test' || !isRepositoryId(repoId)) throw new AppError('unknown_repo')
  if (!(await keyMayAct(deps, owner))) throw new AppError('api_key_paused')
  const { rows } = await deps.database.query<{ version: number }>(
    `update repositories set version = version + 1, key_id = $3, url_ms = $2
     where repo_id = $1 and account_id = $4 and ${bought('($5::uuid is null or sold.key_id = $5)')}
     returning version`,
    [repoId, deps.now(), keyId, accountId, onlyMaker(owner)],
    'renew_clone_url',
  )
  const [row] = rows
  if (row === undefined) throw new AppError('unknown_repo')
  return urlOf(deps, repoId, row.version)
}

async function keyMayAct(
  { database, now }: GitDeps,
  { accountId, keyId }: Owner,
): Promise<boolean> {
  const { rows } = await database.query<{ may_act: boolean }>(
    `select ${mayAct({ account: '$1::uuid', key: '$2::uuid', nowMs: '$3::bigint' })} as may_act`,
    [accountId, keyId, now()],
    'key_may_act',
  )
  return rows[0]?.may_act === true
}

export function urlOf({ publicUrl, tokens }: GitDeps, repoId: string, version: number): string {
  const url = new URL(`${publicUrl}/git/${repoId}.git`)
  url.username = 'git'
  url.password = tokens.tokenOf(repoId, version)
  return url.href
}

/** Deletes rows of calls that were not charged. */
export async function forgetUnbought(database: Database, beforeMs: number): Promise<void> {
  await database.query(`delete from repositories where created_ms < $1 and not ${bought()}`, [
    beforeMs,
  ])
}
