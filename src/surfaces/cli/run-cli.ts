/** Runs `./tollgate <command>`: parses the command line, runs the command, prints the report. */
import { userInfo } from 'node:os'
import type { Database } from '../../db/database.ts'
import { runAs, type Author } from '../../db/author.ts'
import { readInstallationTime } from '../../db/database-clock.ts'
import { AppError } from '../../errors/app-error.ts'
import { StartError } from '../../errors/start-error.ts'
import { systemClock } from '../../lib/clock.ts'
import { versionOfTollgate } from '../../lib/version.ts'
import { loadConfig, type Config } from '../../app/settings/config.ts'
import {
  openDatabase,
  refuseMissingDatabase,
  type OpenDatabase,
} from '../../app/wiring/open-database.ts'
import { UsageError, type Command, type Tools } from './command.ts'
import { accountsCreate, accountsList } from './commands/accounts.ts'
import { accountsClose, accountsErase } from './commands/accounts-close.ts'
import { accountsDailyCap } from './commands/accounts-daily-cap.ts'
import { accountsEmail } from './commands/accounts-email.ts'
import { accountsPause, accountsResume } from './commands/accounts-pause.ts'
import { actionsCheck, actionsList, actionsReload } from './commands/actions/actions.ts'
import { actionsImport } from './commands/actions/actions-import.ts'
import { actionsTry } from './commands/actions/actions-try.ts'
import { audit } from './commands/audit.ts'
import { backup } from './commands/backup.ts'
import { booksExport } from './commands/books-export.ts'
import { breakerReplay } from './commands/breaker-replay.ts'
import { creditGrant } from './commands/credit-grant.ts'
import { creditTake } from './commands/credit-take.ts'
import { doctor } from './commands/doctor.ts'
import { find } from './commands/find.ts'
import { eventsList, webhooksList } from './commands/events.ts'
import { historyList } from './commands/history-list.ts'
import { keysChildren, keysEnd, keysMint } from './commands/key-children.ts'
import { keygen } from './commands/keygen.ts'
import {
  keysCreate,
  keysList,
  keysPause,
  keysResume,
  keysRevoke,
  keysRotate,
  keysSet,
} from './commands/keys.ts'
import { operatorsAdd, operatorsList, operatorsRemove } from './commands/operators.ts'
import {
  paymentsList,
  paymentsResolve,
  paymentsSales,
  paymentsCardEvents,
  paymentsWallets,
} from './commands/payments.ts'
import { peopleLink } from './commands/people-link.ts'
import { pricesCheck, pricesList } from './commands/prices.ts'
import { report } from './commands/report.ts'
import { trace } from './commands/trace.ts'
import { verifyLedgerCommand } from './commands/verify-ledger.ts'
import { commandHelp, generalHelp, groupHelp, launchedHelp, usageOf } from './help.ts'
import { readLine, type Line } from './read-line.ts'

/** In the order of the help. */
export const OPERATOR_COMMANDS: readonly Command[] = [
  accountsCreate,
  accountsList,
  accountsEmail,
  accountsDailyCap,
  accountsPause,
  accountsResume,
  accountsClose,
  accountsErase,
  operatorsAdd,
  operatorsRemove,
  operatorsList,
  peopleLink,
  creditGrant,
  creditTake,
  historyList,
  eventsList,
  webhooksList,
  keysCreate,
  keysList,
  keysSet,
  keysPause,
  keysResume,
  keysRotate,
  keysRevoke,
  keysMint,
  keysChildren,
  keysEnd,
  keygen,
  paymentsList,
  paymentsResolve,
  paymentsSales,
  paymentsCardEvents,
  paymentsWallets,
  actionsImport,
  actionsCheck,
  actionsTry,
  actionsList,
  actionsReload,
  pricesCheck,
  pricesList,
  booksExport,
  report,
  trace,
  verifyLedgerCommand,
  audit,
  breakerReplay,
  backup,
  doctor,
  find,
]

const DONE = 0
const FAILED = 1
const WRONG_USAGE = 2

/** The settings of a command, and its output. */
export type Terminal = {
  readonly environment: Readonly<Record<string, string | undefined>>
  out(text: string): void
  err(text: string): void
}

/** Runs one command and returns the exit code. */
export async function runCli(words: readonly string[], terminal: Terminal): Promise<number> {
  if (words[0] === '--version' && words.length === 1) return print(terminal, versionOfTollgate())
  const wanted = words[0] === 'help' ? words.slice(1) : words
  const isHelp = wanted.length === 0 || isHelpFlag(wanted[0])
  if (isHelp) return print(terminal, generalHelp(OPERATOR_COMMANDS))
  const launched = words[0] === 'help' && wanted.length === 1 ? launchedHelp(wanted[0]) : null
  if (launched !== null) return print(terminal, launched)
  const group = OPERATOR_COMMANDS.filter(({ name }) => name.startsWith(`${wanted[0]} `))
  const isGroupHelp =
    group.length > 0 &&
    (words[0] === 'help' ? wanted.length === 1 : wanted.length === 2 && isHelpFlag(wanted[1]))
  if (isGroupHelp) return print(terminal, groupHelp(group))
  let line: Line | undefined
  try {
    line = readLine(words[0] === 'help' ? [...wanted, '--help'] : wanted, OPERATOR_COMMANDS)
    return line.wantsHelp
      ? print(terminal, commandHelp(line.command))
      : await runCommand(line, terminal)
  } catch (error) {
    return reportError(terminal, error, line?.wantsJson ?? words.includes('--json'), line?.command)
  }
}

function isHelpFlag(word: string | undefined): boolean {
  return word === '--help' || word === '-h'
}

async function runCommand(
  { command, input, wantsJson }: Line,
  terminal: Terminal,
): Promise<number> {
  const { tools, close } = openTools(terminal.environment, command)
  try {
    const {
      data,
      text,
      exitCode = DONE,
    } = await runAs(operatorOf(terminal), () => command.run(input, tools))
    print(terminal, wantsJson ? JSON.stringify({ ok: exitCode === DONE, data }) : text)
    return exitCode
  } finally {
    await close()
  }
}

/** The author of a command's changes. With sudo, the person who used it. */
function operatorOf({ environment }: Terminal): Author {
  const name = environment['SUDO_USER'] ?? environment['USER'] ?? nameOfUser()
  return { by: `operator ${name}`, from: 'command line', requestId: null }
}

/** Services and containers often run without USER. */
function nameOfUser(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}

function openTools(
  environment: Terminal['environment'],
  { createsDatabase = false }: Command,
): { tools: Tools; close: () => Promise<void> } {
  let config: Config | undefined
  let opened: Promise<OpenDatabase> | undefined
  const loaded = (): Config => (config ??= loadConfig(environment))
  let clock = systemClock
  const open = async (): Promise<OpenDatabase> => {
    const database = await openDatabase(loaded())
    clock = await readInstallationTime(database.database)
    return database
  }
  const database = async (): Promise<Database> => {
    if (!createsDatabase) await refuseMissingDatabase(loaded())
    return (await (opened ??= open())).database
  }
  return {
    tools: { now: () => clock(), config: loaded, database },
    async close() {
      await (await opened?.catch(() => undefined))?.close()
    },
  }
}

function reportError(
  terminal: Terminal,
  error: unknown,
  wantsJson: boolean,
  command: Command | undefined,
): number {
  const isUsage =
    error instanceof UsageError || (error instanceof AppError && error.code === 'invalid_params')
  const { code, message, fix } = explain(error, command)
  if (wantsJson) print(terminal, JSON.stringify({ ok: false, error: { code, message, fix } }))
  else terminal.err(`tollgate: ${message}${fix === null ? '' : `\n${fix}`}\n`)
  return isUsage ? WRONG_USAGE : FAILED
}

function explain(
  error: unknown,
  running: Command | undefined,
): { code: string; message: string; fix: string | null } {
  if (error instanceof UsageError)
    return { code: 'usage', message: error.message, fix: usageAdvice(error.command ?? running) }
  // The default advice for an invalid field describes HTTP requests.
  if (error instanceof AppError && error.code === 'invalid_params' && error.fix === error.spec.fix)
    return { code: error.code, message: error.message, fix: usageAdvice(running) }
  if (error instanceof AppError) return { code: error.code, message: error.message, fix: error.fix }
  if (error instanceof StartError) return { code: 'not_started', message: error.message, fix: null }
  return {
    code: 'internal',
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    fix: null,
  }
}

function usageAdvice(command: Command | undefined): string {
  return command === undefined
    ? 'See ./tollgate help.'
    : `Usage: ${usageOf(command)}\nSee ./tollgate ${command.name} --help.`
}

function print(terminal: Terminal, text: string): number {
  terminal.out(`${text}\n`)
  return DONE
}
