/** MCP clients of both revisions, with a test key: the vendors of the calls are simulated. */
import { createMCPClient } from '@ai-sdk/mcp'
import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, type Bed, type Driver } from '../driver.ts'

type ToolResult = {
  readonly isError?: boolean | undefined
  readonly content?: unknown
  readonly structuredContent?: unknown
}
type Session = {
  call(name: string, input: Record<string, unknown>, signal?: AbortSignal): Promise<ToolResult>
  close(): Promise<void>
}
type Connect = (bed: Bed) => Promise<Session>

const INFO = { name: 'tollgate-clients', version: '1.0.0' }
const SEARCH = { service: 'semantic', action: 'search', params: { query: 'ledgers' } }

export const mcpModern = driver(
  'MCP SDK, 2026-07-28',
  '@modelcontextprotocol/client',
  async ({ mcpUrl, key }) => {
    const client = new ModernClient(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    const requestInit = { headers: { authorization: `Bearer ${key}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl), { requestInit }))
    return {
      call: (name, input, signal) =>
        client.callTool({ name, arguments: input }, signal === undefined ? {} : { signal }),
      close: () => client.close(),
    }
  },
)

export const mcpLegacy = driver(
  'MCP SDK, 2025-11-25',
  '@modelcontextprotocol/sdk',
  async ({ mcpUrl, key }) => {
    const client = new LegacyClient(INFO)
    const requestInit = { headers: { authorization: `Bearer ${key}` } }
    const transport = new LegacyTransport(new URL(mcpUrl), { requestInit })
    await client.connect(transport as Parameters<typeof client.connect>[0])
    return {
      call: async (name, input, signal) =>
        (await client.callTool(
          { name, arguments: input },
          undefined,
          signal === undefined ? {} : { signal },
        )) as ToolResult,
      close: () => client.close(),
    }
  },
)

export const aiSdkMcp = driver('AI SDK, MCP', '@ai-sdk/mcp', async ({ mcpUrl, key }) => {
  const client = await createMCPClient({
    transport: { type: 'http', url: mcpUrl, headers: { Authorization: `Bearer ${key}` } },
  })
  const tools = await client.tools()
  return {
    async call(name, input, abortSignal) {
      const options = { toolCallId: 'call_1', messages: [], context: {} }
      const tool = tools[name]
      expect(tool !== undefined, `a tool ${name}`, Object.keys(tools))
      const signal = abortSignal === undefined ? {} : { abortSignal }
      return (await tool.execute(input, { ...options, ...signal })) as ToolResult
    },
    close: () => client.close(),
  }
})

function driver(name: string, packageName: string, connect: Connect): Driver {
  const using = async (bed: Bed, work: (session: Session) => Promise<void>): Promise<void> => {
    const session = await connect(bed)
    try {
      await work(session)
    } finally {
      await session.close()
    }
  }
  const failsWith = (code: string) => async (bed: Bed) => {
    let text = ''
    // The rate limit rejects the HTTP request, so the client reports an error of its transport.
    await using(bed, async ({ call }) => {
      text = textOf(await call('run', SEARCH))
    }).catch((error: unknown) => {
      text = String(error)
    })
    expect(text.includes(code), code, text)
  }
  return {
    name,
    package: packageName,
    api: 'mcp',
    steps: {
      answer: (bed) =>
        using(bed, async ({ call }) => {
          const result = await call('discover', { query: 'search the web by meaning' })
          expect(textOf(result).includes('semantic'), 'an action', result)
        }),
      stream: 'a tool has one result',
      'tool call': (bed) =>
        using(bed, async ({ call }) => {
          const result = await call('run', SEARCH)
          expect(result.isError !== true && textOf(result).includes('"ok"'), 'a result', result)
        }),
      'structured output': (bed) =>
        using(bed, async ({ call }) => {
          const result = await call('balance', {})
          const structured = result.structuredContent ?? JSON.parse(textOf(result))
          expect(JSON.stringify(structured).includes('balance'), 'a balance', result)
        }),
      abort: (bed) =>
        using(bed, async ({ call }) => {
          const controller = new AbortController()
          const result = call('run', SEARCH, controller.signal)
          controller.abort()
          const isRejected = await result.then(
            () => false,
            () => true,
          )
          expect(isRejected, 'the call to be rejected', isRejected)
        }),
      '402': failsWith('api_key_limit_exceeded'),
      '429': failsWith('rate_limited'),
      replay: (bed) =>
        using(bed, async ({ call }) => {
          const once = { ...SEARCH, idempotency_key: 'mcp' }
          const first = await call('run', once)
          const second = await call('run', once)
          expect(idIn(first) === idIn(second), 'the same transaction', [first, second])
        }),
    },
  }
}

const textOf = ({ content }: ToolResult): string =>
  (Array.isArray(content) ? (content as { text?: string }[]) : [])
    .map(({ text = '' }) => text)
    .join('\n')

const idIn = (result: ToolResult): string | undefined =>
  /"transaction_id":\s*"([^"]+)"/.exec(textOf(result))?.[1]
