const LEADING = /^(?:Read|List|Get)(?: (?:the|a|an|one))? (?=\w)/

/** A title from the main clause of a summary: "Read the gas price of a blockchain." becomes "Gas price of a blockchain". A summary that is no sentence stays whole. */
export function titleFromSentence(summary: string): string {
  const [clause = summary] = summary.endsWith('.') ? summary.split(/[:;,.](?:\s|$)/) : [summary]
  const title = clause.replace(LEADING, '').trim()
  return `${title.charAt(0).toUpperCase()}${title.slice(1)}`
}
