/** The methods that both protocol eras share, and those of the modern one. */
import type { Fields } from '../../lib/json-fields.ts'
import { SERVER_INFO, INSTRUCTIONS } from './create-server.ts'
import type { Method, Methods } from './method.ts'
import { META, SUPPORTED_VERSIONS, TASKS } from './modern/modern-request.ts'
import { createTasks } from './modern/tasks.ts'
import { getPrompt, PROMPTS } from './prompts.ts'
import { listResources, listTemplates, readResource } from './resources.ts'
import type { ToolDeps } from './tools/tool.ts'
import type { ToolHost } from './tool-host.ts'

/** The same for every caller, and constant while the gateway runs. */
const CACHED = { ttlMs: 300_000, cacheScope: 'public' } as const

export function createMethods(deps: ToolDeps, host: ToolHost): Methods {
  const tasks = createTasks(deps)
  const shared = new Map<string, Method>([
    ['tools/call', (call) => host.call(call)],
    ['resources/list', () => ({ resources: listResources() })],
    ['resources/templates/list', () => ({ resourceTemplates: listTemplates() })],
    ['resources/read', ({ params, exchange }) => readResource(deps, exchange.request, params)],
    ['prompts/list', () => ({ prompts: PROMPTS })],
    ['prompts/get', ({ params }) => getPrompt(params)],
  ])
  return {
    shared,
    modern: new Map<string, Method>([
      ['server/discover', describeServer],
      ['tools/list', () => ({ tools: host.listed, ...CACHED })],
      ['resources/list', () => ({ resources: listResources(), ...CACHED })],
      ['resources/templates/list', () => ({ resourceTemplates: listTemplates(), ...CACHED })],
      ['prompts/list', () => ({ prompts: PROMPTS, ...CACHED })],
      ['tasks/get', tasks.get],
      ['tasks/update', tasks.update],
      ['tasks/cancel', tasks.cancel],
    ]),
  }
}

function describeServer(): Fields {
  return {
    supportedVersions: SUPPORTED_VERSIONS,
    capabilities: { tools: {}, resources: {}, prompts: {}, extensions: { [TASKS]: {} } },
    instructions: INSTRUCTIONS,
    _meta: { [META.serverInfo]: SERVER_INFO },
    ...CACHED,
  }
}
