import { listLiveActions, type LiveMeans } from '../../../app/wiring/in-house/live-actions.ts'
import type { Config } from '../../../app/settings/config.ts'
import { ok, type Check } from './check.ts'

/** The number of actions that live keys can call. */
export function checkLiveActions(config: Config, means: LiveMeans): Check {
  const { live, off } = listLiveActions(config, means)
  return ok('actions', `${live.length} of ${live.length + off.length} actions are live`)
}
