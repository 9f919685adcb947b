import { isBelow, isTest, type Rule } from './source.ts'

const SQL =
  /^.\s*(?:select\b[^]*\b(?:from|\()|insert into\b|update \w+ set\b|delete from\b|with \w+ as\b|(?:create|alter|drop) (?:table|index|function|role|database)\b|(?:begin|commit|rollback)(?:;|.$))/i

/** Surfaces parse, call and render; queries are in the folders that own the tables. */
export const surfacesSql: Rule = {
  name: 'SQL in surfaces',
  find: (files) =>
    files
      .filter(({ name }) => isBelow(name, 'src/surfaces') && !isTest(name))
      .flatMap(({ name, texts }) =>
        texts
          .filter(({ text }) => SQL.test(text))
          .map(({ text, line }) => `${name}:${line}: ${text.slice(0, 60).replaceAll(/\s+/g, ' ')}`),
      ),
}
