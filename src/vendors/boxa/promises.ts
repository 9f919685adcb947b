import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [['create_session', '5¢ per vCPU-hour', 'template envs']]
