/** The boxes of this machine: those of this process, and by relay those of its other processes. */
import { randomBytes, randomInt } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { machineId } from '../../lib/machine/machine-id.ts'
import { AppError } from '../../errors/app-error.ts'
import { startBox, type Box, type BoxSetup, type BoxStart } from './box.ts'
import { boxGone } from './box-program.ts'
import type { BoxReply, BoxRequest, StatusReply } from './box-requests.ts'
import { createPlaces } from './box-places.ts'
import type { Gpu } from './gpus.ts'
import type { BoxLimits } from './isolation/isolation.ts'
import { BOX_HOME } from './isolation/layout.ts'
import { createOpenBox, type OpenBox, type OpenBoxTerms } from './open-box.ts'
import { openRelay, relayTo, socketPath } from './relay.ts'
import { sweepHomes } from './sweep-homes.ts'
import { thawAfterDeath } from './thaw-boxes.ts'

const SWEEP_EVERY_MS = 10_000
const UNPACK_SECONDS = 240
const ENDED_BOXES = 1_000
/** User ids that no system assigns. A box gets one at random. */
const USER_IDS = { first: 1_610_000_000, count: 100_000_000 }

export type BoxHostSettings = {
  /** A folder of this machine and of this user only. */
  readonly folder: string
  readonly maxBoxes: number
  readonly maxPerAccount: number
  readonly limits: Omit<BoxLimits, 'cpus'>
  /** Removes what a box of an ended process left outside of its folder and groups. */
  readonly removeBox?: ((id: string) => Promise<void>) | undefined
  /** Boxes may be frozen when this process is killed, and then do not die. */
  readonly hasFrozenBoxes?: boolean
  /** A monotonic clock. */
  readonly now?: () => number
}

export type BoxOrder = OpenBoxTerms & {
  readonly id: string
  readonly accountId: string
  readonly setup: BoxSetup
  readonly cpus: number
  readonly envs: Readonly<Record<string, string>>
  /** The box gets one of these that no other box of the machine has. */
  readonly gpus?: readonly Gpu[] | undefined
  /** An archive of files to start with. */
  readonly files?: AsyncIterable<Buffer> | undefined
  readonly onEnd?: (() => void) | undefined
}

export type BoxUse = Pick<BoxOrder, 'id' | 'accountId' | 'setup' | 'cpus'>

export type BoxHost = {
  /** Identifies this machine, the same in all its processes and after a restart. */
  readonly machine: string
  /** Opens a box in this process. Throws AppError `overloaded` if the machine or the account's share is full. */
  open(order: BoxOrder): Promise<void>
  /**
   * Runs work with a box of this process that no request reaches, and closes it. Sandboxes and
   * sessions do not take its place. Throws like `open`.
   */
  use<Result>(order: BoxUse, work: (box: Box, folder: string) => Promise<Result>): Promise<Result>
  /** `end` records in the session with this id that another account needed its machine. */
  onYield(end: (id: string) => Promise<void>): void
  /** Performs a request in the process that has the box. Null if no process of this machine knows it. */
  request(id: string, request: BoxRequest, signal?: AbortSignal): Promise<BoxReply | null>
  close(): Promise<void>
}

/** Removes what ended processes left, and then every ten seconds. */
export async function openBoxHost({
  folder,
  maxBoxes,
  maxPerAccount,
  limits,
  removeBox,
  hasFrozenBoxes = false,
  now = () => performance.now(),
}: BoxHostSettings): Promise<BoxHost> {
  const machine = machineId()
  const homes = join(folder, machine)
  const home = randomBytes(4).toString('hex')
  const boxes = new Map<string, OpenBox>()
  const used = new Set<Box>()
  let endYielded: (id: string) => Promise<void> = async () => {}
  const ended = new LRUCache<string, StatusReply>({ max: ENDED_BOXES })
  await mkdir(homes, { recursive: true, mode: 0o711 })

  async function performHere(
    id: string,
    request: BoxRequest,
    signal?: AbortSignal,
  ): Promise<BoxReply | null> {
    const box = boxes.get(id)
    if (box !== undefined) return box.perform(request, signal)
    const last = ended.get(id)
    if (last === undefined) return null
    if (request.kind !== 'run' && request.kind !== 'code' && request.kind !== 'save') return last
    throw boxGone()
  }

  // Before the folder of this process exists, so that no sweep takes it for an ended one.
  const relay = await openRelay(socketPath(homes, home), performHere)
  await mkdir(join(homes, home), { mode: 0o711 })
  const stopWaiting = hasFrozenBoxes ? thawAfterDeath(join(homes, home)) : null
  await sweepHomes(homes, home, removeBox)
  const sweeper = setInterval(
    () => void sweepHomes(homes, home, removeBox).catch(() => undefined),
    SWEEP_EVERY_MS,
  )
  sweeper.unref()

  async function requestBox(
    id: string,
    request: BoxRequest,
    signal?: AbortSignal,
  ): Promise<BoxReply | null> {
    const here = await performHere(id, request, signal)
    if (here !== null) return here
    for (const other of await readdir(homes)) {
      if (other === home || other.includes('.') || other === 'snapshots') continue
      const there = await relayTo<BoxReply>(socketPath(homes, other), id, request, signal)
      if (there !== null) return there
    }
    return null
  }

  const takePlace = createPlaces({
    homes,
    home,
    maxBoxes,
    maxPerAccount,
    now,
    request: requestBox,
  })

  function start(
    { id, accountId, setup, cpus }: BoxUse,
    place: string,
    own: Pick<BoxStart, 'devices' | 'envs' | 'lifeSeconds'>,
  ): Promise<Box> {
    return startBox(setup, {
      id,
      accountId,
      folder: place,
      limits: { ...limits, cpus },
      userId: process.getuid?.() === 0 ? chooseUserId() : null,
      ...own,
    })
  }

  return {
    machine,
    async use(order, work) {
      const { folder: place } = await takePlace({ ...order, isShort: true })
      try {
        const box = await start(order, place, { devices: [], envs: {}, lifeSeconds: null })
        used.add(box)
        try {
          return await work(box, place)
        } finally {
          used.delete(box)
          await box.close()
        }
      } finally {
        await rm(place, { recursive: true, force: true })
      }
    },
    async open({ gpus, envs, files, id, accountId, setup, cpus, onEnd, ...terms }) {
      const { folder: place, devices } = await takePlace({ id, accountId, gpus })
      try {
        const lifeSeconds = terms.lifeMs === null ? null : Math.ceil(terms.lifeMs / 1000)
        const own = { devices, envs, lifeSeconds }
        const box = await start({ id, accountId, setup, cpus }, place, own)
        if (files !== undefined) {
          const { exitCode } = await box
            .run(['tar', '-C', BOX_HOME, '-xf', '-'], { seconds: UNPACK_SECONDS, input: files })
            .catch(async (error: unknown) => {
              await box.close()
              throw error
            })
          if (exitCode !== 0) {
            await box.close()
            throw new AppError('upstream_error', 'The saved files could not be restored.')
          }
        }
        boxes.set(
          id,
          createOpenBox(
            box,
            accountId,
            terms,
            (last) => {
              boxes.delete(id)
              ended.set(id, last)
              onEnd?.()
            },
            { now, onYield: () => endYielded(id) },
          ),
        )
      } catch (error) {
        await rm(place, { recursive: true, force: true })
        throw error
      }
    },
    request: requestBox,
    onYield(end) {
      endYielded = end
    },
    async close() {
      clearInterval(sweeper)
      await Promise.all([
        ...boxes.values().map((box) => box.stop()),
        ...used.values().map((box) => box.close()),
      ])
      stopWaiting?.()
      await rm(join(homes, home), { recursive: true, force: true })
      await relay.close()
    },
  }
}

function chooseUserId(): number {
  return USER_IDS.first + randomInt(USER_IDS.count)
}
