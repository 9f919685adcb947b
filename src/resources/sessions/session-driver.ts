import type { Micros } from '../../lib/money.ts'
import type { Owner } from '../../lib/owner.ts'

/** The longest run of a program. */
export const LONGEST_RUN_SECONDS = 60
/**
 * A program's longest run including the requests around it. A session metered by use holds money
 * for this long.
 */
export const PROGRAM_MS = (LONGEST_RUN_SECONDS + 10) * 1000

export const SESSION_LANGUAGES = ['python', 'javascript', 'bash'] as const
export type SessionLanguage = (typeof SESSION_LANGUAGES)[number]

/** `isAssumed`: the caller named no language, so the machine's template may replace it. */
export type SessionCode = {
  readonly code: string
  readonly language: SessionLanguage
  readonly isAssumed?: true
}
/** Work for a session: a shell command, or code for an interpreter. */
export type SessionWork = { readonly command: string } | SessionCode

export type ProgramOutput = {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}
/**
 * `closesAtMs`: when the session ends without use or reaches its max_cost_cents; null if it does
 * not end by itself. `charged`: for this program, if programs are metered.
 */
export type SessionOutput = ProgramOutput & {
  readonly closesAtMs: number | null
  readonly charged: Micros
}

/**
 * Runs programs in compute sessions. A failing program is a result (`exitCode`), not an error.
 * Files and installed packages persist between calls of `execute`.
 */
export type SessionDriver = {
  /**
   * Throws AppError `unknown_session` for a session that is closed, unknown or another account's.
   */
  execute(
    owner: Owner,
    sessionId: string,
    work: SessionWork,
    signal: AbortSignal,
  ): Promise<SessionOutput>
  /**
   * The service of an open or closed session of the owner. Null for an unknown or simulated one.
   */
  serviceOf(owner: Owner, sessionId: string): Promise<string | null>
  /**
   * Ends and settles the session. `charged` is what this call settled, `closesAtMs` when the meter
   * stopped. Idempotent: a closed session is not charged again. Throws AppError `unknown_session`
   * if it never existed.
   */
  close(
    owner: Owner,
    sessionId: string,
  ): Promise<{ readonly closesAtMs: number | null; readonly charged: Micros }>
}

/** The driver of each mode; `live` is null if this gateway has none. */
export type SessionDrivers = { readonly live: SessionDriver | null; readonly test: SessionDriver }
