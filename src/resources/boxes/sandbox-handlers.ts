/** The in-house lane of `sandbox`. It answers like the merchant of Modal. */
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import type { InHouseHandler } from '../../catalog/vocabulary/handlers.ts'
import { AppError } from '../../errors/app-error.ts'
import { newId } from '../../lib/ids.ts'
import type { BoxReply, BoxRequest, RunReply, StatusReply } from './box-requests.ts'
import type { MakerWatch } from '../makers/maker-watch.ts'
import type { GpuTier } from '../../vendors/shared/gpu-tiers.ts'
import { onAnotherMachine } from './on-another-machine.ts'
import { sandboxSetupOf, type BoxesDeps } from './boxes-deps.ts'
import { gpusOfTier } from './gpus.ts'

/** Names of handlers that exist only on a gateway with in-house sandboxes. */
export const SANDBOX_HANDLERS = [
  'sandbox.create',
  'sandbox.exec',
  'sandbox.status',
  'sandbox.terminate',
] as const

const CPUS = 1
const DEFAULT_EXEC_SECONDS = 60
const TIMED_OUT = -1
const SANDBOX_ID = /^sb_([0-9a-f]{8})_([0-9a-f]{32})$/

/** A sandbox ends with the key or account that created it. */
export function sandboxHandlers(
  deps: BoxesDeps,
  makers: Pick<MakerWatch, 'watch'>,
): ReadonlyMap<string, InHouseHandler> {
  return new Map<string, InHouseHandler>([
    [
      'sandbox.create',
      async (input, { accountId, keyId, now }) => {
        const { image, command, timeout, gpu } = input as CreateInput
        const id = newId(now())
        const setup = await sandboxSetupOf(deps, image, 'image')
        const leave = makers.watch({ accountId, keyId, madeMs: null }, () => {
          deps.host.request(id, { kind: 'close' }).catch(() => undefined)
        })
        const order = {
          id,
          accountId,
          setup,
          cpus: CPUS,
          envs: {},
          gpus: gpu === undefined ? undefined : gpusOfTier(deps.gpus, gpu),
          isMetered: false,
          lifeMs: timeout * 1000,
          firstCommand: command === undefined ? undefined : toArguments(command),
          onEnd: leave,
        }
        await deps.host.open(order).catch((error: unknown) => {
          leave()
          throw error
        })
        return {
          sandbox_id: `sb_${deps.host.machine}_${id}`,
          isolation: setup.isolation.name,
        }
      },
    ],
    [
      'sandbox.exec',
      async (input, { signal }) => {
        const { command, timeout } = input as ExecInput
        const seconds = timeout ?? DEFAULT_EXEC_SECONDS
        const request = { kind: 'run', args: toArguments(command), seconds } as const
        const reply = (await perform(deps, input, request, signal)) as RunReply
        return {
          stdout: reply.stdout,
          stderr: reply.stderr,
          returncode: reply.isTimedOut ? TIMED_OUT : reply.exitCode,
        }
      },
    ],
    ['sandbox.status', async (input) => statusOf(await perform(deps, input, { kind: 'status' }))],
    [
      'sandbox.terminate',
      async (input) => {
        const { returncode } = statusOf(await perform(deps, input, { kind: 'close' }))
        return { status: 'terminated', ...(returncode === undefined ? {} : { returncode }) }
      },
    ],
  ])
}

type Command = string | readonly string[]
type CreateInput = {
  readonly image?: string
  readonly command?: Command
  readonly timeout: number
  readonly gpu?: GpuTier
}
type ExecInput = { readonly command: Command; readonly timeout?: number }

function toArguments(command: Command): readonly string[] {
  return typeof command === 'string' ? ['sh', '-c', command] : command
}

async function perform(
  { host }: BoxesDeps,
  { sandbox_id: sandboxId }: Data,
  request: BoxRequest,
  signal?: AbortSignal,
): Promise<BoxReply> {
  const [, machine, id = ''] = SANDBOX_ID.exec(String(sandboxId)) ?? []
  if (machine === undefined) throw new AppError('unknown_sandbox')
  if (machine !== host.machine) throw onAnotherMachine('sandbox')
  const reply = await host.request(id, request, signal).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'upstream_not_found') return null
    throw error
  })
  if (reply === null)
    throw new AppError('unknown_sandbox', undefined, {
      param: 'sandbox_id',
      fix: 'The sandbox has ended: it was terminated or reached its timeout. Create another with sandbox/sandbox-create.',
    })
  return reply
}

function statusOf(reply: BoxReply): {
  readonly status: string
  readonly isolation: string
  readonly returncode?: number
} {
  const { status, exitCode, isolation } = reply as StatusReply
  return { status, isolation, ...(exitCode === null ? {} : { returncode: exitCode }) }
}
