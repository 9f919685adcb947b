import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The golden file of an action as JSON text; undefined if it has none. */
export async function readRecordedAnswer(
  serviceId: string,
  action: string,
): Promise<string | undefined> {
  const file = join(import.meta.dirname, serviceId, 'golden', `${action}.json`)
  return readFile(file, 'utf8').catch(() => undefined)
}
