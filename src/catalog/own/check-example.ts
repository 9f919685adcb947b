/** Runs the example of an action against its simulation. */
import { AppError } from '../../errors/app-error.ts'
import { billable, worstCase } from '../prices/price.ts'
import type { Validator } from '../validate/validate.ts'
import type { Service } from '../vocabulary/action.ts'
import { isDelivered } from '../vocabulary/outcome.ts'
import { reportAt, type Report } from './faults.ts'
import type { OwnFile } from './own-file.ts'
import { buildRequest } from './own-request.ts'
import { answerOf, asSent } from './simulation.ts'
import { propertyOf } from './to-record.ts'

type Checking = {
  readonly service: Service
  readonly validator: Validator
  readonly report: Report
}

/** Takes an action of a file whose other rules hold. */
export function checkExample(
  file: OwnFile,
  place: number,
  { service, validator, report: reportInFile }: Checking,
): void {
  const own = file.actions[place]
  const action = own === undefined ? undefined : service.actions[own.action]
  if (own === undefined || action?.kind !== 'call') return
  const report = reportAt(reportInFile, 'actions', place)
  for (const [index, { when = {} }] of own.simulate.entries()) {
    if (index === own.simulate.length - 1 && Object.keys(when).length > 0)
      report('must have no "when": the last answer is for every other call', 'simulate', index)
    if (index < own.simulate.length - 1 && Object.keys(when).length === 0)
      report('needs "when": only the last answer is for every other call', 'simulate', index)
    for (const name of Object.keys(when))
      if (Object.keys(propertyOf(own.params, name)).length === 0)
        report('is an unknown parameter', 'simulate', index, 'when', name)
  }
  try {
    const input = validator.validate(action.input, own.example)
    action.check(input)
    const answer = answerOf(own, asSent(buildRequest(own.request, input)))
    if (answer === null) return
    const outcome = action.outcome(
      { status: answer.status, headers: {}, body: answer.body ?? null },
      input,
    )
    if (!isDelivered(outcome))
      report(`is "${outcome.kind}" with its simulated answer: an example must deliver`, 'example')
    else if (billable(action, input, outcome) > worstCase(action, input))
      report('costs more than the call holds', 'example')
  } catch (error) {
    if (error instanceof AppError) report(`is rejected: ${error.message}`, 'example')
    // Ajv throws an Error for a schema that it cannot compile.
    else report(`is no JSON Schema of the gateway: ${(error as Error).message}`, 'params')
  }
}
