import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Id } from '../../../lib/ids.ts'

/** The envelope senders of sent messages. A report to such an address belongs to the message. */
export type BounceAddresses = {
  addressOf(messageId: Id): string
  /** Null for any other address, also for one that the gateway did not create. */
  messageOf(address: string): Id | null
}

const MARK_CHARACTERS = 16
const ADDRESS = /^bounce\+([0-9a-f]{32})-([0-9a-f]{16})@(.+)$/

/** `secret` is shared by all processes of the database. */
export function createBounceAddresses(secret: Buffer, domain: string): BounceAddresses {
  const markOf = (id: Id): string =>
    createHmac('sha256', secret).update(`bounce-1\n${id}`).digest('hex').slice(0, MARK_CHARACTERS)
  return {
    addressOf: (id) => `bounce+${id}-${markOf(id)}@${domain}`,
    messageOf(address) {
      const [, id = '', mark = '', of = ''] = ADDRESS.exec(address.toLowerCase()) ?? []
      if (id === '' || of !== domain) return null
      return timingSafeEqual(Buffer.from(mark), Buffer.from(markOf(id))) ? id : null
    },
  }
}
