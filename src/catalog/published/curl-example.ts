/** A call as a shell command. It works unchanged once TOLLGATE_KEY is set. */
export function curlExample(url: string, input: unknown): string {
  return [
    `curl -s ${url}`,
    `  -H "Authorization: Bearer $TOLLGATE_KEY"`,
    `  -H "Content-Type: application/json"`,
    `  -d ${shellQuote(JSON.stringify(input))}`,
  ].join(' \\\n')
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
