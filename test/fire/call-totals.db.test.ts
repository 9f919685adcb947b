import { test } from 'node:test'
import { checkTotals } from '../../src/surfaces/http/routes/calls/testing/check-totals.ts'

test('the totals of 10,000 mixed calls within a minute agree everywhere', () => checkTotals(13))
