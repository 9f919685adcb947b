/** Collects what is wrong with a file, by JSON pointer. */
import { joinPointer } from '../../lib/json-pointer.ts'

export type Fault = { readonly pointer: string; readonly problem: string }

/** `problem` completes the sentence `"/actions/0/price" …`. */
export type Report = (problem: string, ...path: readonly (string | number)[]) => void

export function reportTo(faults: Fault[], base = ''): Report {
  return (problem, ...path) => {
    faults.push({ pointer: path.reduce<string>(joinPointer, base), problem })
  }
}

/** A report for the part of the file at `path`. */
export function reportAt(report: Report, ...base: readonly (string | number)[]): Report {
  return (problem, ...path) => report(problem, ...base, ...path)
}
