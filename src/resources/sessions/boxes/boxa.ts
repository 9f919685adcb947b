/** E2B: an interpreter per language that keeps its variables, over plain HTTP. */
import { AppError } from '../../../errors/app-error.ts'
import { field, textField } from '../../../catalog/answers/vendor-failure.ts'
import { get, post, type Reply, type WireRequest } from '../../../catalog/vocabulary/wire.ts'
import { labelled, labelsOf, noProgramResult, TIMED_OUT, type Box, type Handle } from '../box.ts'
import { linesOf } from '../json-lines.ts'
import type { ProgramOutput } from '../session-driver.ts'

const INTERPRETER_PORT = '49999'
/** Limit of each output stream of a command; the rest is cut. */
const MOST_BYTES = 4 * 1024 * 1024
/** Precedes the result of a command's wrapper, to separate it from other output. */
const MARK = '\u001etollgate\u001e'

export const boxa: Box = {
  async create(ask, { label, template = 'code-interpreter-v1', envs, lifeMs }) {
    const { body } = await ask(
      post('/v2/sandboxes', {
        templateID: template,
        timeout: Math.ceil(lifeMs / 1000),
        envVars: envs,
        metadata: labelsOf(label),
      }),
    )
    const id = textField(body, 'sandboxID')
    if (id === '')
      throw new AppError('upstream_error', 'The vendor created a machine without an id.')
    return {
      id,
      token: textField(body, 'envdAccessToken'),
      traffic: textField(body, 'trafficAccessToken'),
    }
  },
  async run(ask, handle, work, seconds) {
    if ('command' in work)
      return commandOutput(await ask(execute(handle, wrapped(work.command, seconds), 'python')))
    const lines = linesOf(await ask(execute(handle, work.code, work.language)))
    // Even a program without output returns a line with its execution count.
    if (!lines.some((line) => textField(line, 'type') !== '')) throw noProgramResult()
    return codeOutput(lines)
  },
  async prolong(ask, { id = '' }, lifeMs) {
    await ask(
      post(`/sandboxes/${encodeURIComponent(id)}/timeout`, { timeout: Math.ceil(lifeMs / 1000) }),
    )
  },
  async close(ask, { id = '' }) {
    await ask({
      method: 'DELETE',
      path: `/sandboxes/${encodeURIComponent(id)}`,
      acceptedStatuses: [404],
    })
  },
  async find(ask, label) {
    const { body } = await ask(
      get('/v2/sandboxes', { metadata: new URLSearchParams(labelsOf(label)).toString() }),
    )
    return labelled(body, label, 'sandboxID')
  },
}

/** The machine does not receive the operator's key: its own token grants access. */
function execute(
  { id = '', token = '', traffic = '' }: Handle,
  code: string,
  language: string,
): WireRequest {
  const headers = {
    'e2b-sandbox-id': id,
    'e2b-sandbox-port': INTERPRETER_PORT,
    ...(token === '' ? {} : { 'x-access-token': token }),
    ...(traffic === '' ? {} : { 'e2b-traffic-access-token': traffic }),
  }
  return {
    ...post('/execute', { code, language }),
    origin: 'machine',
    anonymous: true,
    runsProgram: true,
    headers,
  }
}

/**
 * Python code that runs a shell command. Uses files instead of pipes, so that it does not wait for
 * background processes.
 */
function wrapped(command: string, seconds: number): string {
  return [
    'def __tollgate():',
    '    import base64, json, os, subprocess, tempfile',
    '    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:',
    '        try:',
    `            code = subprocess.run(["/bin/bash", "-l", "-c", base64.b64decode("${Buffer.from(command).toString('base64')}").decode()], stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=os.path.expanduser("~"), timeout=${seconds}).returncode`,
    '        except subprocess.TimeoutExpired:',
    `            code = ${TIMED_OUT}`,
    '        out.seek(0); err.seek(0)',
    `        print(${JSON.stringify(MARK)} + json.dumps({"stdout": out.read(${MOST_BYTES}).decode(errors="replace"), "stderr": err.read(${MOST_BYTES}).decode(errors="replace"), "code": code}))`,
    '__tollgate()',
  ].join('\n')
}

function commandOutput(reply: Reply): ProgramOutput {
  const { stdout, stderr } = codeOutput(linesOf(reply))
  const result = stdout.slice(stdout.indexOf(MARK) + MARK.length)
  const [line] = linesOf({ body: result })
  const code = field(line, 'code')
  if (!stdout.includes(MARK) || typeof code !== 'number')
    throw new AppError(
      'upstream_error',
      `The machine could not run the command.${stderr === '' ? '' : ` ${stderr.slice(0, 200)}`}`,
    )
  // Ended by a signal: converted to a shell's exit code.
  return {
    stdout: textField(line, 'stdout'),
    stderr: textField(line, 'stderr'),
    exitCode: code < 0 ? 128 - code : code,
  }
}

function codeOutput(lines: readonly unknown[]): ProgramOutput {
  const of = (type: string): unknown[] => lines.filter((line) => field(line, 'type') === type)
  const texts = (type: string): string =>
    of(type)
      .map((line) => textField(line, 'text'))
      .join('')
  const result = of('result').find((line) => field(line, 'is_main_result') === true)
  const errors = of('error')
  const stdout = texts('stdout') + (result === undefined ? '' : textField(result, 'text'))
  return {
    stdout,
    stderr: texts('stderr') + errors.map((line) => textField(line, 'traceback')).join(''),
    exitCode: errors.length > 0 ? 1 : 0,
  }
}
