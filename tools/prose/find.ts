/** Reads a file, or a commit subject, and reports what its prose breaks. */
import { basename, extname } from 'node:path'
import { EXEMPT } from './exempt.ts'
import { IDIOMS, type Idiom } from './idioms.ts'
import { limitRemarks, type Remark } from './limits.ts'
import type { Passage } from './passage.ts'
import { readCss, readHashComments, readMarkdown, readSql } from './read-documents.ts'
import { readTypeScript } from './read-typescript.ts'

export interface Finding {
  readonly file: string
  readonly line: number
  readonly text: string
  readonly better: string
}

type Reader = (source: string) => readonly Passage[]

const READERS: Readonly<Record<string, Reader>> = {
  '.ts': (source) => readTypeScript(source),
  '.test.ts': (source) => readTypeScript(source, true),
  '.js': (source) => readTypeScript(source),
  '.mjs': (source) => readTypeScript(source),
  '.md': readMarkdown,
  '.sql': readSql,
  '.css': readCss,
  '.sh': readHashComments,
  '.py': readHashComments,
  '.yml': readHashComments,
}

/** A blank of the pattern matches a line break, too. */
function anywhere({ pattern, matchesCase }: Idiom): RegExp {
  const flags = matchesCase === true ? 'g' : 'gi'
  return new RegExp(pattern.source.replaceAll(' ', String.raw`\s+`), flags)
}

const SEARCHES = IDIOMS.map((idiom) => ({ ...idiom, pattern: anywhere(idiom) }))

/** Null for a file whose prose is not checked. */
export function readerOf(file: string): Reader | null {
  if (basename(file) === 'Dockerfile' || basename(file) === 'tollgate') return readHashComments
  return READERS[file.endsWith('.test.ts') ? '.test.ts' : extname(file)] ?? null
}

export function findInFile(file: string, source: string): readonly Finding[] {
  const passages = readerOf(file)?.(source) ?? []
  return passages
    .flatMap((passage) =>
      remarksOn(passage)
        .filter(({ text }) => !isExempt(file, passage.place, text))
        .map(({ offset, text, better }) => ({
          file,
          line: lineAt(source, passage.start + offset),
          text,
          better,
        })),
    )
    .toSorted((one, other) => one.line - other.line)
}

export function findInSubject(commit: string, subject: string): readonly Finding[] {
  const passage: Passage = { place: 'subject', start: 0, text: subject }
  return remarksOn(passage)
    .filter(({ text }) => !isExempt(commit, 'subject', text))
    .map(({ text, better }) => ({ file: commit, line: 1, text, better }))
}

function remarksOn(passage: Passage): readonly Remark[] {
  const found = SEARCHES.filter(({ places }) => places?.includes(passage.place) ?? true).flatMap(
    ({ pattern, better }) =>
      [...passage.text.matchAll(pattern)].map(({ 0: text, index }) => {
        const lead = text.length - text.trimStart().length
        return { offset: index + lead, text: text.trim().replaceAll(/\s+/g, ' '), better }
      }),
  )
  return [...found, ...limitRemarks(passage)]
}

function isExempt(file: string, place: Passage['place'], found: string): boolean {
  return EXEMPT.some(
    ({ files, places, words }) =>
      files.test(file) && (places?.includes(place) ?? true) && (words?.test(found) ?? true),
  )
}

function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length
}
