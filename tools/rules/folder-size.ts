import { dirname } from 'node:path'
import { isTest, type Rule } from './source.ts'

const MOST_FILES = 30

/** A folder has at most 30 source files directly in it. */
export const folderSize: Rule = {
  name: 'folder size',
  find: (files) => {
    const sources = files.filter(({ name }) => !isTest(name))
    const folders = Object.groupBy(sources, ({ name }) => dirname(name))
    return Object.entries(folders)
      .filter(([, group = []]) => group.length > MOST_FILES)
      .map(([folder, group = []]) => `${folder}: ${group.length} files, at most ${MOST_FILES}`)
  },
}
