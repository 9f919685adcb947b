/** Tools of the Responses API that the client runs, as functions of chat completions. */
import type { Fields } from '../../../lib/json-fields.ts'

export type ClientTool = {
  /** The type of its calls. */
  readonly item: string
  /** The field of a call with the arguments. */
  readonly field: string
  /** Further fields of a call. */
  readonly more: Fields
  /** Further fields of the arguments. */
  readonly inner: Fields
  readonly description: string
  readonly parameters: Fields
}

const TEXT = { type: 'string' }
const NUMBER = { type: 'integer' }
const TEXTS = { type: 'array', items: TEXT }

export const CLIENT_TOOLS: Readonly<Record<string, ClientTool | undefined>> = {
  tool_search: {
    item: 'tool_search_call',
    field: 'arguments',
    more: { execution: 'client' },
    inner: {},
    description: 'Searches for further tools.',
    parameters: { type: 'object', properties: { query: TEXT, limit: NUMBER }, required: ['query'] },
  },
  local_shell: {
    item: 'local_shell_call',
    field: 'action',
    more: {},
    inner: { type: 'exec', env: {} },
    description: 'Runs a command on the computer of the user.',
    parameters: {
      type: 'object',
      properties: { command: TEXTS, working_directory: TEXT, timeout_ms: NUMBER },
      required: ['command'],
    },
  },
  shell: {
    item: 'shell_call',
    field: 'action',
    more: {},
    inner: {},
    description: 'Runs commands in a shell on the computer of the user.',
    parameters: {
      type: 'object',
      properties: { commands: TEXTS, timeout_ms: NUMBER, max_output_length: NUMBER },
      required: ['commands'],
    },
  },
  apply_patch: {
    item: 'apply_patch_call',
    field: 'operation',
    more: {},
    inner: {},
    description: 'Creates, updates or deletes a file. "diff" is a patch in the V4A format.',
    parameters: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'] },
        path: TEXT,
        diff: TEXT,
      },
      required: ['type', 'path'],
    },
  },
}
