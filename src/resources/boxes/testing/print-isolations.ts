/** `node print-isolations.ts`: prints the problem of each isolation for the user of this process. */
import { findTestIsolation } from './find-isolation.ts'

const { tried } = await findTestIsolation(false)
process.stdout.write(JSON.stringify(tried.map(({ name, problem }) => [name, problem])))
