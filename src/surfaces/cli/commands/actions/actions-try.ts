import { tryOwnAction } from '../../../../app/chores/try-own-action.ts'
import { readOwn } from '../../../../app/wiring/own/read-own.ts'
import { createCatalog } from '../../../../catalog/index.ts'
import { faultText } from '../../../../catalog/own/read-folder.ts'
import { createValidator } from '../../../../catalog/validate/validate.ts'
import { formatDollars } from '../../../../lib/money.ts'
import { UsageError, type Command } from '../../command.ts'
import { facts } from '../../show.ts'

export const actionsTry: Command = {
  name: 'actions try',
  summary:
    'call one of your own actions and show the request, the outcome and the charge; books nothing',
  flags: { live: { value: '', about: 'call the API; by default its simulated answers' } },
  operand: { value: '<service/action>', about: 'the name of the action' },
  secondOperand: {
    value: '<json>',
    about: 'the input; by default the example of the action',
    isOptional: true,
  },
  example: `./tollgate actions try acme/company '{"id":"7"}'`,
  async run({ operand, second, flags }, tools) {
    const own = await readOwn(tools.config())
    const [fault] = own.faults
    if (fault !== undefined) throw new UsageError(faultText(fault))
    const [service = '', name = ''] = operand.split('/')
    const entry = createCatalog(own.folder.services).findAction(service, name)
    const input = createValidator().validate(
      entry.action.input,
      readJson(second) ?? entry.action.example,
    )
    entry.action.check(input)
    const tried = await tryOwnAction({
      config: tools.config(),
      now: tools.now,
      files: own.folder.files,
      entry,
      input,
      isLive: flags['live'] !== undefined,
    })
    const { outcome, request, charged, held } = tried
    const units = 'units' in outcome ? outcome.units : undefined
    return {
      data: {
        request,
        outcome: outcome.kind,
        ...(outcome.kind === 'failed' ? { error: outcome } : { data: outcome.data }),
        units: units ?? null,
        charged_micros: Number(charged),
        held_micros: Number(held),
      },
      text: `${facts([
        ['request', `${request.method} ${request.url}`],
        ...Object.entries(request.headers).map(
          ([header, value]) => ['', `${header}: ${value}`] as const,
        ),
        ...(request.body === null ? [] : [['body', request.body] as const]),
        ['outcome', outcome.kind === 'failed' ? `failed: ${outcome.code}` : outcome.kind],
        ...(units === undefined ? [] : [['units', String(units)] as const]),
        ['charge', `${formatDollars(charged)} of ${formatDollars(held)} held; nothing was booked`],
      ])}\n\n${JSON.stringify(outcome.kind === 'failed' ? outcome : outcome.data, null, 2)}`,
    }
  },
}

function readJson(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new UsageError(`The input is not JSON: ${text}`)
  }
}
