import type { CassetteDeps } from './cassette.ts'
import { fromFile, type RecordingFile } from './recording-file.ts'
import { storeRecordings, type Place } from './store-recording.ts'

/**
 * Stores the recordings of a file, all or none; each replaces the recording of the same call. Throws
 * AppError invalid_params, payload_too_large or cassette_quota_exceeded.
 */
export async function importRecordings(
  deps: CassetteDeps,
  place: Place,
  files: readonly RecordingFile[],
): Promise<void> {
  await storeRecordings(deps, { ...place, replacesLive: true }, files.map(fromFile))
}
