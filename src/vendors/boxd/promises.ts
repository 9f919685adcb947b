import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['create_session', '5¢ per vCPU-hour', 'template envs snapshot_id'],
  ['snapshot', '5¢ per call', 'session_id! name'],
  ['list_snapshots', 'free', ''],
  ['delete_snapshot', 'free', 'snapshot_id!'],
]
