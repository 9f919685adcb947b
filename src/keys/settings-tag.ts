import { createHash } from 'node:crypto'
import type { KeyRecord } from './key-record.ts'

export type KeySettings = Pick<KeyRecord, 'label' | 'external_id' | 'ceiling_cents' | 'ceiling_period'>

/** Stands for what a form about a key is filled from: whoever sends it with the form changes nothing that they have not seen. */
export function settingsTag({ label, external_id: externalId, ceiling_cents: ceiling, ceiling_period: period }: KeySettings): string {
  return createHash('sha256').update(JSON.stringify([label, externalId, ceiling, period])).digest('base64url')
}
