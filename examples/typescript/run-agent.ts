/** Shared by the examples: opens the client, adds up the charges, and prints errors with their fix. */
import { Tollgate, TollgateError, type Job, type Result } from '../../packages/sdk/src/index.ts'

/** The sum of the charges of one run. */
export class Bill {
  #micros = 0

  /** Adds the charge of a call and returns its data. */
  add<Data>({ data, charged, replayed }: Result<Data>): Data {
    if (!replayed) this.#micros += charged.micros
    return data
  }

  /** Adds the charge of a finished job and returns its result. */
  addJob<Answer>(job: Job<Answer> & { readonly result: Answer }): Answer {
    this.#micros += job.charged_micros
    return job.result
  }

  /** Adds a charge in dollars, such as `usage.cost` of a stream. */
  addDollars(dollars: number): void {
    this.#micros += Math.round(dollars * 1_000_000)
  }

  toString(): string {
    return `$${(this.#micros / 1_000_000).toFixed(6)}`
  }
}

/** Runs `work` and prints the total charge. The process exits with 1 after an error. */
export async function runAgent(
  work: (tollgate: Tollgate, bill: Bill) => Promise<void>,
): Promise<void> {
  const bill = new Bill()
  try {
    const url = process.env['TOLLGATE_URL'] ?? 'http://127.0.0.1:4020'
    await work(new Tollgate({ url }), bill)
  } catch (error) {
    if (!(error instanceof TollgateError)) throw error
    console.error(`${error.code}: ${error.message}\nFix: ${error.fix}`)
    process.exitCode = 1
  }
  console.log(`Total charge: ${bill}`)
}
