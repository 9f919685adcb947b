import { budget } from './budget.ts'
import { balance, describe, discover } from './look-up.ts'
import { result } from './result.ts'
import { run } from './run.ts'
import { close, session } from './sessions.ts'
import type { Tool } from './tool.ts'

export const tools: readonly Tool[] = [
  discover,
  describe,
  run,
  result,
  balance,
  budget,
  session,
  close,
]
