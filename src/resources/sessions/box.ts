import { field, textField } from '../../catalog/answers/vendor-failure.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Reply, WireRequest } from '../../catalog/vocabulary/wire.ts'
import type { VendorSocket } from '../../upstream/vendor-socket.ts'
import type { SocketRequest } from '../../upstream/with-vendor-socket.ts'
import type { MachineUse } from './machine-use.ts'
import type { ProgramOutput, SessionCode, SessionLanguage, SessionWork } from './session-driver.ts'

/** One request to the vendor. Throws AppError for whatever goes wrong. */
export type Ask = (wire: WireRequest) => Promise<Reply>

/** A WebSocket to the vendor, open for as long as `hear` takes. Throws AppError as `Ask` does. */
export type Talk = <T>(
  request: SocketRequest,
  hear: (conversation: VendorSocket) => Promise<T>,
) => Promise<T>

/** What the vendor needs to find the machine again. Never shown to callers. */
export type Handle = Readonly<Record<string, string>>

/** What the operator set for the vendor: UPSTREAM_<LABEL>_<NAME> by name. */
export type Settings = Readonly<Record<string, string>>

/** `label`: told to the vendor, so that the machine is found also when the answer is lost. */
/** `snapshot`: the vendor's name of the one whose files the machine starts with. */
export type BoxOrder = {
  readonly label: string
  readonly template?: string | undefined
  readonly snapshot?: string | undefined
  readonly envs: Readonly<Record<string, string>>
  readonly lifeMs: number
}

/** `use`: what the machine used meanwhile, by its own word; left out where it gave none or its time is what is sold. */
export type RanProgram = ProgramOutput & { readonly use?: MachineUse }

/** A vendor of machines. A machine that is gone makes `run` and `prolong` throw AppError upstream_not_found, and is no error of `close`. */
export type Box = {
  create(ask: Ask, order: BoxOrder, settings: Settings): Promise<Handle>
  /** A program that takes longer than `seconds` is ended, with exit code 124 and what it wrote so far. */
  run(
    ask: Ask,
    handle: Handle,
    work: SessionWork,
    seconds: number,
    settings: Settings,
    talk: Talk,
  ): Promise<RanProgram>
  /** Has the vendor keep the machine for so long from now. Where it is left out, `create` asked for the longest time there is. */
  readonly prolong?: (ask: Ask, handle: Handle, lifeMs: number) => Promise<void>
  close(ask: Ask, handle: Handle, settings: Settings): Promise<void>
  /** The machines that live and were made with this label, of all that the operator's key shows. */
  find(ask: Ask, label: string, settings: Settings): Promise<readonly Handle[]>
  /** Left out where the vendor takes none. */
  readonly snapshots?: BoxSnapshots
}

/** Snapshots of machines' disks, which outlive their machines. References are the vendor's names for them. */
export type BoxSnapshots = {
  /** Starts one and returns its reference before it is finished. */
  order(ask: Ask, handle: Handle, label: string): Promise<string>
  /** Returns when it is finished. Throws AppError when the vendor could not take it. */
  wait(ask: Ask, reference: string): Promise<void>
  /** One that is gone is no error. */
  delete(ask: Ask, reference: string): Promise<void>
  /** Those that were ordered with this label. */
  find(ask: Ask, label: string): Promise<readonly string[]>
}

/** An answer in which nothing is told of the program. */
export function ranNothing(): AppError {
  return new AppError('upstream_error', 'The machine did not say how the program ended.')
}

export const TIMED_OUT = 124

/** A label of letters, digits and hyphens alone, which any vendor takes for a name. */
export function hyphenated(label: string): string {
  return label.replaceAll('_', '-')
}

/** What runs code of a language out of a file. */
export const PROGRAMS: Readonly<Record<SessionLanguage, string>> = {
  python: 'python3',
  javascript: 'node',
  bash: 'bash',
}

/** The language of a piece of code: that of the machine's template, where the caller named none and it is made for one. */
export function languageOf(
  { language, isAssumed }: SessionCode,
  template: string | undefined,
): SessionLanguage | 'typescript' {
  return isAssumed === true && (template === 'javascript' || template === 'typescript')
    ? template
    : language
}

/** What machines are labelled with, at vendors that keep labels by name. */
const LABEL = 'tollgate_session'

export function labelsOf(label: string): Readonly<Record<string, string>> {
  return { [LABEL]: label }
}

/** Those of a vendor's list that carry the label, whatever the vendor made of a filter; `idField` and `labelsField` are what it calls an id and labels. */
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
