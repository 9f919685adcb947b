/** What lives on at a vendor, where all accounts share the operator's key: each account, and each key of scope "own", asks about, and sees, its own alone. */
import type { Action, Ownership } from '../../catalog/vocabulary/define.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { describeParam } from '../../catalog/published/example-needs.ts'
import type { Reply } from '../../catalog/vocabulary/wire.ts'
import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import { referenceOfJob } from '../../jobs/reference.ts'
import { parsePublicId } from '../../lib/ids.ts'
import {
  isOwnReference,
  keeperOf,
  ownReferences,
  rememberReference,
  takeReference,
  type ReferenceOwner,
} from './vendor-references.ts'

export type OwnedCall = {
  readonly action: Action
  readonly ownership: Ownership
  readonly owner: ReferenceOwner
  readonly input: Data
}

/** The input as the vendor understands it: what a job of the gateway launched goes by the vendor's name there. Refuses what is not the owner's, and names that are taken: a merchant wants its price for a refusal too. */
export async function ownInput(
  database: Database,
  {
    action,
    ownership: { targetId, chosenName, unknownCode = 'unknown_job' },
    owner,
    input,
  }: OwnedCall,
): Promise<Data> {
  const name = chosenName?.(input)
  const keeper = name === undefined ? undefined : await keeperOf(database, namesOf(owner), name)
  if (keeper === 'another') throw nameTaken()
  if (keeper === 'owner')
    throw new AppError(
      'upstream_rejected',
      'This account made one of that name before. Nothing was charged.',
      { fix: 'Use what the first call answered, or choose another name.' },
    )
  const asked = targetId?.(input)
  if (asked === undefined) return input
  const jobId = parsePublicId('job', asked)
  if (jobId === null) {
    if (await isOwnReference(database, owner, asked)) return input
    throw notOwn(unknownCode, action, input, asked)
  }
  const job = await referenceOfJob(database, owner, owner.service, jobId)
  if (job === undefined) throw notOwn(unknownCode, action, input, asked)
  const { reference, hasEnded } = job
  if (reference === null && hasEnded)
    throw new AppError(
      'unknown_job',
      'The job ended before the vendor took it: there is nothing to ask about.',
      { fix: 'core/result says with this job_id why it ended.' },
    )
  if (reference === null)
    throw new AppError('upstream_conflict', 'The vendor has not taken this job yet.', {
      fix: 'Ask again in a moment; core/result says how the job stands.',
      retryAfterSeconds: 2,
    })
  return Object.fromEntries(
    Object.entries(input).map(([param, value]) => [param, value === asked ? reference : value]),
  )
}

function notOwn(code: ErrorCode, action: Action, input: Data, asked: string): AppError {
  const param = Object.keys(input).find((name) => input[name] === asked)
  if (param === undefined) return new AppError(code)
  return new AppError(code, undefined, {
    param,
    fix: `Check "${param}": ${describeParam(action, param)} Only what this account made can be asked about.`,
  })
}

/** Remembers what the call made before its answer is sent, and takes out of a listing what others made. */
export async function keepApart(
  database: Database,
  {
    ownership: { createdId, isPermanent, chosenName, targetId, filterList },
    owner,
    input,
  }: OwnedCall,
  reply: Reply,
  nowMs: number,
): Promise<Reply> {
  const made = createdId?.(reply)
  if (made !== undefined && isPermanent !== true)
    await rememberReference(database, owner, made, nowMs)
  if (made !== undefined && isPermanent === true) {
    // What lasts has one owner, also where a vendor answers a taken name with what bears it.
    if (!(await takeReference(database, owner, made, nowMs))) throw nameTaken()
    const name = chosenName?.(input)
    if (name !== undefined) await takeReference(database, namesOf(owner), name, nowMs)
  }
  if (filterList === undefined || targetId?.(input) !== undefined) return reply
  return filterList(reply, await ownReferences(database, owner))
}

/** Names stand beside the references of their service, so that none is taken for the other. */
function namesOf(owner: ReferenceOwner): ReferenceOwner {
  return { ...owner, service: `${owner.service}/names` }
}

function nameTaken(): AppError {
  return new AppError('upstream_rejected', 'That name is taken. Nothing was charged.', {
    fix: 'Choose another name, or leave it out.',
  })
}
