/** One box: an isolated process tree with an agent that runs programs in it. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../errors/app-error.ts'
import { connectAgent, type AgentConnection } from './agent-connection.ts'
import { BoxEnded, boxGone, runProgram, type BoxOutput, type RunOptions } from './box-program.ts'
import {
  removeControlGroups,
  type ControlGroup,
  type ControlGroups,
} from '../../lib/machine/control-groups.ts'
import { createInterpreters, type CodeLanguage } from './interpreters.ts'
import type { BoxLimits, Isolation } from './isolation/isolation.ts'
import {
  BOX_ENVIRONMENT,
  BOX_HOME,
  insidePath,
  NETWORK_PORT,
  NETWORK_SOCKET,
  PROXY_ENVIRONMENT,
  type Layout,
} from './isolation/layout.ts'
import { systemCalls, type SeccompFilter } from './isolation/seccomp.ts'
import type { BoxNetwork, NetworkLink } from './network/box-network.ts'
import { createOutput } from './output.ts'
import { countCpu } from './process-times.ts'

const START_MS = 20_000
const EXIT_MS = 2_000
const LOG_BYTES = 4_096
/** The longest argument that the kernel accepts is 128 KiB. */
const LONGEST_ARGUMENT = 120_000
/** Node.js reserves more than 512 MiB for code at its start, which count although it does not use them. */
const LEAST_DATA_BYTES = 768 * 1024 * 1024
const NO_OUTPUT = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) }
export const GROUPS_FILE = 'groups.json'

export type BoxSetup = {
  readonly isolation: Isolation
  readonly layout: Layout
  readonly filter: SeccompFilter | null
  readonly groups: ControlGroups
  /** Null: boxes reach nothing. */
  readonly network: BoxNetwork | null
}

export type BoxStart = {
  readonly id: string
  readonly accountId: string
  /** Created here and removed at the end. */
  readonly folder: string
  readonly limits: BoxLimits
  readonly userId: number | null
  /** Paths of devices that programs can use. */
  readonly devices: readonly string[]
  /** The longest life of the box; null for no limit. */
  readonly lifeSeconds: number | null
  /** Variables of all programs. */
  readonly envs: Readonly<Record<string, string>>
}

/** The counters of a box. `upMicroseconds`: since its start. */
export type BoxCount = {
  readonly boot: string
  readonly upMicroseconds: number
  readonly cpuMicroseconds: number
  readonly memoryBytes: number
}

export type Box = {
  readonly id: string
  readonly isolation: Isolation['name']
  /** Runs a program to its end. Throws AppError if the box has ended, and BoxEnded if it ends meanwhile. */
  run(args: readonly string[], options: RunOptions): Promise<BoxOutput>
  /** Runs code in an interpreter that keeps its variables. Throws like `run`. */
  runCode(language: CodeLanguage, code: string, options: RunOptions): Promise<BoxOutput>
  /** Also after the end of the box, with the highest memory. Null if the system counts nothing then. */
  count(): Promise<BoxCount | null>
  /** Stops all programs until the next `freeze(false)`. */
  freeze(isFrozen: boolean): Promise<void>
  readonly hasEnded: () => boolean
  /** Resolves when the box ends, for any reason. */
  readonly ended: Promise<void>
  /** Kills everything in the box and removes its files. Safe to repeat. */
  close(): Promise<void>
}

/** Starts a box. Throws AppError `upstream_error` if the machine cannot isolate it; then nothing remains. */
export async function startBox(
  { isolation, layout, filter, groups, network }: BoxSetup,
  { id, accountId, folder, limits, userId, devices, lifeSeconds, envs }: BoxStart,
): Promise<Box> {
  await mkdir(folder, { recursive: true, mode: 0o711 })
  let group: ControlGroup | null = null
  let child: ChildProcessWithoutNullStreams | null = null
  let agent: AgentConnection | null = null
  let link: NetworkLink | null = null
  let closing: Promise<void> | null = null
  let last: BoxCount | null = null
  let log = ''
  const startedAt = process.hrtime.bigint()

  async function remove(): Promise<void> {
    agent?.end()
    await isolation.remove?.(id)
    child?.kill('SIGKILL')
    if (child !== null && child.exitCode === null && child.signalCode === null)
      await Promise.race([once(child, 'exit'), expire(EXIT_MS)])
    const counted = await countEnded(group).catch(() => null)
    if (counted !== null) last = { boot: id, upMicroseconds: upMicroseconds(), ...counted }
    if (group !== null) await removeControlGroups(group.folders)
    await link?.close()
    await rm(folder, { recursive: true, force: true })
  }

  const upMicroseconds = (): number => Number((process.hrtime.bigint() - startedAt) / 1000n)
  const { promise: ended, resolve: reportEnd } = Promise.withResolvers<void>()
  const close = (): Promise<void> => {
    closing ??= remove()
    reportEnd()
    return closing
  }

  try {
    group = await groups.create(`tollgate-box-${id}`, limits)
    await writeFile(join(folder, GROUPS_FILE), JSON.stringify(group.folders))
    link = (await network?.open({ id, accountId, folder, userId })) ?? null
    const { program, args, env } = await isolation.command({
      id,
      folder,
      layout: link === null ? layout : withSocket(layout, link.socket),
      limits,
      hasNetwork: link !== null,
      devices,
      lifeSeconds,
      dataBytes: groups.controllers.has('memory')
        ? null
        : Math.max(limits.memoryBytes, LEAST_DATA_BYTES),
      userId,
      command: agentCommand(filter, link),
      controlGroups: group.folders,
    })
    child = spawn(program, [...args], { cwd: '/', env: { ...env }, stdio: 'pipe' })
    agent = connectAgent(child.stdin, child.stdout, () => void close())
    child.stderr.on('data', (bytes: Buffer) => {
      if (log.length < LOG_BYTES) log += bytes.toString('utf8')
    })
    child.once('error', () => void close())
    child.once('exit', () => void close())
    await Promise.race([agent.ready, rejectAfter(START_MS)])
  } catch (error) {
    await close()
    throw new AppError(
      'upstream_error',
      'This gateway could not start an isolated machine. Nothing was charged.',
      { cause: new RangeError(`${String(error)} ${log.trim()}`) },
    )
  }
  const [started, control, connection] = [child, group, agent]
  const proxies = network === null ? {} : PROXY_ENVIRONMENT
  const programs = { ...BOX_ENVIRONMENT, ...proxies, ...envs }

  async function run(args: readonly string[], options: RunOptions): Promise<BoxOutput> {
    if (closing !== null) throw boxGone()
    if (args.some((word) => Buffer.byteLength(word) > LONGEST_ARGUMENT))
      throw new AppError('invalid_params', 'The command is too long for one argument.', {
        param: 'command',
        fix: `Shorten it to ${LONGEST_ARGUMENT} bytes, or write it to a file in several calls.`,
      })
    const output = createOutput(options.mostBytes, options.onOutput)
    const exitCode = await runProgram(
      connection,
      { args, env: programs, folder: BOX_HOME, limit: output.limit },
      output,
      options,
      () => void close(),
    ).catch((error: unknown) => {
      throw closing === null ? error : new BoxEnded(output.read())
    })
    return { ...output.read(), ...exitCode }
  }

  const interpreters = createInterpreters(connection, programs, () => void close())
  return {
    id,
    isolation: isolation.name,
    run,
    async runCode(language, code, options) {
      if (closing !== null) throw boxGone()
      return interpreters.run(language, code, options).catch((error: unknown) => {
        throw closing === null ? error : new BoxEnded(NO_OUTPUT)
      })
    },
    async count() {
      try {
        const [cpuMicroseconds, memoryBytes] = await Promise.all([
          control.cpuMicroseconds().then((counted) => counted ?? countCpu(started.pid ?? 0)),
          control.memoryBytes(),
        ])
        if (closing === null)
          return { boot: id, upMicroseconds: upMicroseconds(), cpuMicroseconds, memoryBytes }
      } catch (error) {
        if (closing === null) throw error
      }
      await closing
      return last
    },
    freeze: (isFrozen) => (closing === null ? control.freeze(isFrozen) : Promise.resolve()),
    hasEnded: () => closing !== null,
    ended,
    close,
  }
}

/** The memory at the end is unknown, so a program cannot hide it by ending the box. */
async function countEnded(
  group: ControlGroup | null,
): Promise<Pick<BoxCount, 'cpuMicroseconds' | 'memoryBytes'> | null> {
  const cpuMicroseconds = (await group?.cpuMicroseconds()) ?? null
  if (group === null || cpuMicroseconds === null) return null
  return { cpuMicroseconds, memoryBytes: await group.highestMemoryBytes() }
}

function agentCommand(filter: SeccompFilter | null, link: NetworkLink | null): readonly string[] {
  const calls = systemCalls(process.arch)
  const seccomp = [filter?.program, calls?.seccomp, calls?.prctl].map((one) => String(one ?? '-'))
  const network = link === null ? [] : [String(NETWORK_PORT), NETWORK_SOCKET]
  return ['/usr/bin/perl', insidePath('agent.pl'), ...seccomp, ...network]
}

function withSocket(layout: Layout, socket: string): Layout {
  return { ...layout, binds: [...layout.binds, { source: socket, target: NETWORK_SOCKET }] }
}

function expire(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref())
}

async function rejectAfter(ms: number): Promise<never> {
  await expire(ms)
  throw new RangeError('The box was not ready in time.')
}
