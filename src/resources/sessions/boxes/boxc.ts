/**
 * Vercel Sandbox: commands return JSON lines. Code is passed in the environment, which avoids
 * quoting.
 */
import { AppError } from '../../../errors/app-error.ts'
import { field, textField } from '../../../catalog/answers/vendor-failure.ts'
import { get, post, type WireRequest } from '../../../catalog/vocabulary/wire.ts'
import {
  hyphenated,
  PROGRAMS,
  noProgramResult,
  TIMED_OUT,
  type Box,
  type Settings,
} from '../box.ts'
import { linesOf } from '../json-lines.ts'
import type { SessionWork } from '../session-driver.ts'

const ENDED = /^(stopping|stopped|failed|aborted)$/
const RUNTIME = /^(node|python)\d/

export const boxc: Box = {
  async create(ask, { label, template, envs, lifeMs }, settings) {
    const isRuntime = template !== undefined && RUNTIME.test(template)
    const request = {
      name: hyphenated(label),
      projectId: requiredSetting(settings, 'PROJECT_ID'),
      timeout: lifeMs,
      resources: { vcpus: 2 },
      env: envs,
      region: 'iad1',
      persistent: false,
      ...(template === undefined ? {} : { [isRuntime ? 'runtime' : 'image']: template }),
    }
    const { body } = await ask(
      ofTeam(post(isRuntime ? '/v2/sandboxes' : '/v3/sandboxes', request), settings),
    )
    const session = textField(field(body, 'session'), 'id')
    if (session === '')
      throw new AppError('upstream_error', 'The vendor created a machine without an id.')
    return { session, name: textField(field(body, 'sandbox'), 'name') }
  },
  async run(ask, { session = '' }, work, seconds, settings) {
    const wire = post(`${pathOf(session)}/cmd`, {
      command: 'bash',
      ...scriptOf(work),
      wait: true,
      logs: true,
      timeout: seconds * 1000,
    })
    const reply = await ask({ ...ofTeam(wire, settings), runsProgram: true })
    const lines = linesOf(reply)
    // The vendor reports the end of a session in a response with status 200.
    if (lines.some((line) => field(line, 'stream') === 'error'))
      throw new AppError('upstream_not_found')
    const written = (stream: string): string =>
      lines
        .filter((line) => field(line, 'stream') === stream)
        .map((line) => textField(line, 'data'))
        .join('')
    if (
      !lines.some(
        (line) =>
          textField(field(line, 'command'), 'id') !== '' ||
          field(field(line, 'command'), 'exitCode') !== undefined,
      )
    )
      throw noProgramResult()
    const code = lines
      .map((line) => field(field(line, 'command'), 'exitCode'))
      .findLast((one) => typeof one === 'number')
    return { stdout: written('stdout'), stderr: written('stderr'), exitCode: code ?? TIMED_OUT }
  },
  async close(ask, { session = '', name = '' }, settings) {
    await ask({
      ...ofTeam(post(`${pathOf(session)}/stop`, {}), settings),
      acceptedStatuses: [404, 409, 410],
    })
    if (name !== '')
      await ask({
        ...ofTeam(
          { method: 'DELETE', path: `/v2/sandboxes/${encodeURIComponent(name)}` },
          settings,
          { projectId: requiredSetting(settings, 'PROJECT_ID') },
        ),
        acceptedStatuses: [404, 410],
      })
  },
  async find(ask, label, settings) {
    const { body, status } = await ask({
      ...ofTeam(get(`/v2/sandboxes/${hyphenated(label)}`), settings, {
        projectId: requiredSetting(settings, 'PROJECT_ID'),
        resume: 'false',
      }),
      acceptedStatuses: [404, 410],
    })
    const name = textField(field(body, 'sandbox'), 'name')
    const session = textField(field(body, 'session'), 'id')
    const lives = status === 200 && !ENDED.test(textField(field(body, 'session'), 'status'))
    return lives && name === hyphenated(label) && session !== '' ? [{ session, name }] : []
  },
}

function pathOf(session: string): string {
  return `/v2/sandboxes/sessions/${encodeURIComponent(session)}`
}

function scriptOf(work: SessionWork): {
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
} {
  if ('command' in work) return { args: ['-lc', work.command] }
  return {
    args: [
      '-lc',
      `file=$(mktemp) && printf %s "$TOLLGATE_CODE" | base64 -d > "$file" && unset TOLLGATE_CODE && ${PROGRAMS[work.language]} "$file"`,
    ],
    env: { TOLLGATE_CODE: Buffer.from(work.code).toString('base64') },
  }
}

function ofTeam(
  wire: WireRequest,
  settings: Settings,
  more: Readonly<Record<string, string>> = {},
): WireRequest {
  return { ...wire, query: { teamId: requiredSetting(settings, 'TEAM_ID'), ...more } }
}

function requiredSetting(settings: Settings, name: string): string {
  const value = settings[name]
  if (value === undefined)
    throw new AppError(
      'upstream_not_configured',
      `This gateway has no setting UPSTREAM_BOXC_${name}. Nothing was charged.`,
    )
  return value
}
