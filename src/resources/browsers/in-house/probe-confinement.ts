import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { bubblewrapProbe } from './bubblewrap.ts'
import { takeBrowserUser } from './browser-users.ts'

const TIMEOUT_MS = 10_000

/**
 * Null if this machine can confine a browser and supports Chromium's own sandbox within; otherwise the
 * reason.
 */
export async function probeConfinement(
  bubblewrap: string,
  canChangeUser: boolean,
): Promise<string | null> {
  const user = takeBrowserUser(canChangeUser)
  try {
    await promisify(execFile)(bubblewrap, bubblewrapProbe(user.id), {
      timeout: TIMEOUT_MS,
      env: {},
    })
    return null
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string }
    return (stderr.trim() === '' ? message : stderr.trim()).split('\n')[0] ?? message
  } finally {
    user.release()
  }
}
