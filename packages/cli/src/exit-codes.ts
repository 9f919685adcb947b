import { TollgateError } from '../../sdk/src/index.ts'
import { UsageError } from './usage-error.ts'

/** docs/command-line.md lists them. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  keyRejected: 3,
  unpaid: 4,
  tryLater: 5,
  interrupted: 130,
} as const

const BY_STATUS: Readonly<Record<number, number>> = {
  400: EXIT.usage,
  401: EXIT.keyRejected,
  402: EXIT.unpaid,
  403: EXIT.keyRejected,
  429: EXIT.tryLater,
}
/** 503 for other reasons is a failed call: an action without its vendor, for example. */
const TRY_LATER = [
  'connection_failed',
  'deadline_exceeded',
  'idempotency_in_progress',
  'overloaded',
  'room_held',
  'shutting_down',
  'stream_failed',
]

/** Mistyped names. */
const WRONG_NAMES = ['unknown_service', 'unknown_action', 'model_not_found']

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage
  if (!(error instanceof TollgateError)) return EXIT.failed
  if (TRY_LATER.includes(error.code)) return EXIT.tryLater
  if (WRONG_NAMES.includes(error.code)) return EXIT.usage
  return BY_STATUS[error.status] ?? EXIT.failed
}
