import type { KeyVerdict } from './vendors/key-tests.ts'

/** A result of "./tollgate doctor". */
export type CheckResult = {
  readonly name: string
  readonly state: 'ok' | 'unchecked' | 'missing' | 'warning' | 'broken'
  readonly found: string
  readonly fix: string | null
}

export type CheckRun = { readonly results: readonly CheckResult[]; readonly atMs: number }

/** Facts about this process and its machine. */
export type GatewayFacts = {
  /** Null when the file system does not report it. In bytes. */
  readonly disk: { readonly free: number; readonly total: number } | null
  readonly dataDir: string
  /** `own`: "./tollgate backup" copies the database. `external`: the database is at DATABASE_URL. */
  readonly backups: 'own' | 'external'
  readonly mistyped: readonly { readonly name: string; readonly meant: string }[]
  /** The last run of the checks by this process; null without any. */
  readonly checks: CheckRun | null
  readonly version: string
  /** Major versions that the packaged browser is behind, if it needs an update; else 0. */
  readonly browserBehind: number
  readonly uptimeMs: number
  readonly openBreakers: readonly { readonly label: string; readonly count: number }[]
}

/** A setting in effect. `value`: null for a secret, whose ending is shown instead. */
export type SettingLine = {
  readonly name: string
  readonly value: string | null
  /** The last characters of a secret that is long enough to show them. */
  readonly ending: string | null
  readonly source: 'environment' | 'file' | 'default' | 'console'
}

/** A credential of a service. */
export type VendorKeyLine = {
  readonly credential: string
  readonly setting: string
  readonly ending: string | null
  readonly source: 'environment' | 'file' | 'console'
  /** Without a setting. */
  readonly isAdded: boolean
}

export type VendorLine = {
  readonly service: string
  readonly title: string
  readonly actions: number
  /** Actions that are live through each lane. */
  readonly lanes: Readonly<Record<'vendor' | 'wallet' | 'in-house', number>>
  readonly keys: readonly VendorKeyLine[]
  /** The credentials that the vendor needs and does not have. */
  readonly missing: readonly Pick<VendorKeyLine, 'credential' | 'setting'>[]
  /** Whether the vendor has a request that is free and needs the key. */
  readonly canTest: boolean
  /** The settings that set it up. */
  readonly settings: readonly string[]
  readonly docsUrl: string | null
}

export type TestedKey = { readonly verdict: KeyVerdict; readonly tookMs: number }

/** A vendor's announced end of a route or model that the gateway offers. */
export type EndLine = {
  readonly vendor: string
  readonly ends: string
  readonly atMs: number
  /** Whole days, rounded up; 0 when it is over. */
  readonly daysLeft: number
  readonly isOver: boolean
  readonly successor: string
  /** The URL of the announcement. */
  readonly source: string
  /** Actions, paths, tiers and services that depend on it. Never empty. */
  readonly usedBy: readonly string[]
  /** Whether this gateway has the key that they need, or they need none. */
  readonly isInUse: boolean
}

/** An action whose price is below the vendor's list price. */
export type BelowCostLine = {
  readonly action: string
  /** In dollars, per call. */
  readonly price: string
  /** The vendor's list price of the dearest call, in dollars. */
  readonly vendorPrice: string
  /** The parameter and its maximum, such as "limit 100"; null for a price per call. */
  readonly count: string | null
  readonly basis: string
  /** The URL of the vendor's prices. */
  readonly source: string
}

/** The operator console's access to the settings and vendors of the process. */
export type OperateDeps = {
  readonly facts: () => Promise<GatewayFacts>
  readonly settings: () => readonly SettingLine[]
  /** Runs all checks of "./tollgate doctor". One run at a time. */
  readonly runChecks: () => Promise<CheckRun>
  readonly vendors: () => readonly VendorLine[]
  /** Announced ends of vendors, the next first. */
  readonly ends: () => readonly EndLine[]
  /** Actions with a vendor key whose price is below the vendor's. */
  readonly belowCost: () => readonly BelowCostLine[]
  /** Tests the key of a service with a free request, stores the result and writes it to the audit log. Throws AppError. */
  readonly testKey: (service: string) => Promise<TestedKey>
  /** Tests one key after another, for at most a minute. `left`: keys that were not reached. One run at a time. */
  readonly testAllKeys: () => Promise<{ readonly tested: number; readonly left: number }>
  /** Why stored keys cannot be opened, and what to do; null when all is well. */
  readonly findStoreProblem: () => Promise<string | null>
  /** Replaced vendor keys; null when this gateway has no place for their sealing key. */
  readonly replacements: KeyReplacements | null
}

export type KeyReplacements = {
  /** Tests the key first, and stores it in place of the present one or as the first one, unless the vendor rejects it. Throws AppError invalid_params. */
  replace(service: string, credential: string, key: string): Promise<TestedKey>
  /** Returns to the key of the settings, or removes the key. */
  restore(service: string, credential: string): Promise<void>
}
