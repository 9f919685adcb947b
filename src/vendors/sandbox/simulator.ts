/**
 * The API of Modal's merchant. A sandbox's id encodes its end, unless it is terminated before. No
 * command runs: only echo, true, false and "exit <code>" are supported.
 */
import { uniqueId, createState } from '../../simulators/bounded-state.ts'
import { isMiss, json, routed } from '../../simulators/routed.ts'
import {
  bearerCredential,
  bodyField,
  stringsOf,
  type SimulatedReply,
  type SimulatedRequest,
} from '../../simulators/vendor.ts'

const PATTERN = /^sb-sim-([0-9a-z]+)(?:-\d+)?$/
const TIMED_OUT = 124
const KILLED = 137
const terminated = createState<{ readonly atMs: number }>()

function idOf(request: SimulatedRequest): string {
  return stringsOf(bodyField(request, 'sandbox_id'))[0] ?? ''
}

/** The return code of an ended sandbox; undefined while it runs. */
function endOf(request: SimulatedRequest): number | undefined {
  if (terminated.has(idOf(request))) return KILLED
  const ends = PATTERN.exec(idOf(request))?.[1]
  return ends === undefined || request.now() < Number.parseInt(ends, 36) ? undefined : TIMED_OUT
}

function statusOf(request: SimulatedRequest): SimulatedReply {
  const returncode = endOf(request)
  return json({
    sandbox_id: idOf(request),
    ...(returncode === undefined ? { status: 'running' } : { status: 'finished', returncode }),
  })
}

function terminate(request: SimulatedRequest): SimulatedReply {
  // All accounts share the sandbox of the examples.
  if (endOf(request) === undefined && PATTERN.test(idOf(request)))
    terminated.set(idOf(request), { atMs: request.now() })
  return json({ sandbox_id: idOf(request), status: 'terminated' })
}

const known =
  (answer: (request: SimulatedRequest) => SimulatedReply) =>
  (request: SimulatedRequest): SimulatedReply =>
    isMiss(request, 'sandbox')
      ? json({ error: 'Sandbox not found (simulated).' }, 404)
      : answer(request)

function exec(request: SimulatedRequest): SimulatedReply {
  if (endOf(request) !== undefined)
    return json({ error: 'The sandbox has already finished (simulated).' }, 409)
  const argv = bodyField(request, 'command')
  if (!Array.isArray(argv) || argv.length === 0)
    return json({ error: 'command must be a list (simulated)' }, 400)
  const words = argv.map(String)
  const line = words[0] === 'sh' && words[1] === '-c' ? (words[2] ?? '') : words.join(' ')
  const [, said] = /^echo (.*)$/s.exec(line) ?? []
  if (said !== undefined) return json({ stdout: `${said}\n`, stderr: '', returncode: 0 })
  const code =
    line === 'true'
      ? 0
      : line === 'false'
        ? 1
        : /^exit \d{1,3}$/.test(line)
          ? Number(line.slice(5))
          : 127
  return json({
    stdout: '',
    stderr:
      code === 127
        ? `sh: ${words[0] === 'sh' ? line.split(' ')[0] : words[0]}: not found (simulated)\n`
        : '',
    returncode: code,
  })
}

const sandbox = routed({
  credential: bearerCredential,
  quotaStatus: 402,
  failure: (status) => json({ error: `Simulated failure with status ${status}.` }, status),
  routes: {
    'POST /sandbox/create': (request) =>
      json({
        sandbox_id: uniqueId(
          `sb-sim-${(request.now() + Number(bodyField(request, 'timeout') ?? 300) * 1_000).toString(36)}`,
        ),
      }),
    'POST /sandbox/exec': known(exec),
    'POST /sandbox/status': known(statusOf),
    'POST /sandbox/terminate': known(terminate),
  },
})

export const simulators = { sandbox }
