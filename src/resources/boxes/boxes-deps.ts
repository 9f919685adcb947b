import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../errors/app-error.ts'
import type { BoxHost } from './box-host.ts'
import type { BoxSetup } from './box.ts'
import type { ControlGroups } from '../../lib/machine/control-groups.ts'
import { setupFor } from './isolation/choose-isolation.ts'
import type { ContainerImages } from './containers/container-images.ts'
import type { Gpu } from './gpus.ts'
import type { Isolation } from './isolation/isolation.ts'
import type { BoxNetwork } from './network/box-network.ts'
import { createLayout } from './isolation/layout.ts'

/** The boxes of a gateway that sells sandboxes or sessions of its own machine. */
export type BoxesDeps = {
  readonly host: BoxHost
  readonly isolation: Isolation
  readonly groups: ControlGroups
  /** Null: boxes reach nothing. */
  readonly network: BoxNetwork | null
  readonly gpus: readonly Gpu[]
  readonly containers: ContainerImages
  /** Unpacked root file systems, one folder per image. */
  readonly images: string
  /** Archives of sessions. */
  readonly snapshots: string
  readonly diskBytes: number
  readonly snapshotBytes: number
  /** Folders that no box may see. */
  readonly secrets: readonly string[]
  /** Services whose sessions run here. */
  readonly sessionServices: ReadonlySet<string>
  readonly sellsSandboxes: boolean
}

/** Names that stand for the programs of the machine. */
const HOST_IMAGES: ReadonlySet<string> = new Set(['debian:bookworm-slim', 'host'])

/** The setup of a box with this image. Throws AppError `invalid_params` for an unknown one. */
export function setupOf(deps: BoxesDeps, image: string | undefined, param: string): BoxSetup {
  const setup = findSetup(deps, image)
  if (setup !== null) return setup
  throw unknownImage(image, param)
}

/** Also with the images of Podman that the operator offers. */
export async function sandboxSetupOf(
  deps: BoxesDeps,
  image: string | undefined,
  param: string,
): Promise<BoxSetup> {
  const setup = findSetup(deps, image)
  if (setup !== null || image === undefined) return setup ?? setupOf(deps, image, param)
  const container = await deps.containers.find(image)
  if (container === null) throw unknownImage(image, param)
  return setupFor({ network: deps.network, ...container }, createLayout(null, []))
}

function findSetup(
  { images, secrets, ...machine }: BoxesDeps,
  image: string | undefined,
): BoxSetup | null {
  if (image === undefined || HOST_IMAGES.has(image))
    return setupFor(machine, createLayout(null, secrets))
  const folder = join(images, image.replaceAll(/[/:@]/g, '_'))
  const isFolderName = !image.split('/').includes('..') && !image.startsWith('.')
  return isFolderName && existsSync(join(folder, 'usr'))
    ? setupFor(machine, createLayout(folder, []))
    : null
}

function unknownImage(image: string | undefined, param: string): AppError {
  return new AppError(
    'invalid_params',
    `This gateway runs the machine itself and has no image "${image}". Nothing was charged.`,
    {
      param,
      fix: `Leave "${param}" out to use the programs of the gateway's machine, such as Python and bash. The operator can add images (docs/in-house.md).`,
    },
  )
}
