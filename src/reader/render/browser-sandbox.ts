import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { BROWSER_USER_ID, isRoot } from './browser-user-id.ts'

/** `unknown`: the programs for the check are missing; the first page will show it. */
export type SandboxSupport = 'usable' | 'refused' | 'unknown'

/** Advice for the operator in messages. */
export const SANDBOX_ADVICE =
  'Allow unprivileged user namespaces to this process (docs/operating.md, "The browser\'s sandbox"), or accept the risk with ALLOW_UNSANDBOXED_BROWSER=true.'

const PROBE_TIMEOUT_MS = 5_000
/** The namespaces of Chromium's sandbox. */
const NAMESPACES = ['unshare', '--user', '--map-root-user', '--pid', '--net', '--fork', 'true']

/** Checks whether the system supports the browser's sandbox, without starting a browser. */
export async function probeSandbox(searchPath: string): Promise<SandboxSupport> {
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
      env: searchPath === '' ? {} : { PATH: searchPath },
    })
    return 'usable'
  } catch (error) {
    // 127: setpriv did not find the program.
    const { code } = error as { code?: string | number }
    return code === 'ENOENT' || code === 127 ? 'unknown' : 'refused'
  }
}
