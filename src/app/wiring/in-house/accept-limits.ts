import type { Logger } from 'pino'
import type { ControlGroups } from '../../../lib/machine/control-groups.ts'
import { ESSENTIAL, missingLimits } from '../../../resources/boxes/isolation/choose-isolation.ts'

export type WarningLogger = Pick<Logger, 'warn'>

/**
 * Whether boxes may start with the limits that this machine can set. `isAsked`: the operator named
 * them in IN_HOUSE. `isUnlimited`: BOX_UNLIMITED. Logs what is missing for boxes that were named.
 */
export function acceptLimits(
  groups: Pick<ControlGroups, 'controllers'>,
  isAsked: boolean,
  isUnlimited: boolean,
  logger: WarningLogger,
): boolean {
  const missing = missingLimits(groups)
  if (missing.length === 0) return true
  if (!isAsked) return false
  const isAccepted = isUnlimited || missingLimits(groups, ESSENTIAL).length === 0
  logger.warn(
    { missing },
    isAccepted
      ? 'sandboxes, sessions and media run without all limits: one caller can slow down or stop this machine'
      : 'sandboxes, sessions and media are off: this machine cannot limit them. Let the gateway write its control groups (Delegate=yes in its service file), or accept the risk with BOX_UNLIMITED=true',
  )
  return isAccepted
}
