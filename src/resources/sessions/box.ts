import type { Reply, WireRequest } from '../../catalog/wire.ts'
import type { ProgramOutput, SessionWork } from './session-driver.ts'

/** One request to the vendor. Throws AppError for whatever goes wrong. */
export type Ask = (wire: WireRequest) => Promise<Reply>

/** What the vendor needs to find the machine again. Never shown to callers. */
export type Handle = Readonly<Record<string, string>>

/** What the operator set for the vendor: UPSTREAM_<LABEL>_<NAME> by name. */
export type Settings = Readonly<Record<string, string>>

export type BoxOrder = { readonly template?: string | undefined; readonly envs: Readonly<Record<string, string>>; readonly lifeMs: number }

/** A vendor of machines. A machine that is gone makes `run` and `prolong` throw AppError upstream_not_found, and is no error of `close`. */
export type Box = {
  create(ask: Ask, order: BoxOrder, settings: Settings): Promise<Handle>
  /** A program that takes longer than `seconds` is ended, with exit code 124 and what it wrote so far. */
  run(ask: Ask, handle: Handle, work: SessionWork, seconds: number, settings: Settings): Promise<ProgramOutput>
  /** Has the vendor keep the machine for so long from now. Where it is left out, `create` asked for the longest time there is. */
  readonly prolong?: (ask: Ask, handle: Handle, lifeMs: number) => Promise<void>
  close(ask: Ask, handle: Handle, settings: Settings): Promise<void>
}

export const TIMED_OUT = 124
