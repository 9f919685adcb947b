import { resolve } from 'node:path'
import { hostsOf } from '../../db/hosts.ts'
import { StartError } from '../../errors/start-error.ts'
import type { UpstreamSettings } from '../../calls/lanes/endpoints.ts'
import { CALL_LOG_DAYS } from '../../history/log/log-partitions.ts'
import { modeOfSecret } from '../../keys/format.ts'
import { readCardSettings, type CardSettings } from './card-settings.ts'
import { readCountCaps, type CountCap } from './count-caps.ts'
import { readInHouseSettings, type InHouseSettings } from './in-house-settings.ts'
import { misspelledSettings, type Misspelled } from './misspelled-settings.ts'
import { readMailSettings, type MailSettings } from './mail-settings.ts'
import { readPaySettings, type PaySettings } from './pay-settings.ts'
import { readAuthSettings, type AuthSettings } from './auth-settings.ts'
import { describeSettings } from './describe-settings.ts'
import { readSellSettings, type SellSettings } from './sell-settings.ts'
import { readRouterSettings, type RouterSettings } from './router-settings.ts'
import { readS3Settings } from './s3-settings.ts'
import { settingsReader, withFileNames, type Environment } from './settings-reader.ts'
import { readUpstreamSettings } from './upstream-settings.ts'
import type { SettingLine } from '../../operate/operate-deps.ts'
import type { S3Settings } from '../../resources/files/drivers/s3.ts'

export type Config = {
  readonly host: string
  readonly port: number
  /** Port for a worker's health checks; null for none. */
  readonly workPort: number | null
  /** Without a trailing slash. */
  readonly publicUrl: string
  readonly dataDir: string
  /** Null for the embedded PostgreSQL under `dataDir`. */
  readonly databaseUrl: string | null
  /** Null for files on disk under `dataDir`. */
  readonly s3: S3Settings | null
  readonly logLevel: (typeof LOG_LEVELS)[number]
  readonly ownerKey: string | null
  readonly allowPrivateNetworks: readonly string[]
  /** Networks of trusted proxies, which may report a visitor's address. */
  readonly trustedProxies: readonly string[]
  readonly userAgent: string
  readonly respectRobots: boolean
  /** Concurrent jobs per process. */
  readonly jobConcurrency: number
  readonly browserConcurrency: number
  /** Render pages without Chromium's sandbox where the system does not support it. */
  readonly allowUnsandboxedBrowser: boolean
  /** Path of ffmpeg; null for the packaged one or the one in PATH. */
  readonly chromiumPath: string | null
  readonly ffmpegPath: string | null
  readonly searchPath: string
  readonly inHouse: InHouseSettings
  /** Lower maximums of parameters, by action. */
  readonly countCaps: readonly CountCap[]
  /** Of the inboxes of this gateway. */
  readonly mail: MailSettings
  readonly rateLimitPerMinute: number
  /** Days for which calls without a charge, and stored bodies, are logged. */
  readonly callLogDays: number
  /** Calls over MCP that may cost more ask the person first. 0 asks never. */
  readonly mcpConfirmAboveCents: number
  /** Bearer token for /metrics; null turns metrics off. */
  readonly metricsToken: string | null
  readonly upstreams: ReadonlyMap<string, UpstreamSettings>
  /** The folder of the operator's own actions; null for none. */
  readonly actionsDir: string | null
  /** The file with the operator's prices; null for none. */
  readonly pricesFile: string | null
  readonly router: RouterSettings
  readonly pay: PaySettings
  readonly sell: SellSettings
  /** Null when credit is not sold by card. */
  readonly cards: CardSettings | null
  readonly people: AuthSettings
  /** Seals vendor keys that the operator console stores; null for none. */
  readonly vendorKeysSecret: string | null
  /** The settings in effect, without their secrets. */
  readonly settings: readonly SettingLine[]
  /** Variables that are set, are not settings, and probably were meant to be. */
  readonly mistyped: readonly Misspelled[]
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const TLS_PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation', 'ssl']
const TLS_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']
const LEAST_TOKEN_CHARACTERS = 16
const LEAST_SEALING_CHARACTERS = 32
const DEFAULT_USER_AGENT = 'Mozilla/5.0 (compatible; Tollgate/0.1)'

/** Reads the environment once, at startup. Throws StartError with the variable and its valid values. */
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
    chromiumPath: read.text('CHROMIUM_PATH', '') || null,
    ffmpegPath: read.text('FFMPEG_PATH', '') || null,
    searchPath: environment['PATH'] ?? '',
    inHouse: readInHouseSettings(read),
    countCaps: readCountCaps(read.text('COUNT_CAPS', '')),
    mail: readMailSettings(read),
    callLogDays: read.integer('CALL_LOG_DAYS', CALL_LOG_DAYS, 1, 90),
    rateLimitPerMinute: read.integer('RATE_LIMIT_PER_MINUTE', 600_000, 1, 1_000_000_000),
    mcpConfirmAboveCents: read.integer('MCP_CONFIRM_ABOVE_CENTS', 0, 0, 1_000_000),
    vendorKeysSecret: vendorKeysSecretOf(read.text('VENDOR_KEYS_SECRET', '')),
    metricsToken: metricsTokenOf(read.text('METRICS_TOKEN', '')),
    upstreams,
    actionsDir: pathOf(read.text('ACTIONS_DIR', '')),
    pricesFile: pathOf(read.text('PRICES_FILE', '')),
    pay: readPaySettings(read),
    sell: readSellSettings(read),
    cards: readCardSettings(read),
    people: readAuthSettings(read),
    router: readRouterSettings(upstreams, {
      file: read.text('ROUTER_CONFIG', ''),
      extraFields: read.text('ROUTER_EXTRA_FIELDS', ''),
    }),
  }
  // Last, when all settings have been read.
  return {
    ...config,
    settings: describeSettings(environment, read.defaults()),
    mistyped: misspelledSettings(environment, withFileNames(read.names())),
  }
}

/** The URL of a listening gateway on its own machine. */
export function localUrl({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const name =
    host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** A copy of the configuration for a server whose port was chosen by the system. */
export function withPort(config: Config, port: number): Config {
  return config.port === port
    ? config
    : { ...config, port, publicUrl: config.publicUrl.replace(/:0$/, `:${port}`) }
}

function pathOf(text: string): string | null {
  return text === '' ? null : resolve(text)
}

function databaseUrlOf(text: string): string | null {
  if (text === '') return null
  // Never repeated in the message: it may hold a password.
  for (const url of hostsOf(text)) refuseUnknownTls(new URLSearchParams(url.split('?')[1]))
  // pg treats them alike, but prints six lines of warning for the others with every command.
  return text.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}

// pg ignores unknown parameters and would send the password unencrypted.
function refuseUnknownTls(parameters: URLSearchParams): void {
  for (const [name, value] of parameters) {
    if (/^ssl/i.test(name) && !TLS_PARAMETERS.includes(name))
      throw new StartError(
        `DATABASE_URL has an unknown parameter "${name}". The TLS parameters are ${TLS_PARAMETERS.join(', ')}.`,
      )
    if (name === 'sslmode' && !TLS_MODES.includes(value))
      throw new StartError(
        `DATABASE_URL has an unknown sslmode="${value}". Use one of ${TLS_MODES.join(', ')}.`,
      )
  }
}

function ownerKeyOf(text: string): string | null {
  if (text === '') return null
  // Never repeated in the message: it may be a real key with a typo.
  if (modeOfSecret(text) !== 'live')
    throw new StartError(
      'TOLLGATE_OWNER_KEY is not a well-formed live key. Create one with "./tollgate keygen".',
    )
  return text
}

function vendorKeysSecretOf(text: string): string | null {
  if (text === '') return null
  // Never repeated in the message: it is a secret.
  if (text.length < LEAST_SEALING_CHARACTERS)
    throw new StartError(
      `VENDOR_KEYS_SECRET must have at least ${LEAST_SEALING_CHARACTERS} characters. Create one with "openssl rand -hex 32".`,
    )
  return text
}

function metricsTokenOf(text: string): string | null {
  if (text === '') return null
  // Never repeated in the message: it is a secret, even if a short one. Other characters cannot be sent in a header.
  if (text.length < LEAST_TOKEN_CHARACTERS || !/^[\x21-\x7e]+$/.test(text))
    throw new StartError(
      `METRICS_TOKEN must be at least ${LEAST_TOKEN_CHARACTERS} ASCII characters without spaces: it alone protects the metrics. Create one with "openssl rand -hex 24".`,
    )
  return text
}
