import { StartError } from '../../errors/start-error.ts'
import type { S3Settings } from '../../resources/files/drivers/s3.ts'
import { invalidSetting, type SettingsReader } from './settings-reader.ts'

const S3_VARIABLES = [
  'S3_ENDPOINT',
  'S3_BUCKET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
] as const

/** S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and the optional S3_REGION. Null for files on disk. Throws StartError. */
export function readS3Settings(read: SettingsReader): S3Settings | null {
  const isSet = (name: string): boolean => read.text(name, '') !== ''
  if (![...S3_VARIABLES, 'S3_REGION'].some(isSet)) return null
  const missing = S3_VARIABLES.filter((name) => !isSet(name))
  if (missing.length > 0)
    throw new StartError(
      `${missing.join(', ')} must be set too: an S3-compatible store needs all of ${S3_VARIABLES.join(', ')}. Without any of them, files are stored on disk.`,
    )
  const bucket = read.text('S3_BUCKET', '')
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw invalidSetting('S3_BUCKET', bucket, 'the name of a bucket')
  return {
    endpoint: read.baseUrl('S3_ENDPOINT', ''),
    bucket,
    region: read.text('S3_REGION', 'us-east-1'),
    accessKeyId: read.text('S3_ACCESS_KEY_ID', ''),
    secretAccessKey: read.text('S3_SECRET_ACCESS_KEY', ''),
  }
}
