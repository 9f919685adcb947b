import { resolve } from 'node:path'
import { hostsOf } from '../../db/hosts.ts'
import { StartError } from '../../errors/start-error.ts'
import type { UpstreamSettings } from '../../calls/places.ts'
import { modeOfSecret } from '../../keys/format.ts'
import { readCardSettings, type CardSettings } from './card-settings.ts'
import { mistypedSettings, type Mistyped } from './mistyped-settings.ts'
import { readPaySettings, type PaySettings } from './pay-settings.ts'
import { readPeopleSettings, type PeopleSettings } from './people-settings.ts'
import { readSellSettings, type SellSettings } from './sell-settings.ts'
import { readRouterSettings, type RouterSettings } from './router-settings.ts'
import { readS3Settings } from './s3-settings.ts'
import { settingsReader, withFileNames, type Environment } from './settings-reader.ts'
import { readUpstreamSettings } from './upstream-settings.ts'
import type { S3Settings } from '../../resources/files/drivers/s3.ts'

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
  /** Pages are rendered without Chromium's sandbox where the system gives it none. */
  readonly allowUnsandboxedBrowser: boolean
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
  /** What is set, read by nobody, and was probably meant to be a setting. */
  readonly mistyped: readonly Mistyped[]
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const TLS_PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation', 'ssl']
const TLS_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']
const LEAST_TOKEN_CHARACTERS = 16
const DEFAULT_USER_AGENT = 'Mozilla/5.0 (compatible; Tollgate/0.1; +https://github.com/tollgate)'

/** Reads the environment once, at start. Throws StartError that names the variable and what it takes. */
export function loadConfig(environment: Environment): Config {
  const read = settingsReader(environment)
  const host = read.text('HOST', '127.0.0.1')
  const port = read.integer('PORT', 4020, 0, 65_535)
  const upstreams = readUpstreamSettings(environment)
  const config = {
    host,
    port,
    workPort: read.text('WORK_PORT', '') === '' ? null : read.integer('WORK_PORT', 0, 0, 65_535),
    publicUrl: read.baseUrl('PUBLIC_URL', localUrl({ host, port })),
    dataDir: resolve(read.text('DATA_DIR', '.tollgate')),
    databaseUrl: databaseUrlOf(read.text('DATABASE_URL', '')),
    s3: readS3Settings(read),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    ownerKey: ownerKeyOf(read.text('TOLLGATE_OWNER_KEY', '')),
    allowPrivateNetworks: read.networks('ALLOW_PRIVATE_NETWORKS'),
    trustedProxies: read.networks('TRUSTED_PROXIES'),
    userAgent: read.text('USER_AGENT', DEFAULT_USER_AGENT),
    respectRobots: read.oneOf('RESPECT_ROBOTS', ['true', 'false'], 'false') === 'true',
    jobConcurrency: read.integer('JOB_CONCURRENCY', 8, 1, 256),
    browserConcurrency: read.integer('BROWSER_CONCURRENCY', 3, 1, 64),
    allowUnsandboxedBrowser:
      read.oneOf('ALLOW_UNSANDBOXED_BROWSER', ['true', 'false'], 'false') === 'true',
    ffmpegPath: read.text('FFMPEG_PATH', '') || null,
    searchPath: environment['PATH'] ?? '',
    rateLimitPerMinute: read.integer('RATE_LIMIT_PER_MINUTE', 600_000, 1, 1_000_000_000),
    metricsToken: metricsTokenOf(read.text('METRICS_TOKEN', '')),
    upstreams,
    pay: readPaySettings(read),
    sell: readSellSettings(read),
    cards: readCardSettings(read),
    people: readPeopleSettings(read),
    router: readRouterSettings(upstreams, {
      file: read.text('ROUTER_CONFIG', ''),
      extraFields: read.text('ROUTER_EXTRA_FIELDS', ''),
    }),
  }
  // Last, when all have been read.
  return { ...config, mistyped: mistypedSettings(environment, withFileNames(read.names())) }
}

/** Where a gateway that listens so is reached on its own machine. */
export function localUrl({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const name =
    host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** Copy of the configuration for a server that was given its port by the system. */
export function withPort(config: Config, port: number): Config {
  return config.port === port
    ? config
    : { ...config, port, publicUrl: config.publicUrl.replace(/:0$/, `:${port}`) }
}

function databaseUrlOf(text: string): string | null {
  if (text === '') return null
  // Never repeated in the message: it may hold a password.
  for (const url of hostsOf(text)) refuseUnknownTls(new URLSearchParams(url.split('?')[1]))
  // To pg they are the same, and it writes six lines of warning about the others, for programmers, with every command.
  return text.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}

// What pg does not know it leaves out, and the password goes over the network in the clear.
function refuseUnknownTls(parameters: URLSearchParams): void {
  for (const [name, value] of parameters) {
    if (/^ssl/i.test(name) && !TLS_PARAMETERS.includes(name))
      throw new StartError(
        `DATABASE_URL has a parameter "${name}" that is not known. Those that ask for TLS are ${TLS_PARAMETERS.join(', ')}.`,
      )
    if (name === 'sslmode' && !TLS_MODES.includes(value))
      throw new StartError(
        `DATABASE_URL has sslmode="${value}", which is not known. It takes ${TLS_MODES.join(', ')}.`,
      )
  }
}

function ownerKeyOf(text: string): string | null {
  if (text === '') return null
  // Never repeated in the message: it may be a real key with a slip.
  if (modeOfSecret(text) !== 'live')
    throw new StartError(
      'TOLLGATE_OWNER_KEY is not a well-formed live key. "./tollgate keygen" makes one.',
    )
  return text
}

function metricsTokenOf(text: string): string | null {
  if (text === '') return null
  // Never repeated in the message: it is a secret, if a short one. Other characters could not be sent in a header.
  if (text.length < LEAST_TOKEN_CHARACTERS || !/^[\x21-\x7e]+$/.test(text))
    throw new StartError(
      `METRICS_TOKEN must be at least ${LEAST_TOKEN_CHARACTERS} characters of ASCII without spaces: it is all that keeps the figures of this gateway from others. "openssl rand -hex 24" makes one.`,
    )
  return text
}
