/** From the checks of src/composites/compliance, the public registers and Strale's catalog. */
import {
  anything,
  flag,
  maybe,
  open,
  text,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'
import { check } from './answers/common.ts'
import { registers } from './answers/registers.ts'
import { sites } from './answers/sites.ts'
import { validators } from './answers/validators.ts'

export const returns: Returns = {
  check: check({
    valid: maybe(flag('For validators: whether the value is valid.')),
    source: maybe(text('For public registers: the register.')),
    result: maybe(anything('For public registers: the entry, in the format of the register.')),
    note: maybe(text('How to read the result.')),
    output: maybe(anything('For checks whose result is not an object: the result.')),
    status: maybe(text('For combined checks: whether all steps are done.')),
    steps: maybe(open('For combined checks: the fields of each step.')),
    errors: maybe(anything('For combined checks: the steps that failed. For validators: why.')),
    step_count: maybe(anything('For combined checks: the number of steps.')),
    gated: maybe(anything('For combined checks: the steps that were skipped.')),
  }),
  ...validators,
  ...sites,
  ...registers,
}
