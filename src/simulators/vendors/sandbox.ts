/** The wire of Modal's merchant. A sandbox's id holds when it ends; commands run nowhere: echo, true, false and "exit <code>" are known. */
import { isMiss, json, routed } from '../routed.ts'
import { bearerCredential, bodyField, stringsOf, type SimulatedReply, type SimulatedRequest } from '../vendor.ts'

const PATTERN = /^sb-sim-([0-9a-z]+)$/

function idOf(request: SimulatedRequest): string {
  return stringsOf(bodyField(request, 'sandbox_id'))[0] ?? ''
}

function isRunning(request: SimulatedRequest): boolean {
  const ends = PATTERN.exec(idOf(request))?.[1]
  return ends === undefined || request.now() < Number.parseInt(ends, 36)
}

const known = (answer: (request: SimulatedRequest) => SimulatedReply) => (request: SimulatedRequest): SimulatedReply =>
  isMiss(request, 'sandbox') ? json({ error: 'Sandbox not found (simulated).' }, 404) : answer(request)

function exec(request: SimulatedRequest): SimulatedReply {
  if (!isRunning(request)) return json({ error: 'The sandbox has already finished (simulated).' }, 409)
  const argv = bodyField(request, 'command')
  if (!Array.isArray(argv) || argv.length === 0) return json({ error: 'command must be a list (simulated)' }, 400)
  const words = argv.map(String)
  const line = words[0] === 'sh' && words[1] === '-c' ? (words[2] ?? '') : words.join(' ')
  const [, said] = /^echo (.*)$/s.exec(line) ?? []
  if (said !== undefined) return json({ stdout: `${said}\n`, stderr: '', returncode: 0 })
  const code = line === 'true' ? 0 : line === 'false' ? 1 : /^exit \d{1,3}$/.test(line) ? Number(line.slice(5)) : 127
  return json({ stdout: '', stderr: code === 127 ? `sh: ${words[0] === 'sh' ? line.split(' ')[0] : words[0]}: not found (simulated)\n` : '', returncode: code })
}

export const sandbox = routed({
  credential: bearerCredential,
  quotaStatus: 402,
  failure: (status) => json({ error: `Simulated failure with status ${status}.` }, status),
  routes: {
    'POST /sandbox/create': (request) => json({ sandbox_id: `sb-sim-${(request.now() + Number(bodyField(request, 'timeout') ?? 300) * 1_000).toString(36)}` }),
    'POST /sandbox/exec': known(exec),
    'POST /sandbox/status': known((request) => json({ sandbox_id: idOf(request), ...(isRunning(request) ? { status: 'running' } : { status: 'finished', returncode: 124 }) })),
    'POST /sandbox/terminate': known((request) => json({ sandbox_id: idOf(request), status: 'terminated' })),
  },
})
