import { Type, type Static } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { cents, maxMicros, type Micros } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { choice, list, optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { tempoMerchant } from '../../catalog/vocabulary/merchant.ts'
import { unreadableReply } from '../shared/open-sources.ts'
import { done, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { GPU_TIERS, type GpuTier } from '../shared/gpu-tiers.ts'
import { anyObject, merchant } from '../shared/records.ts'
import { computedCap, flat } from '../../catalog/vocabulary/tariff.ts'
import { field, textField } from '../../catalog/answers/vendor-failure.ts'
import { post, type Reply } from '../../catalog/vocabulary/wire.ts'
import { returns } from './returns.ts'

const modal = merchant('https://modal.mpp.tempo.xyz', 'https://modal.com/docs/guide/sandbox', {
  statuses: [404, 409, 410],
  words:
    /\bsandbox\b.{0,300}\b(finished|terminated|ended|stopped|expired|timed out|not running|not found)\b/i,
  code: 'unknown_sandbox',
  fix: 'The sandbox has ended: it was terminated or reached its timeout. Create another with sandbox/sandbox-create.',
})
const paid = { at: tempoMerchant(modal.baseUrl) }

type Machine = {
  readonly most: Micros
  readonly microsPerSecond: number
  readonly vendorName?: string
}

const CPU: Machine = { most: cents('5'), microsPerSecond: 46 }
/** The most that creating a sandbox may cost, and its rate per second. */
const GPUS = {
  T4: { most: cents('25'), microsPerSecond: 164, vendorName: 'T4' },
  L4: { most: cents('30'), microsPerSecond: 222, vendorName: 'L4' },
  A10G: { most: cents('40'), microsPerSecond: 306, vendorName: 'A10G' },
  A100: { most: cents('150'), microsPerSecond: 694, vendorName: 'A100-80GB' },
  H100: { most: cents('250'), microsPerSecond: 1_097, vendorName: 'H100' },
} as const satisfies Readonly<Record<GpuTier, Machine>>
const LEAST = cents('3')

const command = (description: string) =>
  Type.Union(
    [
      text('A shell string, run with sh -c.', 60_000),
      list(
        'A program and its arguments, without a shell.',
        Type.String({ maxLength: 60_000 }),
        1_000,
      ),
    ],
    { description },
  )
const sandboxId = text('The sandbox_id that sandbox/sandbox-create returned.', 200)

const createInput = params({
  image: text('Public container image.', 300, {
    default: 'debian:bookworm-slim',
    pattern: '^[A-Za-z0-9][A-Za-z0-9._/:@-]*$',
  }),
  command: optional(
    command(
      'The program to run; none if omitted. A shell string, or a list of a program and its arguments.',
    ),
  ),
  timeout: whole('Seconds after which the sandbox ends.', 1, 2_279, { default: 300 }),
  gpu: optional(choice('GPU; none if omitted.', GPU_TIERS)),
})
type CreateInput = Static<typeof createInput>

function machineOf({ gpu }: CreateInput): Machine {
  return gpu === undefined ? CPU : GPUS[gpu]
}

const atMost = (input: CreateInput): Micros => machineOf(input).most

/** The whole lifetime is paid in advance, as at the vendor's merchant. */
function priceOf(input: CreateInput): Micros {
  return maxMicros(LEAST, BigInt(machineOf(input).microsPerSecond * input.timeout))
}

function checkLifetime(input: CreateInput): void {
  const { most, microsPerSecond } = machineOf(input)
  const longest = Math.floor(Number(most) / microsPerSecond)
  if (input.timeout <= longest) return
  throw new AppError(
    'invalid_params',
    `A sandbox ${input.gpu === undefined ? 'without a GPU' : `with ${input.gpu}`} can run for at most ${longest} seconds.`,
    {
      param: 'timeout',
      fix: `Send a "timeout" of at most ${longest}.`,
      details: { most_seconds: longest },
    },
  )
}

/** The vendor accepts only programs with arguments. */
function argv(program: string | readonly string[]): readonly string[] {
  return typeof program === 'string' ? ['sh', '-c', program] : program
}

/** Ending on request or by timeout is not a failure. */
const SUCCESSFUL_CODES: ReadonlySet<unknown> = new Set([0, 124, 137, null, undefined])

function statusOf({ body }: Reply): 'running' | 'finished' | 'failed' {
  const status = textField(body, 'status').toLowerCase()
  if (/fail|error|evict/.test(status)) return 'failed'
  if (/run|creat|start|pend|queue/.test(status)) return 'running'
  return SUCCESSFUL_CODES.has(field(body, 'returncode')) ? 'finished' : 'failed'
}

function statusOutcome(
  reply: Reply<Record<string, unknown>>,
  { sandbox_id }: { readonly sandbox_id: string },
): Outcome {
  if (textField(reply.body, 'status') === '' && !('returncode' in reply.body))
    return unreadableReply()
  return done({ ...reply.body, sandbox_id, status: statusOf(reply) })
}

/** The lane of IN_HOUSE. */
function inHouse(name: string) {
  return { inHouse: `sandbox.${name}`, inHousePart: 'sandboxes' } as const
}

const ownership = {
  targetId: ({ sandbox_id }: { readonly sandbox_id: string }) => sandbox_id,
  unknownCode: 'unknown_sandbox',
} as const
const small = {
  price: flat(cents('1')),
  priceSource: 'Specification, 2026-11.',
  merchant: paid,
  ownership,
}

export const service = defineService({
  id: 'sandbox',
  title: 'Sandboxes',
  category: 'compute',
  vendor: modal,
  returns,
  actions: {
    'sandbox-create': call({
      title: 'Start a sandbox',
      summary: 'Start a sandbox that runs code in isolation, optionally with a GPU.',
      description:
        'Returns a running sandbox: run commands with sandbox/sandbox-exec, and stop it with sandbox/sandbox-terminate. It ends after timeout seconds, which are paid at the start, or when its first command fails. At most 5¢; with a T4 25¢, L4 30¢, A10G 40¢, A100 $1.50, H100 $2.50.',
      keywords: [
        'container',
        'run code',
        'gpu machine',
        'execute python',
        'isolated machine',
        'linux box',
        'virtual machine',
        'vm',
        'linux server',
        'cloud machine',
      ],
      input: createInput,
      example: { image: 'python:3.13-slim', timeout: 300 },
      price: computedCap(atMost, LEAST, GPUS.H100.most),
      priceSource:
        "Caps of the specification, 2026-11, 5¢ without a GPU; within them the lifetime at the vendor's rates, 2026-08, at least 3¢.",
      timeoutMs: 120_000,
      check: checkLifetime,
      request: ({ command: first, gpu, ...input }) =>
        post('/sandbox/create', {
          ...input,
          command: first === undefined ? undefined : argv(first),
          gpu: gpu === undefined ? undefined : GPUS[gpu].vendorName,
        }),
      merchant: paid,
      ...inHouse('create'),
      reply: Type.Object({ sandbox_id: Type.String({ minLength: 1 }) }),
      outcome: ({ body }, input) => ({ kind: 'done', data: body, actual: priceOf(input) }),
      ownership: {
        createdId: ({ body }) =>
          textField(body, 'sandbox_id') === '' ? undefined : textField(body, 'sandbox_id'),
      },
    }),
    'sandbox-exec': call({
      ...small,
      isOrder: true,
      title: 'Run a command in a sandbox',
      summary: 'Run a command in a running sandbox, and get its output and return code.',
      description:
        'A failed command is a result, too; check its returncode. Start commands longer than half a minute in the background and poll them.',
      keywords: ['run command', 'run python code', 'execute code', 'shell', 'bash'],
      input: params({
        sandbox_id: sandboxId,
        command: command(
          'A shell string, run with sh -c; or a list of a program and its arguments, without a shell.',
        ),
        timeout: optional(whole('Maximum duration of the command in seconds.', 1, 280)),
      }),
      example: { sandbox_id: 'sb-simulated', command: 'echo hello' },
      timeoutMs: 300_000,
      request: ({ sandbox_id, command: program, timeout }) => ({
        ...post('/sandbox/exec', { sandbox_id, command: argv(program), timeout }),
        runsProgram: true,
      }),
      ...inHouse('exec'),
      reply: Type.Object({
        stdout: Type.String(),
        stderr: Type.String(),
        returncode: Type.Integer(),
      }),
      outcome: ({ body }) => done(body),
    }),
    'sandbox-status': call({
      ...small,
      title: 'Sandbox state',
      summary: 'Get the state of a sandbox: running, finished or failed.',
      keywords: ['sandbox alive', 'exit code'],
      input: params({ sandbox_id: sandboxId }),
      example: { sandbox_id: 'sb-simulated' },
      timeoutMs: 30_000,
      request: (input) => post('/sandbox/status', input),
      ...inHouse('status'),
      reply: anyObject,
      outcome: statusOutcome,
    }),
    'sandbox-terminate': call({
      ...small,
      title: 'Stop a sandbox',
      summary: 'Stop a sandbox and release its resources.',
      keywords: ['kill sandbox', 'end container'],
      input: params({ sandbox_id: sandboxId }),
      example: { sandbox_id: 'sb-simulated' },
      timeoutMs: 30_000,
      request: (input) => post('/sandbox/terminate', input),
      ...inHouse('terminate'),
      reply: anyObject,
      outcome: ({ body }, { sandbox_id }) => done({ sandbox_id, ...body }),
    }),
  },
})
