/** Requests to a box, in a form that one gateway process can relay to another. */
import type { MachineUse } from '../sessions/machine-use.ts'
import type { CodeLanguage } from './interpreters.ts'
import type { RelayedError } from './relay.ts'
import type { IsolationName } from './isolation/isolation.ts'

export type BoxRequest =
  | { readonly kind: 'run'; readonly args: readonly string[]; readonly seconds: number }
  | {
      readonly kind: 'code'
      readonly language: CodeLanguage
      readonly code: string
      readonly seconds: number
    }
  | { readonly kind: 'status' }
  | { readonly kind: 'close' }
  /** Ends a session that has been idle for so long; with 0 a busy one as soon as its programs have ended. */
  | { readonly kind: 'yield'; readonly idleMs: number }
  /** Writes the files of the box to an archive on this machine. */
  | { readonly kind: 'save'; readonly path: string; readonly mostBytes: number }

/**
 * `use`: what a metered box used during the program; missing if the system could not count it.
 * `hasEnded`: the box ended meanwhile. `failure`: of a metered box, whose use is charged nevertheless.
 */
export type RunReply = {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
  readonly isTimedOut: boolean
  readonly use?: MachineUse
  readonly hasEnded?: true
  readonly failure?: RelayedError
}

/** `exitCode`: of the first command; null while it runs, and without one. */
export type StatusReply = {
  readonly status: 'running' | 'finished' | 'failed'
  readonly exitCode: number | null
  readonly isolation: IsolationName
  /** Since the last call of a session; missing for a busy one and for a sandbox, which is paid. */
  readonly idleMs?: number
  /** A session that starts no further program. */
  readonly isYielding?: true
}

export type BoxReply = RunReply | StatusReply
