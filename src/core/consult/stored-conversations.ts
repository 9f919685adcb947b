import type { Database } from '../../db/database.ts'
import { DAY_MS, type Clock } from '../../lib/clock.ts'
import type { Conversation, Conversations } from './conversation.ts'

/** A conversation that nobody went on with for this long is forgotten. */
const IDLE_MS = DAY_MS

/** Conversations in the database, so that any process can go on with them. */
export function storedConversations({ database, now }: { readonly database: Database; readonly now: Clock }): Conversations {
  return {
    async load({ accountId, mode }, id) {
      const { rows } = await database.query<{ state: Conversation }>('select state from consult_conversations where id = $1 and account_id = $2 and mode = $3 and used_ms > $4', [id, accountId, mode, now() - IDLE_MS])
      return rows[0]?.state ?? null
    },
    async save({ accountId, mode }, id, state) {
      await database.query(
        `insert into consult_conversations (id, account_id, mode, state, used_ms) values ($1, $2, $3, $4, $5)
         on conflict (id) do update set state = excluded.state, used_ms = excluded.used_ms
         where consult_conversations.account_id = excluded.account_id and consult_conversations.mode = excluded.mode`,
        [id, accountId, mode, JSON.stringify(state), now()],
      )
    },
  }
}

/** Removes conversations that are forgotten anyway. Returns how many. */
export async function forgetConversations(database: Database, nowMs: number): Promise<number> {
  const { count } = await database.query('delete from consult_conversations where id in (select id from consult_conversations where used_ms <= $1 limit 10000)', [nowMs - IDLE_MS])
  return count
}
