import { AppError } from '../../errors/app-error.ts'
import { Deadline } from '../../lib/deadline.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId, publicId, type Id } from '../../lib/ids.ts'
import { send } from '../../upstream/send.ts'
import { errorOf, type SendOptions } from '../../upstream/sent.ts'
import type { Target } from '../../upstream/target.ts'
import { withVendorSocket } from '../../upstream/with-vendor-socket.ts'
import {
  languageOf,
  type Ask,
  type Box,
  type Handle,
  type RanProgram,
  type WithSocket,
} from './box.ts'
import { boxa } from './boxes/boxa.ts'
import { boxb } from './boxes/boxb.ts'
import { boxc } from './boxes/boxc.ts'
import { createBoxd } from './boxes/boxd.ts'
import { boxe } from './boxes/boxe.ts'
import {
  LONGEST_RUN_SECONDS,
  PROGRAM_MS,
  type SessionCode,
  type SessionWork,
} from './session-driver.ts'
import type { ReadyBox, SessionDeps } from './session-deps.ts'
import {
  countProgram,
  diskOf,
  newMachine,
  simulate,
  type SimulatedMachine,
} from './simulated-shell.ts'
import { LRUCache } from 'lru-cache'

const CREATE_MS = 120_000
const OTHER_MS = 30_000
/** A large disk takes minutes. */
const SNAPSHOT_MS = 280_000
/** Other sessions wait for this request to be paid for. */
const QUICK_MS = 10_000
const MACHINES = 1_000

/**
 * The vendors of machines, ready to call. `targetOf` returns null if the operator has no key. Test
 * sessions are simulated here.
 */
export function createReadyBoxes(
  targetOf: (service: string) => Target | null,
  now: Clock,
): SessionDeps['boxFor'] {
  const boxes: Readonly<Record<string, Box>> = { boxa, boxb, boxc, boxd: createBoxd(now), boxe }
  const simulated = createSimulatedBox()
  return (service, mode, accountId) => {
    if (mode === 'test') return simulated
    const box = boxes[service]
    const target = box === undefined ? null : targetOf(service)
    return box === undefined || target === null ? null : readyBox(box, target, accountId, now)
  }
}

function readyBox(box: Box, target: Target, accountId: Id, now: Clock): ReadyBox {
  async function within<T>(
    timeoutMs: number,
    signal: AbortSignal | undefined,
    work: (ask: Ask, socket: WithSocket) => Promise<T>,
  ): Promise<T> {
    const deadline = new Deadline(timeoutMs)
    const options = (): SendOptions => ({ deadline, vendorKey: newId(now()), accountId, now })
    const leave = (): void => deadline.expire()
    signal?.addEventListener('abort', leave, { once: true })
    try {
      const ask: Ask = async (wire) => {
        const sent = await send(target, wire, options())
        if (sent.ok) return sent.reply
        throw errorOf(sent.failure)
      }
      return await work(ask, (request, use) => withVendorSocket(target, request, options(), use))
    } finally {
      deadline.end()
      signal?.removeEventListener('abort', leave)
    }
  }
  const { snapshots } = box
  return {
    create: ({ id, ...order }) =>
      within(CREATE_MS, undefined, (ask) =>
        box.create(ask, { ...order, label: publicId('session', id) }, target.credentials),
      ),
    run: (handle, work, signal, seconds = LONGEST_RUN_SECONDS) =>
      within(PROGRAM_MS, signal, (ask, socket) =>
        box.run(ask, handle, work, seconds, target.credentials, socket),
      ).catch(throwForMachine),
    prolong: (handle, lifeMs) =>
      within(QUICK_MS, undefined, async (ask) => box.prolong?.(ask, handle, lifeMs)).catch(
        throwForMachine,
      ),
    close: (handle) =>
      within(OTHER_MS, undefined, (ask) => box.close(ask, handle, target.credentials)),
    find: (id) =>
      within(QUICK_MS, undefined, (ask) =>
        box.find(ask, publicId('session', id), target.credentials),
      ),
    ...(snapshots === undefined
      ? {}
      : {
          snapshots: {
            order: (handle, id) =>
              within(OTHER_MS, undefined, (ask) =>
                snapshots.order(ask, handle, publicId('snapshot', id)),
              ),
            wait: (reference, signal) =>
              within(SNAPSHOT_MS, signal, (ask) => snapshots.wait(ask, reference)),
            delete: (reference) =>
              within(OTHER_MS, undefined, (ask) => snapshots.delete(ask, reference)),
            find: (id) =>
              within(OTHER_MS, undefined, (ask) => snapshots.find(ask, publicId('snapshot', id))),
          },
        }),
  }
}

/** The paths of a machine contain its id, so a 410 is about the machine and not about the route. */
function throwForMachine(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'upstream_gone') throw error
  throw new AppError('upstream_not_found', error.message, { details: error.details, cause: error })
}

/** The simulated interpreters have no TypeScript. */
function inLanguage(code: SessionCode, language: ReturnType<typeof languageOf>): SessionCode {
  return { ...code, language: language === 'typescript' ? 'javascript' : language }
}

/** Simulated machines in the memory of this process. */
function createSimulatedBox(): ReadyBox {
  const machines = new LRUCache<string, SimulatedMachine>({ max: MACHINES })
  const snapshots = new LRUCache<string, SimulatedMachine>({ max: MACHINES })
  return {
    async create({ id, template, snapshot }) {
      if (snapshot !== undefined) {
        const taken = snapshots.get(snapshot)
        if (taken === undefined)
          throw new AppError(
            'upstream_not_found',
            'This simulated snapshot exists only in another gateway process, or in one that has ended.',
            { fix: 'Take another one.' },
          )
        machines.set(id, diskOf(taken))
      }
      return { id, ...(template === undefined ? {} : { template }) }
    },
    async run({ id = '', template }: Handle, work: SessionWork): Promise<RanProgram> {
      const machine = machines.get(id) ?? newMachine()
      machines.set(id, machine)
      return {
        ...simulate(
          machine,
          'command' in work ? work : inLanguage(work, languageOf(work, template)),
        ),
        use: countProgram(machine),
      }
    },
    prolong: async () => {},
    close: async ({ id = '' }) => void machines.delete(id),
    find: async () => [],
    snapshots: {
      async order({ id = '' }, snapshotId) {
        snapshots.set(snapshotId, diskOf(machines.get(id) ?? newMachine()))
        return snapshotId
      },
      wait: async () => {},
      delete: async (reference) => void snapshots.delete(reference),
      find: async () => [],
    },
  }
}
