import type { Micros } from '../../lib/money.ts'
import type { Owner } from '../../lib/owner.ts'

/** The longest that a program may run. */
export const LONGEST_RUN_SECONDS = 60
/** A program's longest run with the requests around it. A session metered by use holds money for this long. */
export const PROGRAM_MS = (LONGEST_RUN_SECONDS + 10) * 1000

export const SESSION_LANGUAGES = ['python', 'javascript', 'bash'] as const
export type SessionLanguage = (typeof SESSION_LANGUAGES)[number]

/** `isAssumed`: nobody named the language, so that a machine made for another one takes that. */
export type SessionCode = {
  readonly code: string
  readonly language: SessionLanguage
  readonly isAssumed?: true
}
/** One thing to run in a session: a shell string, or code for an interpreter. */
export type SessionWork = { readonly command: string } | SessionCode

export type ProgramOutput = {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}
/** `closesAtMs`: when the session ends unless it is used, or is paid for no longer by its max_cost_cents; null when it does not end by itself. `charged`: for this program, where programs are what is metered. */
export type SessionOutput = ProgramOutput & {
  readonly closesAtMs: number | null
  readonly charged: Micros
}

/**
 * What runs in compute sessions. A program that fails is an answer (`exitCode`), not an error; files and installs
 * persist from one `execute` to the next.
 */
export type SessionDriver = {
  /** Throws AppError unknown_session for a session that is closed, never was, or is not the owner's. */
  execute(
    owner: Owner,
    sessionId: string,
    work: SessionWork,
    signal: AbortSignal,
  ): Promise<SessionOutput>
  /**
   * Ends the session and its meter, and settles it; `charged` is what this call settled, `closesAtMs` when the meter
   * stopped. Idempotent: a session that is closed already stays so, and is charged nothing again. Throws AppError
   * unknown_session for one that never was.
   */
  close(
    owner: Owner,
    sessionId: string,
  ): Promise<{ readonly closesAtMs: number | null; readonly charged: Micros }>
}

/** The driver behind each mode; null where this gateway has none. */
export type SessionDrivers = { readonly live: SessionDriver | null; readonly test: SessionDriver }
