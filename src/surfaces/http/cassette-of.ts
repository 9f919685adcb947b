import {
  CASSETTE_MODES,
  CASSETTE_NAME,
  type CassetteMode,
  type CassetteResult,
  type CassetteUse,
} from '../../cassettes/cassette.ts'
import { AppError } from '../../errors/app-error.ts'
import type { RouteReply, RouteRequest } from './route-objects.ts'

const HEADER = 'X-Tollgate-Cassette'
const VALUE = /^\s*([^;\s]+)\s*(?:;\s*mode\s*=\s*"?([A-Za-z]*)"?\s*)?$/
const NAME = new RegExp(CASSETTE_NAME)

/**
 * The cassette of a call: `X-Tollgate-Cassette: name; mode=record|replay|auto`, with the mode auto by
 * default. The same header of the response has the result. Throws AppError invalid_params.
 */
export function cassetteOf({ headers }: RouteRequest, reply: RouteReply): CassetteUse | undefined {
  const header = headers['x-tollgate-cassette']
  if (header === undefined) return undefined
  const [, name = '', mode = 'auto'] = VALUE.exec(String(header)) ?? []
  if (!NAME.test(name))
    throw invalid(
      'The name of a cassette has 1 to 64 characters: letters, digits, dots, hyphens and underscores.',
    )
  if (!isMode(mode)) throw invalid(`The mode of a cassette is ${CASSETTE_MODES.join(', ')}.`)
  return {
    name,
    mode,
    report(result) {
      // The header of a stream is sent before its recording is stored.
      if (!reply.raw.headersSent) void reply.header('x-tollgate-cassette', describe(name, result))
    },
  }
}

/** Rejects a call that no cassette can replay, so that a replay never turns into a paid call. */
export function rejectCassette(
  { headers }: RouteRequest,
  _reply: unknown,
  done: (error?: Error) => void,
): void {
  done(headers['x-tollgate-cassette'] === undefined ? undefined : notCovered())
}

export function notCovered(): AppError {
  return new AppError('invalid_params', 'Cassettes do not cover this route.', {
    param: HEADER,
    fix: `Omit the header, or call actions at /api/run and models at /api/llm/v1.`,
  })
}

function isMode(text: string): text is CassetteMode {
  return (CASSETTE_MODES as readonly string[]).includes(text)
}

function describe(name: string, result: CassetteResult): string {
  const { kind } = result
  if (kind === 'replayed') return `${name}; result=replayed; charged_micros=${result.charged}`
  return kind === 'not_recorded'
    ? `${name}; result=${kind}; reason=${result.reason}`
    : `${name}; result=${kind}`
}

function invalid(message: string): AppError {
  return new AppError('invalid_params', message, {
    param: HEADER,
    fix: `Send for example "${HEADER}: checkout; mode=replay".`,
  })
}
