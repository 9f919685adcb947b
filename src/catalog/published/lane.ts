/** How the gateway performs an action. */
export type LaneName = 'vendor' | 'in-house' | 'wallet'

/**
 * `lanes` are the possible lanes. `live` is the one in use on this gateway, or null: calls answer
 * 503. `note` is a limit of the live lane on this gateway. `gone`: the vendor no longer offers it; of
 * a passthrough, at least one path.
 */
export type LaneStatus = {
  readonly live: LaneName | null
  readonly lanes: readonly string[]
  readonly note?: string
  readonly gone?: true
}

/**
 * With `variant`, a path of a passthrough or a media model: its status, otherwise that of any that
 * is live.
 */
export type LaneOf = (service: string, action: string, variant?: string) => LaneStatus
