import type { Logger } from 'pino'
import {
  probeSandbox,
  SANDBOX_ADVICE,
  type SandboxSupport,
} from '../../reader/render/browser-sandbox.ts'
import { BROWSER_USER_ID, isRoot } from '../../reader/render/browser-user-id.ts'
import type { Config } from '../settings/config.ts'

/** Logs at startup how the browser will run, before the first page needs it. */
export async function logSandbox(
  logger: Pick<Logger, 'info' | 'warn'>,
  { allowUnsandboxedBrowser, searchPath }: Pick<Config, 'allowUnsandboxedBrowser' | 'searchPath'>,
  probe: (searchPath: string) => Promise<SandboxSupport> = probeSandbox,
): Promise<void> {
  const support = await probe(searchPath)
  if (support === 'refused' && allowUnsandboxedBrowser)
    logger.warn(
      'the browser runs WITHOUT its sandbox, as ALLOW_UNSANDBOXED_BROWSER allows: a page that exploits a bug in Chromium gets the rights of its process',
    )
  else if (support === 'refused')
    logger.warn(
      `pages are not rendered in-house: this system does not support the browser's sandbox. ${SANDBOX_ADVICE}`,
    )
  else if (support === 'usable')
    logger.info(
      `the browser runs with its sandbox${isRoot() ? `, as user ${BROWSER_USER_ID} and not as root` : ''}`,
    )
}
