import { TollgateError } from '../../sdk/src/index.ts'
import { flagOf } from './input/input-flags.ts'
import { dollars } from './output/money.ts'
import { safeText } from './output/safe-text.ts'
import { UsageError } from './usage-error.ts'

/** The error for programs. Keys of a call are included, so that it can be repeated. */
export function errorAsData(error: unknown): object {
  if (error instanceof TollgateError) {
    const { code, message, fix, status, retryable, fields, details } = error
    return {
      ok: false,
      error: { code, message, fix, status, retryable, fields, details },
      charged_micros: error.chargedMicros,
      request_id: error.requestId,
      idempotency_key: error.idempotencyKey,
    }
  }
  const [code, fix] = error instanceof UsageError ? ['usage', error.fix] : ['failed', null]
  return { ok: false, error: { code, message: (error as Error).message, fix } }
}

/** The error for people: what happened, then what to do. */
export function errorAsText(error: unknown, usage: string): string {
  if (error instanceof UsageError) return lines(error.message, error.fix ?? usage)
  if (!(error instanceof TollgateError)) return lines((error as Error).message)
  const { message, fix, code, fields, requestId, retryable, chargedMicros } = error
  const problems =
    fields.length > 1 || (fields.length === 1 && fields[0]?.message !== message)
      ? fields.map((field) => `  ${asFlag(field.field)}: ${field.message} ${field.fix}`)
      : []
  return lines(
    problems.length > 1 ? 'The inputs are not valid.' : forShell(message, error),
    ...(problems.length > 0 ? problems : [forShell(fix, error)]),
    [
      code,
      ...(requestId === null ? [] : [requestId]),
      ...(retryable ? ['can be repeated'] : []),
      ...(chargedMicros > 0 ? [`charged ${dollars(chargedMicros)}`] : []),
    ].join(' · '),
  )
}

/** "urls[2]" is --urls[2]. */
function asFlag(field: string): string {
  const [name = '', ...path] = field.split(/(?=[.[])/)
  return `--${flagOf(name)}${path.join('')}`
}

/** Advice for programs, in the words of the command line. */
function forShell(text: string, { idempotencyKey }: TollgateError): string {
  const fix = text
    .replaceAll('max_cost_cents', '--max-cents')
    .replaceAll('GET /api/run lists all actions', '"search" finds actions')
  if (idempotencyKey === null) return fix
  return fix.replace(
    /Repeat (the \w+) with the idempotencyKey of this error/,
    `Repeat $1 with --idempotency-key ${idempotencyKey}`,
  )
}

function lines(...all: readonly string[]): string {
  return `tollgate: ${safeText(all.filter((line) => line !== '').join('\n'))}\n`
}
