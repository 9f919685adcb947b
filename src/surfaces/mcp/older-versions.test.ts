import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ErrorCode, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js'
import { OLDER_VERSIONS } from './older-versions.ts'
import { RPC } from './rpc-error.ts'

test('accepts the protocol versions of the SDK, and uses its error codes', () => {
  assert.deepEqual(OLDER_VERSIONS, SUPPORTED_PROTOCOL_VERSIONS)
  assert.deepEqual(
    [RPC.parseError, RPC.invalidRequest, RPC.methodNotFound, RPC.invalidParams, RPC.internal],
    [
      ErrorCode.ParseError,
      ErrorCode.InvalidRequest,
      ErrorCode.MethodNotFound,
      ErrorCode.InvalidParams,
      ErrorCode.InternalError,
    ],
  )
})
