/** How the gateway performs an action. */
export type LaneName = 'vendor' | 'in-house' | 'wallet'

/**
 * `lanes` are the possible lanes. `live` is the one in use on this gateway, or null: calls answer
 * 503. `note` is a limit of the live lane on this gateway.
 */
export type LaneStatus = {
  readonly live: LaneName | null
  readonly lanes: readonly string[]
  readonly note?: string
}

/**
 * With `endpoint` of a passthrough: the status of that path, otherwise of any path that is live.
 */
export type LaneOf = (service: string, action: string, endpoint?: string) => LaneStatus
