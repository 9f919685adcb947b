import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collapseSlashes } from './collapse-slashes.ts'

test('collapses repeated slashes of the path only', () => {
  const cases = [
    ['/api/llm/v1//chat/completions', '/api/llm/v1/chat/completions'],
    ['//api/run///core/result', '/api/run/core/result'],
    ['//evil.example/', '/evil.example/'],
    ['/api/run//core?url=https://a.example//b', '/api/run/core?url=https://a.example//b'],
    ['/api/run/core?url=https://a.example', '/api/run/core?url=https://a.example'],
    ['http://gate.example/mcp', 'http://gate.example/mcp'],
    ['/', '/'],
    ['*', '*'],
  ] as const
  for (const [url, collapsed] of cases) assert.equal(collapseSlashes(url), collapsed)
})
