/** The entry point of a call: HTTP actions and fetches, the language-model router, or MCP. */
export const SURFACES = ['api', 'router', 'mcp'] as const
export type Surface = (typeof SURFACES)[number]
