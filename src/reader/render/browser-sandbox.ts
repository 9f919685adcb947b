import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { BROWSER_USER_ID, isRoot } from './browser-user.ts'

/** `unknown`: the system has not the programs that would show it; the first page will. */
export type SandboxSupport = 'usable' | 'refused' | 'unknown'

/** What an operator can do about it, for messages. */
export const SANDBOX_ADVICE =
  'Allow unprivileged user namespaces to this process (docs/operating.md, "The browser\'s sandbox"), or accept the risk with ALLOW_UNSANDBOXED_BROWSER=true.'

const PROBE_TIMEOUT_MS = 5_000
/** The namespaces that Chromium puts pages into. */
const NAMESPACES = ['unshare', '--user', '--map-root-user', '--pid', '--net', '--fork', 'true']

/** Whether this system gives the browser what its sandbox is made of. Starts no browser. */
export async function probeSandbox(): Promise<SandboxSupport> {
  const user = isRoot()
    ? [
        'setpriv',
        `--reuid=${BROWSER_USER_ID}`,
        `--regid=${BROWSER_USER_ID}`,
        '--clear-groups',
        '--',
      ]
    : []
  const [program = '', ...args] = [...user, ...NAMESPACES]
  try {
    await promisify(execFile)(program, args, {
      timeout: PROBE_TIMEOUT_MS,
      env: { PATH: process.env['PATH'] },
    })
    return 'usable'
  } catch (error) {
    // 127: setpriv did not find the other program.
    const { code } = error as { code?: string | number }
    return code === 'ENOENT' || code === 127 ? 'unknown' : 'refused'
  }
}
