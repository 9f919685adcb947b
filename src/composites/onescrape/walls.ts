import type { CallTools } from '../../catalog/vocabulary/handlers.ts'

const READERS_FOR_WALLS = [
  ['unblock', 'unblock'],
  ['proxy', 'scrape_residential'],
  ['render2', 'scrape'],
] as const

/** Whether core/onescrape-deep has a live reader that core/onescrape does not use. */
export function getsPastWalls({ isLive }: Pick<CallTools, 'isLive'>): boolean {
  return READERS_FOR_WALLS.some(([service, action]) => isLive(service, action))
}

export const NO_READER_FOR_WALLS =
  'this gateway has no reader for walls. Its operator can set up unblock and proxy.'
