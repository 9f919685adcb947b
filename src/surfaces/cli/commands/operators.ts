import { listOperators } from '../../../accounts/list-operators.ts'
import { setOperator } from '../../../accounts/set-operator.ts'
import type { Command, Input, Report, Tools } from '../command.ts'
import { columns } from '../show.ts'

const operand = { value: '<account>', about: 'account ID (acc_…) or email address' } as const

export const operatorsAdd: Command = {
  name: 'operators add',
  summary: 'let the holder of an account use the operator console (/operate)',
  operand,
  flags: {},
  example: './tollgate operators add jo@example.com',
  run: (input, tools) => change(input, tools, true),
}

export const operatorsRemove: Command = {
  name: 'operators remove',
  summary: 'end the access of an account to the operator console',
  operand,
  flags: {},
  example: './tollgate operators remove jo@example.com',
  run: (input, tools) => change(input, tools, false),
}

export const operatorsList: Command = {
  name: 'operators list',
  summary: 'list the accounts that may use the operator console',
  flags: {},
  example: './tollgate operators list',
  async run(_input, tools) {
    const accounts = await listOperators(await tools.database())
    return {
      data: accounts,
      text:
        accounts.length === 0
          ? 'No operators. Add one with "./tollgate operators add <account>".'
          : columns(
              ['id', 'email'],
              accounts.map(({ id, email }) => [id, email]),
            ),
    }
  },
}

async function change(
  { operand: named }: Input,
  tools: Tools,
  isOperator: boolean,
): Promise<Report> {
  const { account, changed } = await setOperator(await tools.database(), named, isOperator)
  const state = isOperator ? 'is an operator' : 'is not an operator'
  return {
    data: { account: account.id, operator: isOperator, changed },
    text: changed
      ? `${account.email} ${isOperator ? 'can now use' : 'can no longer use'} the operator console.`
      : `No change: ${account.email} ${state}.`,
  }
}
