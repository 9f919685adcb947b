/** The answers of services for compute sessions. */
import {
  answer,
  flag,
  maybe,
  orNull,
  records,
  text,
  time,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

const snapshot = {
  snapshot_id: text('The id of the snapshot. Send it to create_session.'),
  session_id: text('The session that was saved.'),
  name: orNull(text('Your name of the snapshot.')),
  created_at: time('When the disk was saved.'),
  expires_at: time('When the snapshot is deleted.'),
}

export const sessionReturns: Returns = {
  create_session: answer({
    session_id: text('The id of the session, for the MCP tools session and close.'),
    isolation: maybe(
      text(
        'How the machine is isolated, if the gateway runs it itself: gvisor, namespaces or bubblewrap.',
      ),
    ),
    closes_at: orNull(
      time('When the session closes at the latest. null if it stays open until you close it.'),
    ),
  }),
}

export const snapshotReturns: Returns = {
  snapshot: answer(snapshot),
  list_snapshots: answer({ snapshots: records('The snapshots, newest first.', snapshot) }),
  delete_snapshot: answer({
    snapshot_id: text('The id of the snapshot.'),
    deleted: flag('Always true.'),
  }),
}
