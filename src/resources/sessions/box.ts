import { field, textField } from '../../catalog/answers/vendor-failure.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Reply, WireRequest } from '../../catalog/vocabulary/wire.ts'
import type { VendorSocket } from '../../upstream/vendor-socket.ts'
import type { SocketRequest } from '../../upstream/with-vendor-socket.ts'
import type { MachineUse } from './machine-use.ts'
import type { ProgramOutput, SessionCode, SessionLanguage, SessionWork } from './session-driver.ts'

/** Sends one request to the vendor. Throws AppError for any failure. */
export type Ask = (wire: WireRequest) => Promise<Reply>

/** Opens a WebSocket to the vendor while `use` runs. Throws AppError as `Ask` does. */
export type WithSocket = <T>(
  request: SocketRequest,
  use: (socket: VendorSocket) => Promise<T>,
) => Promise<T>

/** The vendor's references to the machine. Never returned to callers. */
export type Handle = Readonly<Record<string, string>>

/** The operator's settings for the vendor: UPSTREAM_<LABEL>_<NAME> by name. */
export type Settings = Readonly<Record<string, string>>

/**
 * `label`: stored at the vendor, so that the machine is found even if the response is lost.
 * `snapshot`: the vendor's reference of the snapshot that the machine starts from.
 */
export type BoxOrder = {
  readonly label: string
  readonly template?: string | undefined
  readonly snapshot?: string | undefined
  readonly envs: Readonly<Record<string, string>>
  readonly lifeMs: number
}

/**
 * `use`: the machine's counters during the program; undefined if it reported none or is charged by
 * time.
 */
export type RanProgram = ProgramOutput & {
  readonly use?: MachineUse
  /** The machine ended, or seems to have ended, while the program ran. */
  readonly hasEnded?: true
  /** The program has no result, although the machine ran it. Its time is charged. */
  readonly failure?: AppError
}

/**
 * A vendor of machines. If the machine is gone, `run` and `prolong` throw AppError
 * `upstream_not_found`, and `close` does nothing.
 */
export type Box = {
  create(ask: Ask, order: BoxOrder, settings: Settings): Promise<Handle>
  /** Ends a program after `seconds`, with exit code 124 and its output so far. */
  run(
    ask: Ask,
    handle: Handle,
    work: SessionWork,
    seconds: number,
    settings: Settings,
    withSocket: WithSocket,
  ): Promise<RanProgram>
  /**
   * Extends the machine's life at the vendor to `lifeMs` from now. Undefined if `create` already
   * requests the longest life.
   */
  readonly prolong?: (ask: Ask, handle: Handle, lifeMs: number) => Promise<void>
  close(ask: Ask, handle: Handle, settings: Settings): Promise<void>
  /** The live machines with this label, of all that the operator's key can list. */
  find(ask: Ask, label: string, settings: Settings): Promise<readonly Handle[]>
  /** Undefined if the vendor has no snapshots. */
  readonly snapshots?: BoxSnapshots
}

/** Snapshots of machines' disks, which outlive the machines. References are the vendor's ids. */
export type BoxSnapshots = {
  /** Starts a snapshot and returns its reference before it is finished. */
  order(ask: Ask, handle: Handle, label: string): Promise<string>
  /** Resolves when the snapshot is finished. Throws AppError if the vendor failed. */
  wait(ask: Ask, reference: string): Promise<void>
  /** No error if the snapshot does not exist. */
  delete(ask: Ask, reference: string): Promise<void>
  /** References of the snapshots ordered with this label. */
  find(ask: Ask, label: string): Promise<readonly string[]>
}

/** The error for a response without the program's result. */
export function noProgramResult(): AppError {
  return new AppError('upstream_error', "The machine did not return the program's result.")
}

export const TIMED_OUT = 124

/** A label of letters, digits and hyphens, valid as a name at every vendor. */
export function hyphenated(label: string): string {
  return label.replaceAll('_', '-')
}

/** The program that runs code of each language from a file. */
export const PROGRAMS: Readonly<Record<SessionLanguage, string>> = {
  python: 'python3',
  javascript: 'node',
  bash: 'bash',
}

/** The language of code. If the caller named none, the machine's template decides. */
export function languageOf(
  { language, isAssumed }: SessionCode,
  template: string | undefined,
): SessionLanguage | 'typescript' {
  return isAssumed === true && (template === 'javascript' || template === 'typescript')
    ? template
    : language
}

/** The name of the label at vendors with named labels. */
const LABEL = 'tollgate_session'

export function labelsOf(label: string): Readonly<Record<string, string>> {
  return { [LABEL]: label }
}

/**
 * The machines in a vendor's list that have the label, in case the vendor ignores the filter.
 * `idField` and `labelsField` are the vendor's field names.
 */
export function labelled(
  list: unknown,
  label: string,
  idField: string,
  labelsField = 'metadata',
): Handle[] {
  const machines: readonly unknown[] = Array.isArray(list) ? list : []
  return machines
    .filter((machine) => field(field(machine, labelsField), LABEL) === label)
    .map((machine) => ({ id: textField(machine, idField) }))
}
