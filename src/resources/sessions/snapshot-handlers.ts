import type { LocalHandler } from '../../catalog/vocabulary/handlers.ts'
import { done } from '../../catalog/vocabulary/outcome.ts'
import { deleteSnapshot } from './delete-snapshots.ts'
import type { SessionDeps } from './session-deps.ts'
import { listSnapshots, snapshotRecord } from './snapshot-row.ts'
import { takeSnapshot } from './take-snapshot.ts'

/** The snapshot actions of one service of compute sessions, by the names in its record. */
export function snapshotHandlers(
  deps: SessionDeps,
  service: string,
): ReadonlyMap<string, LocalHandler> {
  return new Map<string, LocalHandler>([
    [
      `${service}.snapshot`,
      async ({ session_id: sessionId, name }, tools) =>
        done(
          snapshotRecord(
            await takeSnapshot(deps, tools, {
              service,
              sessionId: String(sessionId),
              name: name as string | undefined,
              signal: tools.signal,
            }),
          ),
        ),
    ],
    [
      `${service}.list_snapshots`,
      async (_input, tools) =>
        done({
          snapshots: (await listSnapshots(deps.database, tools, service, deps.now())).map(
            snapshotRecord,
          ),
        }),
    ],
    [
      `${service}.delete_snapshot`,
      async ({ snapshot_id: snapshotId }, tools) => {
        await deleteSnapshot(deps, tools, service, String(snapshotId))
        return done({ snapshot_id: snapshotId, deleted: true })
      },
    ],
  ])
}
