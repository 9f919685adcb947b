import type { Database } from '../../db/database.ts'
import { DAY_MS, type Clock } from '../../lib/clock.ts'
import { onlyMaker } from '../../lib/owner.ts'
import type { Conversation, Conversations } from './conversation.ts'

/** A conversation expires after this time without a turn. */
const IDLE_MS = DAY_MS

/** Stores conversations in the database, which all processes share. */
export function createStoredConversations({
  database,
  now,
}: {
  readonly database: Database
  readonly now: Clock
}): Conversations {
  return {
    async load(owner, id) {
      const { rows } = await database.query<{ state: Conversation }>(
        'select state from consult_conversations where id = $1 and account_id = $2 and mode = $3 and used_ms > $4 and ($5::uuid is null or key_id = $5)',
        [id, owner.accountId, owner.mode, now() - IDLE_MS, onlyMaker(owner)],
      )
      return rows[0]?.state ?? null
    },
    async save(owner, id, state) {
      await database.query(
        `insert into consult_conversations (id, account_id, mode, state, used_ms, key_id) values ($1, $2, $3, $4, $5, $6)
         on conflict (id) do update set state = excluded.state, used_ms = excluded.used_ms
         where consult_conversations.account_id = excluded.account_id and consult_conversations.mode = excluded.mode
           and ($7::uuid is null or consult_conversations.key_id = $7)`,
        [
          id,
          owner.accountId,
          owner.mode,
          JSON.stringify(state),
          now(),
          owner.keyId,
          onlyMaker(owner),
        ],
      )
    },
  }
}

/** Deletes expired conversations. Returns their number. */
export async function forgetConversations(database: Database, nowMs: number): Promise<number> {
  const { count } = await database.query(
    'delete from consult_conversations where id in (select id from consult_conversations where used_ms <= $1 limit 10000)',
    [nowMs - IDLE_MS],
  )
  return count
}
