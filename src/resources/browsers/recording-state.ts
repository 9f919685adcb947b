import type { BrowserRow } from './browser-row.ts'

export type RecordingState = {
  readonly status: 'recording' | 'saving' | 'stored' | 'failed'
  /** For `files/get`. Null until the video is stored. */
  readonly file_id: string | null
}

/** Longer than the encoder and the storage may take. The process of the session has died by then. */
const SAVED_WITHIN_MS = 5 * 60_000

/** For answers: no field for a session without a recording. */
export function recordingField(
  row: BrowserRow,
  isOpen: boolean,
  nowMs: number,
): { readonly recording?: RecordingState } {
  const recording = recordingOf(row, isOpen, nowMs)
  return recording === null ? {} : { recording }
}

/** Null for a session without a recording. */
export function recordingOf(
  { recording, recording_file: fileId, ended_ms: endedMs }: BrowserRow,
  isOpen: boolean,
  nowMs: number,
): RecordingState | null {
  if (recording === null) return null
  if (recording !== 'recording') return { status: recording, file_id: fileId }
  if (isOpen) return { status: 'recording', file_id: null }
  const isLate = endedMs !== null && nowMs - Number(endedMs) > SAVED_WITHIN_MS
  return { status: isLate ? 'failed' : 'saving', file_id: null }
}
