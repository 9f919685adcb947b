import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { StartError } from '../errors/start-error.ts'
import type { UpstreamSettings } from '../calls/places.ts'
import { modeOfSecret } from '../keys/format.ts'
import { readCardSettings, type CardSettings } from './card-settings.ts'
import { readPaySettings, type PaySettings } from './pay-settings.ts'
import { readPeopleSettings, type PeopleSettings } from './people-settings.ts'
import { readSellSettings, type SellSettings } from './sell-settings.ts'
import { readRouterSettings, type RouterSettings } from './router-settings.ts'
import type { S3Settings } from '../resources/files/drivers/s3.ts'

export type Config = {
  readonly host: string
  readonly port: number
  /** Where a worker tells how it is; null: nowhere. */
  readonly workPort: number | null
  /** Without a trailing slash. */
  readonly publicUrl: string
  readonly dataDir: string
  /** Null: the embedded PostgreSQL under `dataDir`. */
  readonly databaseUrl: string | null
  /** Null: files on disk under `dataDir`. */
  readonly s3: S3Settings | null
  readonly logLevel: (typeof LOG_LEVELS)[number]
  readonly ownerKey: string | null
  readonly allowPrivateNetworks: readonly string[]
  /** Networks of the proxies before this gateway, whose word for a visitor's address counts. */
  readonly trustedProxies: readonly string[]
  readonly userAgent: string
  readonly respectRobots: boolean
  /** Jobs that a process works on side by side. */
  readonly jobConcurrency: number
  readonly browserConcurrency: number
  /** The program that makes videos; null: the packaged one, or one in PATH. */
  readonly ffmpegPath: string | null
  readonly searchPath: string
  readonly rateLimitPerMinute: number
  /** Whoever sends it may read /metrics; null: nobody may. */
  readonly metricsToken: string | null
  readonly upstreams: ReadonlyMap<string, UpstreamSettings>
  readonly router: RouterSettings
  readonly pay: PaySettings
  readonly sell: SellSettings
  /** Null: credit is not sold by card. */
  readonly cards: CardSettings | null
  readonly people: PeopleSettings
}

type Environment = Readonly<Record<string, string | undefined>>

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const LEAST_TOKEN_CHARACTERS = 16
const DEFAULT_USER_AGENT = 'Mozilla/5.0 (compatible; Tollgate/0.1; +https://github.com/tollgate)'

/** Reads the environment once, at start. Throws StartError that names the variable and what it takes. */
export function loadConfig(environment: Environment): Config {
  const read = reader(environment)
  const host = read.text('HOST', '127.0.0.1')
  const port = read.integer('PORT', 4020, 0, 65_535)
  const upstreams = readUpstreams(environment)
  return {
    host,
    port,
    workPort: read.text('WORK_PORT', '') === '' ? null : read.integer('WORK_PORT', 0, 0, 65_535),
    publicUrl: read.baseUrl('PUBLIC_URL', localUrl({ host, port })),
    dataDir: resolve(read.text('DATA_DIR', '.tollgate')),
    databaseUrl: read.postgresUrl('DATABASE_URL'),
    s3: readS3(environment, read),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    ownerKey: read.liveKey('TOLLGATE_OWNER_KEY'),
    allowPrivateNetworks: read.networks('ALLOW_PRIVATE_NETWORKS'),
    trustedProxies: read.networks('TRUSTED_PROXIES'),
    userAgent: read.text('USER_AGENT', DEFAULT_USER_AGENT),
    respectRobots: read.oneOf('RESPECT_ROBOTS', ['true', 'false'], 'false') === 'true',
    jobConcurrency: read.integer('JOB_CONCURRENCY', 8, 1, 256),
    browserConcurrency: read.integer('BROWSER_CONCURRENCY', 3, 1, 64),
    ffmpegPath: read.text('FFMPEG_PATH', '') || null,
    searchPath: environment['PATH'] ?? '',
    rateLimitPerMinute: read.integer('RATE_LIMIT_PER_MINUTE', 600_000, 1, 1_000_000_000),
    metricsToken: read.token('METRICS_TOKEN'),
    upstreams,
    pay: readPaySettings(environment, read),
    sell: readSellSettings(read),
    cards: readCardSettings(read),
    people: readPeopleSettings(read),
    router: readRouterSettings(upstreams, read.text('ROUTER_CONFIG', '')),
  }
}

/** Where a gateway that listens so is reached on its own machine. */
export function localUrl({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** Copy of the configuration for a server that was given its port by the system. */
export function withPort(config: Config, port: number): Config {
  return config.port === port ? config : { ...config, port, publicUrl: config.publicUrl.replace(/:0$/, `:${port}`) }
}

function reader(environment: Environment) {
  const value = (name: string): string | undefined => {
    const text = environment[name]?.trim()
    return text === '' ? undefined : text
  }
  const url = (name: string, fallback: string): string => {
    const text = value(name)
    if (text === undefined) return fallback
    if (!isWebUrl(text)) throw notAnAddress(name, text)
    return text.replace(/\/+$/, '')
  }
  return {
    text: (name: string, fallback: string): string => value(name) ?? fallback,
    integer(name: string, fallback: number, least: number, most: number): number {
      const text = value(name)
      if (text === undefined) return fallback
      const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      if (!(number >= least && number <= most)) throw nonsense(name, text, `a whole number from ${least} to ${most}`)
      return number
    },
    oneOf<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice {
      const text = value(name)
      if (text === undefined) return fallback
      const choice = choices.find((candidate) => candidate === text)
      if (choice === undefined) throw nonsense(name, text, `one of ${choices.join(', ')}`)
      return choice
    },
    url,
    /** An address that paths are put behind, and that others may see. */
    baseUrl(name: string, fallback: string): string {
      const text = url(name, fallback)
      // Never repeated in the message: it may hold a password.
      const { username, password } = URL.parse(text) ?? { username: '', password: '' }
      if (/[?#]/.test(text) || username !== '' || password !== '') throw new StartError(`${name} is not understood: it must be an address without a user name, a password, "?" and "#".`)
      return text
    },
    postgresUrl(name: string): string | null {
      const text = value(name)
      if (text === undefined) return null
      // Never repeated in the message: it may hold a password.
      if (!/^postgres(ql)?:\/\//.test(text) || URL.parse(text) === null) throw new StartError(`${name} is not understood: it must look like postgres://user:password@host:5432/database.`)
      // To pg they are the same, and it writes six lines of warning about the others, for programmers, with every command.
      return text.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
    },
    liveKey(name: string): string | null {
      const text = value(name)
      if (text === undefined) return null
      // Never repeated in the message: it may be a real key with a slip.
      if (modeOfSecret(text) !== 'live') throw new StartError(`${name} is not a well-formed live key. "./tollgate keygen" makes one.`)
      return text
    },
    token(name: string): string | null {
      const text = value(name)
      if (text === undefined) return null
      // Never repeated in the message: it is a secret, if a short one. Other characters could not be sent in a header.
      if (text.length < LEAST_TOKEN_CHARACTERS || !/^[\x21-\x7e]+$/.test(text)) throw new StartError(`${name} must be at least ${LEAST_TOKEN_CHARACTERS} characters of ASCII without spaces: it is all that keeps the figures of this gateway from others. "openssl rand -hex 24" makes one.`)
      return text
    },
    networks(name: string): string[] {
      const networks = (value(name) ?? '').split(',').map((part) => part.trim()).filter((part) => part !== '')
      for (const network of networks) if (!ipaddr.isValidCIDR(network)) throw nonsense(name, network, 'a comma-separated list of networks such as 127.0.0.0/8,10.0.0.0/8')
      return networks
    },
  }
}

const S3_VARIABLES = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

/** All of the store's settings or none; the region may be left out. */
function readS3(environment: Environment, read: ReturnType<typeof reader>): S3Settings | null {
  const isSet = (name: string): boolean => (environment[name]?.trim() ?? '') !== ''
  if (![...S3_VARIABLES, 'S3_REGION'].some(isSet)) return null
  const missing = S3_VARIABLES.filter((name) => !isSet(name))
  if (missing.length > 0) throw new StartError(`${missing.join(', ')} must be set too: files go to an S3-compatible store when all of ${S3_VARIABLES.join(', ')} are set, and to the disk when none is.`)
  const bucket = read.text('S3_BUCKET', '')
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) throw nonsense('S3_BUCKET', bucket, 'the name of a bucket')
  return { endpoint: read.baseUrl('S3_ENDPOINT', ''), bucket, region: read.text('S3_REGION', 'us-east-1'), accessKeyId: read.text('S3_ACCESS_KEY_ID', ''), secretAccessKey: read.text('S3_SECRET_ACCESS_KEY', '') }
}

const UPSTREAM_VARIABLE = /^UPSTREAM_([A-Z][A-Z0-9]*(?:_[A-D])?)_([A-Z][A-Z0-9_]*)$/

/** UPSTREAM_<LABEL>_KEY, UPSTREAM_<LABEL>_<NAME> and UPSTREAM_<LABEL>_URL; a label is a service in capitals, "-" as "_". */
function readUpstreams(environment: Environment): Map<string, UpstreamSettings> {
  const upstreams = new Map<string, { url: string | null; credentials: Record<string, string> }>()
  for (const [variable, raw] of Object.entries(environment)) {
    const match = UPSTREAM_VARIABLE.exec(variable)
    const text = raw?.trim()
    if (match === null || text === undefined || text === '') continue
    const label = (match[1] ?? '').toLowerCase().replaceAll('_', '-')
    const name = match[2] ?? ''
    const settings = upstreams.get(label) ?? { url: null, credentials: {} }
    upstreams.set(label, settings)
    // Never repeated in the message: it is a secret.
    if (/\p{Cc}/u.test(text)) throw new StartError(`${variable} holds a line break or another control character. Set it to one line.`)
    if (name !== 'URL') settings.credentials[name] = text
    else if (isWebUrl(text)) settings.url = text
    else throw notAnAddress(variable, text)
  }
  return upstreams
}

function isWebUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:')
}

/** What has an "@" may hold a password, and is not repeated. */
function notAnAddress(name: string, text: string): StartError {
  const wanted = 'an http or https address'
  return text.includes('@') ? new StartError(`${name} is not understood: it must be ${wanted}.`) : nonsense(name, text, wanted)
}

function nonsense(name: string, text: string, wanted: string): StartError {
  return new StartError(`${name}="${text}" is not understood: it must be ${wanted}.`)
}
