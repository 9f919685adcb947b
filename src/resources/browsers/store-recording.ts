import { createReadStream } from 'node:fs'
import { parsePublicId, type Id } from '../../lib/ids.ts'
import type { FileDeps } from '../files/file-deps.ts'
import { saveOutput } from '../files/save-output.ts'

/**
 * Stores the video of a session that was sold as a file of its account, or notes that there is no video.
 * Throws the AppError of the storage, such as `storage_quota_exceeded`; then the recording has failed.
 */
export async function storeRecording(
  files: FileDeps,
  session: string,
  path: string | null,
): Promise<void> {
  const { database } = files
  const id = parsePublicId('session', session)
  const { rows } = await database.query<{ account_id: Id; key_id: Id | null }>(
    "select account_id, key_id from browser_sessions where id = $1 and session is not null and recording = 'recording'",
    [id],
  )
  const [row] = rows
  if (row === undefined) return
  let fileId: string | null = null
  try {
    if (path !== null) {
      const owner = {
        accountId: row.account_id,
        keyId: row.key_id,
        mode: 'live',
        scope: 'own',
      } as const
      const facts = {
        filename: `browser-${session}.mp4`,
        mime: 'video/mp4',
        source: 'browser/create_session',
        tags: ['recording'],
      }
      fileId = (await saveOutput(files, owner, facts, createReadStream(path))).file_id
    }
  } finally {
    await database.query(
      'update browser_sessions set recording = $2, recording_file = $3 where id = $1',
      [id, fileId === null ? 'failed' : 'stored', fileId],
    )
  }
}
