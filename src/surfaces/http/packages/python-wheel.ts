/** The wheel of the Python client, as https://packaging.python.org/specifications/binary-distribution-format/ describes it. */
import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSliced } from '../../../lib/background/sliced.ts'
import type { PackageFile } from './package-file.ts'
import { PACKAGE_VERSION } from '../html/code/install-lines.ts'
import { pythonTypes } from './types/client-types.ts'

const PACKAGE = join(import.meta.dirname, '../../../../packages/python')
const INFO = `tollgate_client-${PACKAGE_VERSION}.dist-info`

const WHEEL = `Wheel-Version: 1.0
Generator: tollgate
Root-Is-Purelib: true
Tag: py3-none-any
`

/** The modules, the types of all actions of this gateway, and what pip needs. */
export async function wheelFiles(): Promise<PackageFile[]> {
  const files: PackageFile[] = []
  for (const [path, types] of Object.entries(await createSliced(pythonTypes).inSlices()))
    files.push({ path, content: Buffer.from(types) })
  for await (const path of glob('tollgate_client/*.{py,typed}', { cwd: join(PACKAGE, 'src') }))
    files.push({ path, content: await readFile(join(PACKAGE, 'src', path)) })
  files.push(
    { path: `${INFO}/licenses/LICENSE`, content: await readFile(join(PACKAGE, 'LICENSE')) },
    { path: `${INFO}/METADATA`, content: Buffer.from(await metadata()) },
    { path: `${INFO}/WHEEL`, content: Buffer.from(WHEEL) },
  )
  return [...files, { path: `${INFO}/RECORD`, content: Buffer.from(recordOf(files)) }]
}

async function metadata(): Promise<string> {
  const project = await readFile(join(PACKAGE, 'pyproject.toml'), 'utf8')
  const field = (name: string): string =>
    new RegExp(`^${name} = "(.*)"$`, 'm').exec(project)?.[1] ?? ''
  return `Metadata-Version: 2.4
Name: ${field('name')}
Version: ${PACKAGE_VERSION}
Summary: ${field('description')}
License-Expression: Apache-2.0
License-File: LICENSE
Requires-Python: ${field('requires-python')}
Description-Content-Type: text/markdown

${await readFile(join(PACKAGE, 'README.md'), 'utf8')}`
}

function recordOf(files: readonly PackageFile[]): string {
  const lines = files.map(({ path, content }) => {
    const hash = createHash('sha256').update(content).digest('base64url')
    return `${path},sha256=${hash},${content.length}`
  })
  return `${[...lines, `${INFO}/RECORD,,`].join('\n')}\n`
}
