/** From Wikidata's documentation of wbsearchentities, entity data and the query service. */
import {
  address,
  answer,
  count,
  flag,
  items,
  mapOf,
  maybe,
  oneOf,
  open,
  record,
  records,
  text,
  time,
  words,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

const inLanguages = (description: string) =>
  maybe(
    mapOf(
      description,
      record('A text.', {
        language: maybe(text('The language of the text.')),
        value: maybe(text('The text.')),
      }),
    ),
  )

export const returns: Returns = {
  search: answer({
    search: maybe(
      records('The items, best match first.', {
        id: text('The id of the item, for entitygraph/entity.'),
        title: maybe(text('The title of the page of the item.')),
        pageid: maybe(count('The number of that page.')),
        label: maybe(text('The name of the item.')),
        description: maybe(text('One line that distinguishes items with equal names.')),
        concepturi: maybe(address('The URI of the item in SPARQL.')),
        url: maybe(address('The page of the item.')),
        repository: maybe(text('The site of the item.')),
        display: maybe(open('Name and description with their languages.')),
        match: maybe(
          record('The text that matched.', {
            type: maybe(oneOf('The part of the item.', ['label', 'alias', 'entityId'])),
            language: maybe(text('The language of the text.')),
            text: maybe(text('The text.')),
          }),
        ),
        aliases: maybe(words('Other names of the item.')),
      }),
    ),
    searchinfo: maybe(open('The search as the source understood it.')),
    'search-continue': maybe(count('The position after these items.')),
    success: maybe(count('1 for a successful search.')),
  }),
  entity: answer({
    entities: mapOf(
      'The item by its id. A merged item has another id than the call.',
      record('An item or a property.', {
        id: text('The id of the item.'),
        type: maybe(oneOf('The kind of entity.', ['item', 'property', 'lexeme'])),
        pageid: maybe(count('The number of the page of the item.')),
        title: maybe(text('The title of that page.')),
        modified: maybe(time('When the item was last changed.')),
        lastrevid: maybe(count('The id of the latest revision.')),
        datatype: maybe(text('The kind of values of a property.')),
        labels: inLanguages('The names by language.'),
        descriptions: inLanguages('The descriptions by language.'),
        aliases: maybe(open('The other names by language, as lists.')),
        claims: maybe(open('The statements by property, such as "P31", as lists.')),
        sitelinks: maybe(open('The articles about the item by wiki, such as "enwiki".')),
      }),
    ),
  }),
  sparql: answer({
    head: maybe(
      record('The form of the rows.', {
        vars: maybe(words('The variables of the query.')),
        link: maybe(words('Documents about the result.')),
      }),
    ),
    results: maybe(
      record('The rows of a SELECT query.', {
        bindings: maybe(
          items(
            'The rows.',
            mapOf(
              'The values by variable. A variable without a value is absent.',
              record('A value.', {
                type: maybe(oneOf('The kind of value.', ['uri', 'literal', 'bnode'])),
                value: maybe(text('The value as text.')),
                datatype: maybe(address('The type of a literal.')),
                'xml:lang': maybe(text('The language of a literal.')),
              }),
            ),
          ),
        ),
      }),
    ),
    boolean: maybe(flag('The answer to an ASK query.')),
  }),
}
