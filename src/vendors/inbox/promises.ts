import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['create_inbox', '$2.00 per call', 'username domain display_name'],
  ['send', '1¢ per call', 'inbox_id! to! subject! text html'],
  ['list-messages', 'free', 'inbox_id!'],
  ['reply', '1¢ per call', 'inbox_id! message_id! text html'],
]
