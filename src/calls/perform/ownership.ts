/** Separates accounts at vendors, where all calls use the operator's key. An account reads only what it created, and a key of scope "own" only what that key created. */
import { describeParam } from '../../catalog/published/example-needs.ts'
import type { Action, Ownership } from '../../catalog/vocabulary/define.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import type { Reply } from '../../catalog/vocabulary/wire.ts'
import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import { readJobReference } from '../../jobs/vendor-reference.ts'
import { parsePublicId, type Id } from '../../lib/ids.ts'
import {
  claimReference,
  findHolder,
  isOwnReference,
  readOwnReferences,
  storeReference,
  type ReferenceOwner,
} from './vendor-references.ts'

export type OwnedCall = {
  readonly action: Action
  readonly ownership: Ownership
  readonly owner: ReferenceOwner
  readonly input: Data
}

/**
 * The input with ids of the gateway's jobs replaced by the vendor's. Throws AppError for an id of another
 * owner and for a name that is taken, before a merchant charges for its own rejection.
 */
export async function toOwnInput(database: Database, call: OwnedCall): Promise<Data> {
  const { action, ownership, owner, input } = call
  const { targetId, unknownCode = 'unknown_job' } = ownership
  await requireFreeName(database, call)
  const target = targetId?.(input)
  if (target === undefined) return input
  const jobId = parsePublicId('job', target)
  if (jobId === null) {
    if (await isOwnReference(database, owner, target)) return input
    throw unknownReference(unknownCode, action, input, target)
  }
  const reference = await findJobReference(database, owner, jobId)
  if (reference === undefined) throw unknownReference(unknownCode, action, input, target)
  return Object.fromEntries(
    Object.entries(input).map(([param, value]) => [param, value === target ? reference : value]),
  )
}

async function requireFreeName(
  database: Database,
  { ownership: { chosenName }, owner, input }: OwnedCall,
): Promise<void> {
  const name = chosenName?.(input)
  const holder = name === undefined ? undefined : await findHolder(database, namesOf(owner), name)
  if (holder === 'another') throw nameTaken()
  if (holder === 'owner')
    throw new AppError(
      'upstream_rejected',
      'This account has already created one with that name. Nothing was charged.',
      { fix: 'Use the answer of the first call, or choose another name.' },
    )
}

/** The vendor's id of a job; undefined for an unknown job. Throws AppError for a job without one. */
async function findJobReference(
  database: Database,
  owner: ReferenceOwner,
  jobId: Id,
): Promise<string | undefined> {
  const job = await readJobReference(database, owner, owner.service, jobId)
  if (job === undefined) return undefined
  const { reference, hasEnded } = job
  if (reference !== null) return reference
  if (hasEnded)
    throw new AppError('unknown_job', 'The job ended before the vendor accepted it.', {
      fix: 'Call core/result with this job_id to see why it ended.',
    })
  throw new AppError('upstream_conflict', 'The vendor has not accepted this job yet.', {
    fix: 'Try again in a moment. core/result returns the status of the job.',
    retryAfterSeconds: 2,
  })
}

function unknownReference(
  code: ErrorCode,
  action: Action,
  input: Data,
  reference: string,
): AppError {
  const param = Object.keys(input).find((name) => input[name] === reference)
  if (param === undefined) return new AppError(code)
  return new AppError(code, undefined, {
    param,
    fix: `Check "${param}": ${describeParam(action, param)} It must be one that this account created.`,
  })
}

/** Stores the id of what the call created before its answer is sent. Removes what others created from a list. */
export async function applyOwnership(
  database: Database,
  { ownership, owner, input }: OwnedCall,
  reply: Reply,
  nowMs: number,
): Promise<Reply> {
  const { createdId, isPermanent, chosenName, targetId, filterList } = ownership
  const created = createdId?.(reply)
  if (created !== undefined && isPermanent !== true)
    await storeReference(database, owner, created, nowMs)
  if (created !== undefined && isPermanent === true) {
    // A vendor can answer a taken name with the existing item, which has another owner.
    if (!(await claimReference(database, owner, created, nowMs))) throw nameTaken()
    const name = chosenName?.(input)
    if (name !== undefined) await claimReference(database, namesOf(owner), name, nowMs)
  }
  if (filterList === undefined || targetId?.(input) !== undefined) return reply
  return filterList(reply, await readOwnReferences(database, owner))
}

/** Names of a service are stored apart from its references. */
function namesOf(owner: ReferenceOwner): ReferenceOwner {
  return { ...owner, service: `${owner.service}/names` }
}

function nameTaken(): AppError {
  return new AppError('upstream_rejected', 'That name is taken. Nothing was charged.', {
    fix: 'Choose another name, or leave it out.',
  })
}
