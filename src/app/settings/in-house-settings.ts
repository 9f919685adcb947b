import { totalmem } from 'node:os'
import { IN_HOUSE_PART_NAMES, type InHousePart } from './in-house-parts.ts'
import type { EgressProxy } from '../../upstream/proxies/egress-proxy.ts'
import type { Gpu } from '../../resources/boxes/gpus.ts'
import { readBoxGpus } from './box-gpus.ts'
import { readEgressProxies } from './egress-proxies.ts'
import { invalidSetting, type SettingsReader } from './settings-reader.ts'

const PRICES = ['list', 'zero'] as const
const BOX_NETWORKS = ['none', 'guarded'] as const

export type InHouseSettings = {
  /** Null when IN_HOUSE is not set: `npm start` then enables all that work here. */
  readonly parts: readonly InHousePart[] | null
  /** The most that a Git repository may contain, in megabytes. */
  readonly repositoryMegabytes: number
  /** `zero`: actions of this machine charge nothing. */
  readonly prices: (typeof PRICES)[number]
  /** The operator's proxies for page readers. */
  readonly proxies: readonly EgressProxy[]
  /** The operator's SearXNG, without a trailing slash; null for none. */
  readonly searxngUrl: string | null
  /** Requests to it for one account within an hour. */
  readonly searchesPerHour: number
  readonly boxes: BoxSettings
  /** Browser sessions that one process runs concurrently. */
  readonly browserSessions: number
  /** The memory of one browser session, in megabytes. */
  readonly browserMegabytes: number
}

/** Limits of sandboxes and compute sessions on this machine. */
export type BoxSettings = {
  /** The most that are open on this machine, and for one account. */
  readonly most: number
  readonly mostPerAccount: number
  /** Of one sandbox or session. */
  readonly memoryMegabytes: number
  readonly diskMegabytes: number
  /** Of all snapshots on this machine. */
  readonly snapshotMegabytes: number
  /** Images of the local store of Podman that sandboxes can use. */
  readonly images: readonly string[]
  /** The GPUs that sandboxes can have. */
  readonly gpus: readonly Gpu[]
  /** `guarded`: boxes reach public hosts through a proxy with the guard. */
  readonly network: (typeof BOX_NETWORKS)[number]
  /** The most that one box sends and receives together. */
  readonly trafficMegabytes: number
  /** Start boxes also if the machine cannot limit them. */
  readonly isUnlimited: boolean
}

/** IN_HOUSE (a list such as "git", or "none") and the settings of its parts. Throws StartError. */
export function readInHouseSettings(read: SettingsReader): InHouseSettings {
  return {
    parts: partsOf(read.text('IN_HOUSE', '')),
    repositoryMegabytes: read.integer('GIT_REPOSITORY_MB', 500, 1, 1_000_000),
    prices: read.oneOf('IN_HOUSE_PRICES', PRICES, 'list'),
    proxies: readEgressProxies(read.text('EGRESS_PROXIES', '')),
    searxngUrl: read.url('SEARXNG_URL', '') || null,
    searchesPerHour: read.integer('SEARXNG_PER_HOUR', 600, 1, 100_000),
    boxes: readBoxSettings(read),
    browserSessions: read.integer('BROWSER_SESSION_LIMIT', 4, 1, 1_000),
    browserMegabytes: read.integer('BROWSER_SESSION_MB', 1_500, 256, 1_000_000),
  }
}

/** Half of the memory of the machine, by default. */
function readBoxSettings(read: SettingsReader): BoxSettings {
  const memoryMegabytes = read.integer('BOX_MEMORY_MB', 1024, 64, 1_000_000)
  const half = Math.floor(totalmem() / 2 / 1024 / 1024 / memoryMegabytes)
  const most = read.integer('BOX_MAX', Math.min(64, Math.max(1, half)), 1, 10_000)
  return {
    most,
    mostPerAccount: read.integer(
      'BOX_MAX_PER_ACCOUNT',
      Math.max(1, Math.floor(most / 2)),
      1,
      10_000,
    ),
    memoryMegabytes,
    diskMegabytes: read.integer('BOX_DISK_MB', 512, 16, 1_000_000),
    snapshotMegabytes: read.integer('BOX_SNAPSHOTS_MB', 5120, 1, 10_000_000),
    images: listOf(read.text('BOX_IMAGES', '')),
    gpus: readBoxGpus(read.text('BOX_GPUS', '')),
    network: read.oneOf('BOX_NETWORK', BOX_NETWORKS, 'none'),
    trafficMegabytes: read.integer('BOX_TRAFFIC_MB', 1024, 1, 1_000_000),
    isUnlimited: read.oneOf('BOX_UNLIMITED', ['true', 'false'], 'false') === 'true',
  }
}

function listOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** Whether the operator enabled the part. `isDefault`: the process enables parts that are not set, as `npm start` does. */
export function isPartEnabled(
  { parts }: Pick<InHouseSettings, 'parts'>,
  part: InHousePart,
  isDefault: boolean,
): boolean {
  return parts === null ? isDefault : parts.includes(part)
}

function partsOf(text: string): readonly InHousePart[] | null {
  if (text === '') return null
  if (text === 'none') return []
  return text.split(',').map((word) => {
    const part = IN_HOUSE_PART_NAMES.find((candidate) => candidate === word.trim())
    if (part === undefined)
      throw invalidSetting(
        'IN_HOUSE',
        text,
        `"none", or a list of ${IN_HOUSE_PART_NAMES.join(', ')}`,
      )
    return part
  })
}
