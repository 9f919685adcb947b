import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [['consult', '1¢ per call', 'intent! conversation_id']]
