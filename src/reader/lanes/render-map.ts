import type { MapSite } from '../fetch/map.ts'
import type { MappedLink } from '../fetch/map-collection.ts'
import { missReply, type MissReply } from './miss-reply.ts'
import type { LaneCall, LaneInput } from './lane-call.ts'

export type MapReply = { success: true; links: MappedLink[] } | MissReply
export type Render2MapReply = { success: true; data: { links: string[] } } | MissReply

const DEFAULT_LIMIT = 1_000

/** The reply of `render/map`, made in-house. Throws AppError as `missReply` does. */
export function createRenderMap({ mapSite }: { mapSite: MapSite }) {
  return async function renderMap(
    input: LaneInput,
    { signal, timeoutMs }: LaneCall,
  ): Promise<MapReply> {
    const search =
      typeof input['search'] === 'string' && input['search'].trim() !== ''
        ? input['search']
        : undefined
    const limit = typeof input['limit'] === 'number' ? input['limit'] : DEFAULT_LIMIT
    const map = await mapSite({ url: String(input['url']), search, limit, signal, timeoutMs })
    return map.kind === 'failed' ? missReply(map) : { success: true, links: map.links }
  }
}

/** The reply of `render2/map`, made in-house. Throws AppError as `missReply` does. */
export function createRender2Map({ mapSite }: { mapSite: MapSite }) {
  return async function render2Map(
    input: LaneInput,
    { signal, timeoutMs }: LaneCall,
  ): Promise<Render2MapReply> {
    const map = await mapSite({
      url: String(input['url']),
      limit: DEFAULT_LIMIT,
      signal,
      timeoutMs,
    })
    return map.kind === 'failed'
      ? missReply(map)
      : { success: true, data: { links: map.links.map(({ url }) => url) } }
  }
}
