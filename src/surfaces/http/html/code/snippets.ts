import { curlExample } from '../../../../catalog/published/curl-example.ts'
import type { CodeLanguage } from './highlight.ts'
import { cliFlags } from './cli-flags.ts'
import { installLine } from './install-lines.ts'
import { pythonArguments, pythonName } from './python-literal.ts'
import { typescriptLiteral, typescriptName } from './typescript-literal.ts'

/** One tab of a code card. `id` is remembered as the reader's choice. */
export type Snippet = {
  readonly id: 'curl' | 'python' | 'typescript' | 'cli' | 'mcp' | 'ai-sdk' | 'client'
  readonly label: string
  readonly language: CodeLanguage
  readonly text: string
}

export type SnippetCall = {
  /** The address of this gateway, without a slash at its end. */
  readonly publicUrl: string
  readonly service: string
  readonly action: string
  readonly input: Readonly<Record<string, unknown>>
}

/** The same call in every language, ready to paste. `input` has the parameters, max_cost_cents included. */
export function callSnippets(call: SnippetCall): readonly Snippet[] {
  return [
    { id: 'curl', label: 'curl', language: 'sh', text: curl(call) },
    { id: 'python', label: 'Python', language: 'python', text: python(call) },
    { id: 'typescript', label: 'TypeScript', language: 'js', text: typescript(call) },
    { id: 'cli', label: 'CLI', language: 'sh', text: cli(call) },
    { id: 'mcp', label: 'MCP', language: 'sh', text: mcp(call) },
  ]
}

function curl({ publicUrl, service, action, input }: SnippetCall): string {
  return curlExample(`${publicUrl}/api/run/${service}/${action}`, input)
}

function python({ publicUrl, service, action, input }: SnippetCall): string {
  return `# ${installLine(publicUrl, 'python')}
from tollgate_client import Tollgate

tollgate = Tollgate(key="tg_test_…", url="${publicUrl}")
result = tollgate.${pythonName(service)}.${pythonName(action)}(${pythonArguments(input)})
print(result.data, result.charged.cents)`
}

function typescript({ publicUrl, service, action, input }: SnippetCall): string {
  return `// ${installLine(publicUrl, 'sdk')}
import { Tollgate } from '@tollgate/sdk'

const tollgate = new Tollgate({ key: 'tg_test_…', url: '${publicUrl}' })
const result = await tollgate.${typescriptName(service)}.${typescriptName(action)}(${typescriptLiteral(input)})
console.log(result.data, result.charged.cents)`
}

function cli({ publicUrl, service, action, input }: SnippetCall): string {
  const parts = [`tollgate run ${service}/${action}`, ...cliFlags(input)]
  return `${installLine(publicUrl, 'cli')}
export TOLLGATE_URL=${publicUrl}
export TOLLGATE_KEY=tg_test_…
${parts.join(' \\\n  ')}`
}

function mcp({ publicUrl, service, action, input }: SnippetCall): string {
  const { max_cost_cents: maxCostCents, ...params } = input
  const call = JSON.stringify({
    service,
    action,
    params,
    ...(maxCostCents === undefined ? {} : { max_cost_cents: maxCostCents }),
  })
  return `claude mcp add --transport http tollgate ${publicUrl}/mcp \\
  --header "Authorization: Bearer $TOLLGATE_KEY"

# The model then calls the tool "run" with
# ${call}`
}
