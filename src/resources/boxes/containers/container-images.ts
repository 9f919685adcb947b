/** Images of the local store of Podman that the operator offers for sandboxes. Nothing is pulled. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../../errors/app-error.ts'
import { findProgram } from '../../../lib/machine/find-program.ts'
import {
  openTopControlGroups,
  type ControlGroups,
  type Controller,
} from '../../../lib/machine/control-groups.ts'
import { SYSTEM_PATH, type Isolation } from '../isolation/isolation.ts'
import { createPodman, runPodman, type PodmanRun } from './podman.ts'

const NEEDED: readonly Controller[] = ['memory', 'pids', 'cpu', 'cpuacct']
const IMAGE_ID = /^[0-9a-f]{64}$/
const PROGRAMS = ['podman', 'setpriv', 'perl']

/** How boxes of an image start: with the control groups of this machine's top. */
export type ContainerSetup = { readonly isolation: Isolation; readonly groups: ControlGroups }

type Opened = ContainerSetup | { readonly problem: string }

export type ContainerImages = {
  /** Null for an image that is not offered. Throws AppError if it does not work. */
  find(image: string): Promise<ContainerSetup | null>
  /** The reason why an image does not work; null if it does. */
  findProblem(image: string): Promise<string | null>
  /** Removes the container of a box whose process has ended. Never rejects. */
  remove(id: string): Promise<void>
}

/** `offered`: the names of the images. */
export function createContainerImages(
  offered: readonly string[],
  run: PodmanRun = runPodman,
): ContainerImages {
  /** By id: an image with this id never changes. */
  const withPerl = new Set<string>()

  /** Lookups that run: each starts programs, also for calls that find no place. */
  const lookups = new Map<string, Promise<Opened>>()

  async function idOf(image: string): Promise<string | null> {
    const id = await run(['image', 'inspect', '--format={{.Id}}', image]).catch(() => '')
    return IMAGE_ID.test(id.trim()) ? id.trim() : null
  }

  function open(image: string): Promise<Opened> {
    const lookup = lookups.get(image) ?? lookUp(image).finally(() => lookups.delete(image))
    lookups.set(image, lookup)
    return lookup
  }

  async function lookUp(image: string): Promise<Opened> {
    const groups = await openTopControlGroups()
    const problem = problemOfMachine(groups)
    if (problem !== null) return { problem }
    const id = await idOf(image)
    if (id === null) return { problem: `podman has no image "${image}"` }
    if (!withPerl.has(id) && !(await hasPerl(run, id)))
      return { problem: `the image "${image}" has no /usr/bin/perl` }
    withPerl.add(id)
    return { isolation: createPodman(id), groups }
  }

  return {
    async find(image) {
      if (!offered.includes(image)) return null
      const setup = await open(image)
      if ('isolation' in setup) return setup
      throw new AppError(
        'upstream_not_configured',
        `This gateway cannot start the image "${image}": ${setup.problem}. Nothing was charged.`,
        { fix: 'The operator finds the reason with ./tollgate doctor. Use another image.' },
      )
    },
    async findProblem(image) {
      const setup = await open(image)
      return 'problem' in setup ? setup.problem : null
    },
    async remove(id) {
      if (offered.length > 0) await createPodman('').remove?.(id)
    },
  }
}

function problemOfMachine(groups: ControlGroups): string | null {
  if (process.getuid?.() !== 0) return 'podman needs a gateway that runs as root'
  const missing = PROGRAMS.filter((one) => findProgram(one, SYSTEM_PATH) === null)
  if (missing.length > 0) return `${missing.join(', ')} not installed`
  const unlimited = NEEDED.filter((one) => !groups.controllers.has(one))
  return unlimited.length > 0 ? `control groups ${unlimited.join(', ')} are not writable` : null
}

/** Without starting a program of the image. */
async function hasPerl(run: PodmanRun, id: string): Promise<boolean> {
  const folder = (await run(['image', 'mount', id])).trim()
  try {
    return existsSync(join(folder, 'usr/bin/perl'))
  } finally {
    await run(['image', 'unmount', id]).catch(() => undefined)
  }
}
