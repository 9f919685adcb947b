import type { Readable } from 'node:stream'
import type { Calls } from '../../calls/call.ts'
import type { CallLogger } from '../http/log-calls.ts'
import type { Caller } from '../../keys/caller.ts'
import type { Fields } from '../../lib/json-fields.ts'
import type { FileDeps } from '../../resources/files/file-deps.ts'

export type ActionDeps = {
  readonly calls: Calls
  readonly callLogger: CallLogger
  readonly files: Pick<FileDeps, 'database' | 'store'>
}

/** An API of OpenAI that an action implements. */
export type ActionRoute = {
  readonly paths: readonly string[]
  readonly service: string
  readonly action: string
  /** The most requests in flight. */
  readonly most: number
  readonly bodyLimitBytes: number
  /** The input of the action. Throws AppError for a field that the action cannot express. */
  readonly toParams: (body: Fields, calls: Calls) => Fields
  /** The response for the data of a charged answer. It never throws. By default it is the data. */
  readonly toContent?: (deps: ActionDeps, answered: Answered) => Promise<ActionContent>
}

export type Answered = { readonly caller: Caller; readonly body: Fields; readonly data: Fields }

export type ActionContent =
  | { readonly type: string; readonly body: string | Buffer | Readable }
  | { readonly location: string }

export const JSON_CONTENT = 'application/json; charset=utf-8'
