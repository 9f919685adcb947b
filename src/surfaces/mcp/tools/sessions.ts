/** The tools of compute sessions. */
import { params } from '../../../catalog/vocabulary/define.ts'
import { choice, optional, text } from '../../../catalog/vocabulary/fields.ts'
import { AppError } from '../../../errors/app-error.ts'
import { requireAllowed } from '../../../keys/policy/require-allowed.ts'
import { toRfc3339 } from '../../../lib/clock.ts'
import {
  LONGEST_RUN_SECONDS,
  SESSION_LANGUAGES,
  type SessionDriver,
  type SessionLanguage,
  type SessionWork,
} from '../../../resources/sessions/session-driver.ts'
import { outputOf, reply, type Tool, type ToolCall, type ToolDeps } from './tool.ts'

const LONGEST_PROGRAM = 500_000
const sessionId = text(
  'The id from create_session of a compute service. With a test key, any id such as "ses_test_1" is a simulated session.',
  200,
)

export const session: Tool = {
  name: 'session',
  title: 'Run in a session',
  description:
    'Run a shell command or code in an open compute session. Returns stdout, stderr and exit_code. Files and installed packages persist until close.',
  input: params({
    session_id: sessionId,
    command: optional(text('Shell command. Send either command or code.', LONGEST_PROGRAM)),
    code: optional(text('Source code.', LONGEST_PROGRAM)),
    language: optional(
      choice(
        'Language of the code. Default: that of the template, or python.',
        [...SESSION_LANGUAGES],
        { type: 'string' },
      ),
    ),
  }),
  output: outputOf({
    stdout: { type: 'string' },
    stderr: { type: 'string' },
    exit_code: { type: ['integer', 'null'] },
  }),
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  async call(deps, call) {
    const id = String(call.input['session_id'])
    const work = workOf(call.input)
    const driver = driverOf(deps, call)
    await requireSessionAllowed(driver, call, id)
    const { stdout, stderr, exitCode, closesAtMs, charged } = await call.progress.during(
      LONGEST_RUN_SECONDS,
      () => `${id} is running`,
      () => driver.execute(call.request.caller, id, work, call.signal),
    )
    return reply(
      call.request,
      { session_id: id, stdout, stderr, exit_code: exitCode, closes_at: timeOf(closesAtMs) },
      { charge: charged },
    )
  },
}

export const close: Tool = {
  name: 'close',
  title: 'Close a session',
  description:
    'Close a compute session: billing stops and its files are deleted. Required when you are done. Closing again has no effect.',
  input: params({ session_id: sessionId }),
  output: outputOf({ closed: { type: 'boolean' } }),
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  async call(deps, call) {
    const id = String(call.input['session_id'])
    const { closesAtMs, charged } = await driverOf(deps, call).close(call.request.caller, id)
    return reply(
      call.request,
      { session_id: id, closed: true, closes_at: timeOf(closesAtMs) },
      { charge: charged },
    )
  },
}

/** A key may use sessions of a service that it may open. */
async function requireSessionAllowed(
  driver: SessionDriver,
  { request: { caller } }: ToolCall,
  id: string,
): Promise<void> {
  if (caller.policies.length === 0) return
  const service = await driver.serviceOf(caller, id)
  if (service !== null) requireAllowed(caller, service, 'create_session')
}

function timeOf(closesAtMs: number | null): string | null {
  return closesAtMs === null ? null : toRfc3339(closesAtMs)
}

function driverOf({ sessions }: ToolDeps, { request: { caller } }: ToolCall): SessionDriver {
  const driver = sessions[caller.mode]
  if (driver === null)
    throw new AppError(
      'upstream_not_configured',
      'No compute service is set up on this gateway. Nothing was charged.',
      { fix: 'Use a test key, which has simulated sessions.' },
    )
  return driver
}

function workOf({
  command,
  code,
  language,
}: {
  readonly command?: unknown
  readonly code?: unknown
  readonly language?: unknown
}): SessionWork {
  if ((command === undefined) === (code === undefined))
    throw new AppError('invalid_params', 'Send either "command" or "code".', {
      param: code === undefined ? 'command' : 'code',
      fix: 'Send a shell command as "command", or source code as "code".',
    })
  if (code === undefined) {
    if (language !== undefined)
      throw new AppError(
        'invalid_params',
        '"language" applies to "code" only; the shell runs a command.',
        { param: 'language', fix: 'Omit "language", or send "code" instead of "command".' },
      )
    return { command: String(command) }
  }
  return language === undefined
    ? { code: code as string, language: 'python', isAssumed: true }
    : { code: code as string, language: language as SessionLanguage }
}
