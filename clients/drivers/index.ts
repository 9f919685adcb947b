import type { Driver } from '../driver.ts'
import { aiSdkAnthropic, aiSdkCompatible, aiSdkOpenai, aiSdkOpenrouter } from './ai-sdk.ts'
import { anthropicSdk } from './anthropic.ts'
import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { langchainAnthropic, langchainOpenai } from './langchain.ts'
import { llamaindex } from './llamaindex.ts'
import { aiSdkMcp, mcpLegacy, mcpModern } from './mcp.ts'
import { openaiAgents } from './openai-agents.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiEmbeddings } from './openai-embeddings.ts'
import { openaiResponses } from './openai-responses.ts'
import { openrouterSdk } from './openrouter.ts'

/** In the order of the table. */
export const DRIVERS: readonly Driver[] = [
  claudeCode,
  codex,
  anthropicSdk,
  openaiResponses,
  openaiChat,
  openaiEmbeddings,
  openaiAgents,
  aiSdkAnthropic,
  aiSdkOpenai,
  aiSdkCompatible,
  aiSdkOpenrouter,
  langchainAnthropic,
  langchainOpenai,
  llamaindex,
  openrouterSdk,
  mcpModern,
  mcpLegacy,
  aiSdkMcp,
]
