import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findInFile, findInSubject } from './prose/find.ts'
import { IDIOMS } from './prose/idioms.ts'

const found = (file: string, source: string): readonly string[] =>
  findInFile(file, source).map(({ line, text }) => `${line}: ${text}`)

const inComment = (text: string): readonly string[] => found('src/a.ts', `// ${text}\n`)

/** At least one example for each idiom of the table. */
const EXAMPLES: readonly string[] = [
  'Whoever calls',
  'to whom it belongs',
  'nobody waits',
  'returned to who asks',
  'whatever it is',
  'the affair of',
  'It tells',
  'It hears',
  'It says so',
  'asked once',
  'knows of it',
  'for want of it',
  'without a word',
  'spoken back',
  'there is none',
  'none of them',
  'all but for one',
  'all save for the first',
  'nothing but text',
  'be it one',
  'a call as it stands',
  'ends at once',
  'read in turn',
  'a code of ours',
  "a key of the operator's",
  'not any more',
  'starts anew',
  'till the end',
  'made of bytes',
  'what came of it',
  'passed over',
  'goes on',
  'goes by the clock',
  'gives back',
  'brings nothing',
  'takes nothing',
  'left alone',
  'look among',
  'lies ready',
  'stands beside',
  'beside it',
  'how far it is',
  'how a job stands',
  'is it well',
  'reckons with',
  'shall stay',
  'ought to stay',
  'for its sake',
  'lest it fail',
  'amongst others',
  'longer each time',
  'a way out',
  'the way back',
  'a rung',
  'its patience',
  'no room',
  'a parcel',
  'under way',
  'a double',
  'a film',
  'a picture',
  '200 letters',
  'two mails',
  'makes an account',
  'the key is made',
  'is kept',
  'starts over',
  'What is read.',
  'of what is read',
  'it is asked',
  'they say so',
  'counts no more.',
  'opens the door',
  'in vain',
  'and besides',
  'climbs higher',
  'a page. Who comes later',
]

describe('an idiom', () => {
  it('is found for each row of the table', () => {
    const examples = EXAMPLES.map((text) => findInFile('src/a.ts', `// ${text}\n`))
    const advice = new Set(examples.flat().map(({ better }) => better))
    const isForComments = IDIOMS.filter(({ places }) => places?.includes('comment') ?? true)
    assert.deepEqual(
      EXAMPLES.filter((_, index) => examples[index]?.length === 0),
      [],
    )
    assert.deepEqual(
      isForComments.filter(({ better }) => !advice.has(better)),
      [],
    )
  })

  it('is found in each kind of comment, on its own line', () => {
    const source = '/** A key.\n * Returned at\n * once. */\nconst a = 1 // nobody\n/* nobody */\n'
    assert.deepEqual(found('src/a.ts', source), ['2: at once', '4: nobody', '5: nobody'])
  })

  it('is found in strings, templates and the placeholders of templates', () => {
    const source = "f('Ends at once')\nf(`Ends ${g(`Ends at once`)} at\n once`, { a: {} })\n"
    assert.deepEqual(found('src/a.ts', source), ['1: at once', '2: at once', '2: at once'])
  })

  it('is found in text and shown attributes of HTML, not in its tags', () => {
    assert.deepEqual(found('src/a.ts', 'html`<p class="film room">Ends <b>at once</b></p>`'), [
      '1: at once',
    ])
    assert.deepEqual(found('src/a.ts', 'html`<input name="room" title="No room">`'), ['1: room'])
  })

  it('is found in test names, and in no other string of a test', () => {
    const source = "test('ends at once', () => f('Ends at once'))\nit.skip(`ends at once`, f)\n"
    assert.deepEqual(found('src/a.test.ts', source), ['1: at once', '2: at once'])
    assert.deepEqual(found('src/a.test.ts', "t.test('ends at once', f)"), ['1: at once'])
    assert.deepEqual(found('src/a.test.ts', "/b/.test('ends at once')"), [])
  })

  it('is found in names of rows of a test', () => {
    const source =
      "const ROWS = [['ends at once here', 'Ends at once']]\nf({ 'left at once too': 1 })\n"
    assert.deepEqual(found('src/a.test.ts', source), ['1: at once', '2: at once'])
  })

  it('is found in the first word of a test name and of a sentence, not of a question', () => {
    assert.deepEqual(found('src/a.test.ts', "test('what names nothing', f)"), ['1: what'])
    assert.deepEqual(found('docs/a.md', 'It ends. What it cost stays.'), ['1: What it cost'])
    assert.deepEqual(found('docs/a.md', 'It ends. What does it cost?'), [])
    assert.deepEqual(found('docs/a.md', '| What | Where |'), [])
  })

  it('is found in paragraphs, lists, tables and headings of documents', () => {
    const source =
      '# Is it well?\n\nEnds at\nonce.\n\n- nobody\n\n| a | b |\n|---|---|\n| c | nobody |\n'
    assert.deepEqual(found('docs/a.md', source), [
      '1: Is it well',
      '1: Is',
      '1: ?',
      '3: at once',
      '6: nobody',
      '10: nobody',
    ])
  })

  it('is found in comments of SQL, CSS, shell and YAML', () => {
    assert.deepEqual(found('src/a.sql', 'select 1; \n-- at\n-- once\n'), ['2: at once'])
    assert.deepEqual(found('src/a.css', 'a {}\n/* at once */\n'), ['2: at once'])
    assert.deepEqual(found('ci/a.sh', '#!/bin/sh nobody\n# nobody\n'), ['2: nobody'])
    assert.deepEqual(found('ci/a.yml', '# nobody\n'), ['1: nobody'])
  })

  it('is found in commit subjects', () => {
    const findings = findInSubject('abc1234', 'Tell callers')
    assert.deepEqual(
      findings.map(({ file, text }) => [file, text]),
      [['abc1234', 'Tell']],
    )
  })
})

describe('no idiom is found', () => {
  it('in names and code', () => {
    assert.deepEqual(found('src/a.ts', 'const room = film(none.of.them, at / once, nobody)\n'), [])
    assert.deepEqual(found('src/a.ts', "import { tell } from './way in/nobody here.ts'\n"), [])
  })

  it('in a regular expression, and after one that has quotes', () => {
    assert.deepEqual(found('src/a.ts', "const a = /'nobody here`/g\nconst b = 1 / 2 // fine\n"), [])
    assert.deepEqual(found('src/a.ts', "f(/[/'\"]/, a / b, 'x'.length / 2) // nobody\n"), [
      '1: nobody',
    ])
  })

  it('in ids, paths, SQL and scripts', () => {
    assert.deepEqual(found('src/a.ts', "f('till', 'room-kept', 'a/parcel')\n"), [])
    assert.deepEqual(found('src/a.ts', "sql('select kept as room from films')\n"), [])
    assert.deepEqual(found('src/a.ts', "run('const room = () => nobody here')\n"), [])
  })

  it('in code blocks, inline code, addresses and targets of links', () => {
    const source =
      '```ts\n// nobody\n```\n\nUse `at once`, [it](docs/at-once-nobody.md) or https://a.example/nobody\n'
    assert.deepEqual(found('docs/a.md', source), [])
    assert.deepEqual(inComment('See `nobody` and https://a.example/nobody.'), [])
  })

  it('in a linter directive or a shebang', () => {
    assert.deepEqual(inComment('oxlint-disable-next-line nobody'), [])
  })
})

describe('a limit', () => {
  const words = (count: number): string => 'word '.repeat(count).trim()

  it('rejects a sentence above 35 words, in comments, messages and documents', () => {
    const [good, long] = [`${words(35)}. ${words(35)}.`, `${words(36)}.`]
    assert.deepEqual([found('a.md', good), found('a.ts', `f('${good}')`)], [[], []])
    assert.deepEqual([found('a.md', long).length, found('a.ts', `f('${long}')`).length], [1, 1])
    assert.deepEqual([inComment(good), inComment(long).length], [[], 1])
  })

  it('counts cells of a table and items of a list apart', () => {
    assert.deepEqual(found('a.md', `| ${words(20)} | ${words(20)} |\n`), [])
    assert.deepEqual(found('a.md', `- ${words(20)}\n- ${words(20)}\n`), [])
  })

  it('rejects a comment above 75 words', () => {
    const sentence = `${words(25)}. `
    assert.deepEqual(inComment(sentence.repeat(3)), [])
    assert.equal(inComment(sentence.repeat(4)).length, 1)
  })

  it('rejects a test name above 90 characters', () => {
    assert.deepEqual(found('a.test.ts', `test('${'a'.repeat(90)}', f)`), [])
    assert.equal(found('a.test.ts', `test('${'a'.repeat(91)}', f)`).length, 1)
  })

  it('rejects a commit subject that is long, ends with a full stop or is not imperative', () => {
    const count = (subject: string): number => findInSubject('abc1234', subject).length
    assert.equal(count('Pass the address of a process'), 0)
    assert.equal(count(`Add ${'a'.repeat(69)}`), 1)
    const bad = ['Adds a field', 'Added a field', 'Adding a field', 'add a field', 'Add a field.']
    assert.deepEqual(bad.map(count), [1, 1, 1, 1, 1])
  })
})
