/** Runloop: commands are polled until they end. Code is written to a file and run. */
import { randomUUID } from 'node:crypto'
import { AppError } from '../../../errors/app-error.ts'
import { field, textField } from '../../../catalog/answers/vendor-failure.ts'
import { get, post, type Reply } from '../../../catalog/vocabulary/wire.ts'
import type { Clock } from '../../../lib/clock.ts'
import { newId, uuidOf } from '../../../lib/ids.ts'
import {
  labelled,
  labelsOf,
  PROGRAMS,
  noProgramResult,
  TIMED_OUT,
  type Ask,
  type Box,
} from '../box.ts'
import type { ProgramOutput } from '../session-driver.ts'

/** The vendor responds within this time, whether or not the command has ended. */
const POLL_SECONDS = 25
/** Without this, only the last hundred lines are returned. */
const LINES = { last_n: 10_000 }
/** Pages of a hundred machines or snapshots. */
const MOST_PAGES = 50
const SNAPSHOTS = '/v1/devboxes/disk_snapshots'
/** How often to check whether a snapshot is finished. */
const SNAPSHOT_POLL_MS = 2_000

export function createBoxd(now: Clock): Box {
  return {
    async create(ask, { label, template, snapshot, envs, lifeMs }) {
      const { body } = await ask(
        post('/v1/devboxes/create_and_await_running', {
          blueprint_name: template,
          snapshot_id: snapshot,
          environment_variables: envs,
          metadata: labelsOf(label),
          launch_parameters: {
            resource_size_request: 'SMALL',
            keep_alive_time_seconds: Math.ceil(lifeMs / 1000),
          },
        }),
      )
      const id = textField(body, 'id')
      if (id === '')
        throw new AppError('upstream_error', 'The vendor created a machine without an id.')
      return { id }
    },
    async run(ask, { id = '' }, work, seconds) {
      const path = pathOf(id)
      if ('command' in work) return execute(ask, path, work.command, seconds, now)
      const file = `/tmp/tollgate-${randomUUID()}`
      await ask(post(`${path}/write_file_contents`, { file_path: file, contents: work.code }))
      return execute(ask, path, `${PROGRAMS[work.language]} ${file}`, seconds, now)
    },
    async close(ask, { id = '' }) {
      await ask({
        ...post(`${pathOf(id)}/shutdown`, {}),
        query: { force: 'true' },
        acceptedStatuses: [404],
      })
    },
    async find(ask, label) {
      // The vendor filters only by status.
      return labelled(
        await listAll(ask, '/v1/devboxes', { status: 'running' }, 'devboxes'),
        label,
        'id',
      )
    },
    snapshots: {
      async order(ask, { id = '' }, label) {
        const { body } = await ask(post(`${pathOf(id)}/snapshot_disk_async`, { name: label }))
        const reference = textField(body, 'id')
        if (reference === '')
          throw new AppError('upstream_error', 'The vendor took a snapshot without an id.')
        return reference
      },
      async wait(ask, reference) {
        const request = {
          ...get(`${snapshotPath(reference)}/status`),
          retry: { times: 2, afterMs: 500 },
        }
        let { body } = await ask(request)
        while (textField(body, 'status') === 'in_progress')
          body = (await ask({ ...request, afterMs: SNAPSHOT_POLL_MS })).body
        if (textField(body, 'status') !== 'complete')
          throw new AppError(
            'upstream_error',
            `The vendor could not take the snapshot${reasonIn(body)} Nothing was charged.`,
          )
      },
      async delete(ask, reference) {
        await ask({ ...post(`${snapshotPath(reference)}/delete`, {}), acceptedStatuses: [404] })
      },
      async find(ask, label) {
        const snapshots = await listAll(ask, SNAPSHOTS, {}, 'snapshots')
        return snapshots
          .filter((snapshot) => textField(snapshot, 'name') === label)
          .map((snapshot) => textField(snapshot, 'id'))
      },
    },
  }
}

/** All items of a vendor's paged list. */
async function listAll(
  ask: Ask,
  path: string,
  query: Readonly<Record<string, string>>,
  items: string,
): Promise<unknown[]> {
  const all: unknown[] = []
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const after = page === 0 ? undefined : textField(all.at(-1), 'id')
    const { body } = await ask(get(path, { ...query, limit: 100, starting_after: after }))
    const found = field(body, items)
    if (Array.isArray(found)) all.push(...found)
    if (
      field(body, 'has_more') !== true ||
      !Array.isArray(found) ||
      textField(found.at(-1), 'id') === ''
    )
      break
  }
  return all
}

function snapshotPath(reference: string): string {
  return `${SNAPSHOTS}/${encodeURIComponent(reference)}`
}

function reasonIn(body: unknown): string {
  const reason = textField(body, 'error_message')
  return reason === '' ? '.' : `: ${reason.replace(/\.$/, '')}.`
}

function pathOf(id: string): string {
  return `/v1/devboxes/${encodeURIComponent(id)}`
}

async function execute(
  ask: Ask,
  path: string,
  command: string,
  seconds: number,
  now: Clock,
): Promise<ProgramOutput> {
  const firstSeconds = Math.min(POLL_SECONDS, seconds)
  // The vendor identifies commands by a version 7 UUID.
  let { body } = await ask({
    ...post(`${path}/execute`, {
      command,
      command_id: uuidOf(newId(now())),
      optimistic_timeout: firstSeconds,
    }),
    query: LINES,
  })
  const execution = encodeURIComponent(textField(body, 'execution_id'))
  if (execution === '' && textField(body, 'status') !== 'completed') throw noProgramResult()
  for (
    let left = seconds - firstSeconds;
    textField(body, 'status') !== 'completed';
    left -= POLL_SECONDS
  ) {
    if (left <= 0) return ended(ask, `${path}/executions/${execution}`, body)
    const reply = await ask({
      ...post(`${path}/executions/${execution}/wait_for_status`, {
        statuses: ['completed'],
        timeout_seconds: Math.min(POLL_SECONDS, left),
      }),
      query: LINES,
      acceptedStatuses: [408],
    })
    if (reply.status !== 408) body = reply.body
  }
  return outputOf(body)
}

async function ended(ask: Ask, execution: string, body: unknown): Promise<ProgramOutput> {
  await ask({
    ...post(`${execution}/kill`, { kill_process_group: true }),
    acceptedStatuses: [404, 409],
  })
  return { ...outputOf(body), exitCode: TIMED_OUT }
}

function outputOf(body: Reply['body']): ProgramOutput {
  const code = field(body, 'exit_status')
  return {
    stdout: textField(body, 'stdout'),
    stderr: textField(body, 'stderr'),
    exitCode: typeof code === 'number' ? code : 1,
  }
}
