/** The way by which an action is performed. */
export type LaneName = 'vendor' | 'in-house' | 'wallet'

/** `lanes`: every way there is; `live`: the one that answers on this gateway now, or null (calls answer 503). */
export type LaneStatus = { readonly live: LaneName | null; readonly lanes: readonly string[] }

/** Of a passthrough with an `endpoint`: of that path alone, else of whichever path can be answered. */
export type LaneOf = (service: string, action: string, endpoint?: string) => LaneStatus
