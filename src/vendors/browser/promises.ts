import type { Limit, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['create_session', '0.2¢ per minute', 'estimatedMinutes keepAlive proxies record'],
  ['extend_session', '0.2¢ per minute', 'session_id! estimatedMinutes'],
  ['session_status', 'free', 'session_id!'],
  ['release_session', 'free', 'session_id!'],
]

export const limits: readonly Limit[] = [['create_session', 'estimatedMinutes', 1, 360, 1]]
