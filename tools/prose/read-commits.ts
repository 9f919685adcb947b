import { spawnSync } from 'node:child_process'

export interface Commit {
  readonly commit: string
  readonly subject: string
}

/**
 * The commits after the one that added `file`. In a shallow clone the oldest commit seems to add all
 * files, so the commits after it are read; without git, or before the commit, the list is empty.
 */
export function subjectsSince(root: string, file: string): readonly Commit[] {
  const base = git(root, ['log', '--diff-filter=A', '--format=%H', '--', file]).at(-1)
  if (base === undefined) return []
  return git(root, ['log', '--no-merges', '--format=%h %s', `${base}..HEAD`]).map((line) => {
    const [commit = '', ...words] = line.split(' ')
    return { commit, subject: words.join(' ') }
  })
}

function git(root: string, args: readonly string[]): readonly string[] {
  const result = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return result.status === 0 ? result.stdout.split('\n').filter((line) => line !== '') : []
}
