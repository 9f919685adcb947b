import { openFiles } from '../../../start/files.ts'
import type { Tools } from '../command.ts'
import { broken, ok, type Check } from './check.ts'
import { messageOf } from './machine.ts'

// Asked for and never made: a store that says it is not there takes this gateway's signature.
const NOBODYS_OBJECT = 'doctor'

/** Where files of accounts are kept; a store is asked for an object once. */
export async function checkFiles(tools: Tools): Promise<Check> {
  const { s3, dataDir, publicUrl } = tools.config()
  if (s3 === null) return ok('files', 'kept on disk in the data folder')
  const place = `bucket ${s3.bucket} at ${new URL(s3.endpoint).host}`
  try {
    const files = await openFiles({ s3, dataDir, publicUrl }, await tools.database(), tools.now)
    try {
      const object = await files.context.store.open(NOBODYS_OBJECT, null)
      object?.destroy()
    } finally {
      await files.close()
    }
    return ok('files', place)
  } catch (error) {
    return broken('files', `${place}: ${reasonOf(error)}`, 'Check S3_ENDPOINT, S3_BUCKET, S3_REGION and the two access keys.')
  }
}

function reasonOf(error: unknown): string {
  const reasons = []
  for (let one: unknown = error; one instanceof Error; one = one.cause) reasons.unshift(messageOf(one))
  return reasons[0] ?? ''
}
