/** Compute sessions in boxes of this gateway, metered by the CPU time that the kernel counts. */
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CPU_HOUR } from '../../catalog/prices/processor-time.ts'
import type { UseRates } from '../../catalog/vocabulary/action.ts'
import { AppError } from '../../errors/app-error.ts'
import { leaseOf, NO_LEASE, publicId, type Id } from '../../lib/ids.ts'
import { cents } from '../../lib/money.ts'
import { languageOf, PROGRAMS, TIMED_OUT, type Handle, type RanProgram } from '../sessions/box.ts'
import { LONGEST_RUN_SECONDS, type SessionWork } from '../sessions/session-driver.ts'
import type { ReadyBox, ReadySnapshots, SessionDeps } from '../sessions/session-deps.ts'
import { boxGone } from './box-program.ts'
import type { BoxRequest, RunReply } from './box-requests.ts'
import { setupOf, type BoxesDeps } from './boxes-deps.ts'
import { onAnotherMachine } from './on-another-machine.ts'
import { fromRelayed } from './relay.ts'

const VCPU_HOUR: UseRates = { cpuHour: CPU_HOUR, gigabyteHour: 0n }
const SPRITE: UseRates = { cpuHour: cents('7'), gigabyteHour: cents('4.375') }
/** Interpreters that keep their variables: of all sessions but those that are described as one-shot. */
const STATEFUL: ReadonlySet<string> = new Set(['boxa', 'boxb'])
const CPUS: Readonly<Record<string, number>> = { boxa: 2, boxb: 1, boxd: 1, boxe: 2 }
/** An archive is larger than its files. */
const ARCHIVE_FACTOR = 2

/** The vendors of `boxFor`, and where it has none, machines of this gateway. */
export function withInHouseMachines(
  boxFor: SessionDeps['boxFor'],
  boxes: BoxesDeps | null,
): SessionDeps['boxFor'] {
  if (boxes === null) return boxFor
  return (service, mode, accountId) =>
    boxFor(service, mode, accountId) ??
    (mode === 'live' && boxes.sessionServices.has(service)
      ? createSessionBox(boxes, service, accountId)
      : null)
}

export function createSessionBox(deps: BoxesDeps, service: string, accountId: Id): ReadyBox {
  const { host } = deps

  async function perform(
    { machine, id = '' }: Handle,
    request: BoxRequest,
    signal?: AbortSignal,
  ): Promise<RunReply> {
    if (machine !== host.machine) throw onAnotherMachine('session')
    const reply = await host.request(id, request, signal)
    if (reply === null) throw boxGone()
    return reply as RunReply
  }

  return {
    use: service === 'boxe' ? SPRITE : VCPU_HOUR,
    isolation: deps.isolation.name,
    async create({ id, template, snapshot, envs }) {
      // The lease shows other processes whether this one is alive.
      if (leaseOf(id) === NO_LEASE)
        throw new AppError('upstream_busy', 'This gateway process is reconnecting to its database.')
      const isLanguage = service === 'boxb' || service === 'boxe'
      await host.open({
        id,
        accountId,
        setup: setupOf(deps, isLanguage ? undefined : template, 'template'),
        cpus: CPUS[service] ?? 1,
        envs,
        files: snapshot === undefined ? undefined : readSnapshot(deps, snapshot),
        isMetered: true,
        lifeMs: null,
      })
      return { id, machine: host.machine, ...(template === undefined ? {} : { template }) }
    },
    async run(handle, work, signal, seconds = LONGEST_RUN_SECONDS): Promise<RanProgram> {
      const request = requestFor(service, handle, work, seconds)
      const { stdout, stderr, exitCode, isTimedOut, failure, hasEnded, use } = await perform(
        handle,
        request,
        signal,
      )
      return {
        stdout,
        stderr,
        exitCode: isTimedOut ? TIMED_OUT : exitCode,
        ...(use === undefined ? {} : { use }),
        ...(hasEnded === undefined ? {} : { hasEnded }),
        ...(failure === undefined ? {} : { failure: fromRelayed(failure) }),
      }
    },
    prolong: async () => {},
    async close(handle) {
      if (handle['machine'] !== host.machine) throw onAnotherMachine('session')
      await host.request(handle['id'] ?? '', { kind: 'close' })
    },
    async find(id) {
      const reply = await host.request(id, { kind: 'status' })
      const isOpen = reply !== null && 'status' in reply && reply.status === 'running'
      return isOpen ? [{ id, machine: host.machine }] : []
    },
    ...(service === 'boxd' ? { snapshots: createSnapshots(deps, perform) } : {}),
  }
}

function requestFor(
  service: string,
  { template }: Handle,
  work: SessionWork,
  seconds: number,
): BoxRequest {
  if ('command' in work) return { kind: 'run', args: ['bash', '-lc', work.command], seconds }
  const language = languageOf(work, template)
  if (language !== 'bash' && STATEFUL.has(service))
    return { kind: 'code', language, code: work.code, seconds }
  const program = language === 'typescript' ? 'node' : PROGRAMS[language]
  return { kind: 'run', args: [program, program === 'node' ? '-e' : '-c', work.code], seconds }
}

function pathOf({ snapshots }: BoxesDeps, reference: string): string {
  return join(snapshots, `${reference}.tar`)
}

function readSnapshot(deps: BoxesDeps, reference: string): AsyncIterable<Buffer> {
  const path = pathOf(deps, reference)
  if (!existsSync(path))
    throw new AppError(
      'upstream_not_found',
      'This snapshot is on another machine of this gateway, or its files are gone.',
    )
  return read(path)
}

/** Opens the file when it is read: a session that finds no place reads none. */
async function* read(path: string): AsyncGenerator<Buffer> {
  for await (const bytes of createReadStream(path)) yield bytes as Buffer
}

function createSnapshots(
  deps: BoxesDeps,
  perform: (handle: Handle, request: BoxRequest) => Promise<RunReply>,
): ReadySnapshots {
  const { snapshots, diskBytes, snapshotBytes } = deps
  return {
    async order(handle, id, charge) {
      const reference = publicId('snapshot', id)
      await mkdir(snapshots, { recursive: true, mode: 0o700 })
      if ((await sizeOf(snapshots)) + diskBytes > snapshotBytes)
        throw new AppError(
          'overloaded',
          'The snapshots of this gateway use all their space. Nothing was charged.',
          { retryAfterSeconds: 60 },
        )
      const path = pathOf(deps, reference)
      const mostBytes = diskBytes * ARCHIVE_FACTOR
      try {
        const { use, failure, hasEnded } = await perform(handle, { kind: 'save', path, mostBytes })
        await charge?.(use ?? 'unread')
        if (failure !== undefined) throw fromRelayed(failure)
        if (hasEnded === true) throw boxGone()
      } catch (error) {
        await rm(path, { force: true })
        throw error
      }
      return reference
    },
    wait: async () => {},
    delete: (reference) => rm(pathOf(deps, reference), { force: true }),
    async find(id) {
      const reference = publicId('snapshot', id)
      return existsSync(pathOf(deps, reference)) ? [reference] : []
    },
  }
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder)
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
