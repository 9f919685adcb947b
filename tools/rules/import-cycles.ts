import type { Rule, SourceFile } from './source.ts'

/** No file imports itself through others; imports of types and dynamic imports count. */
export const importCycles: Rule = {
  name: 'import cycles',
  find: (files) =>
    componentsOf(graphOf(files)).map((component) => {
      const cycle = shortestCycle(graphOf(files), component)
      const others = component.length - cycle.length
      const path = `${cycle.join(' → ')} → ${cycle[0]}`
      return others === 0 ? path : `${path}, and ${others} more files that import each other`
    }),
}

type Graph = ReadonlyMap<string, readonly string[]>

function graphOf(files: readonly SourceFile[]): Graph {
  const names = new Set(files.map(({ name }) => name))
  return new Map(
    files.map(({ name, imports }) => {
      const targets = new Set(imports.map(({ target }) => target))
      return [name, [...targets].filter((target) => names.has(target))]
    }),
  )
}

/** Tarjan's strongly connected components that contain a cycle. */
function componentsOf(graph: Graph): readonly (readonly string[])[] {
  const components: string[][] = []
  const [index, low] = [new Map<string, number>(), new Map<string, number>()]
  const stack: string[] = []
  const visit = (name: string): void => {
    index.set(name, index.size)
    low.set(name, index.get(name)!)
    stack.push(name)
    for (const next of graph.get(name) ?? []) {
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) low.set(name, Math.min(low.get(name)!, low.get(next)!))
    }
    if (low.get(name) !== index.get(name)) return
    const component = stack.splice(stack.indexOf(name))
    const importsItself = graph.get(name)?.includes(name) ?? false
    if (component.length > 1 || importsItself) components.push(component)
  }
  for (const name of graph.keys()) if (!index.has(name)) visit(name)
  return components
}

function shortestCycle(graph: Graph, component: readonly string[]): readonly string[] {
  const members = new Set(component)
  const cycles = component.map((start) => {
    const paths: string[][] = [[start]]
    const seen = new Set<string>()
    for (const path of paths) {
      for (const next of graph.get(path.at(-1)!) ?? []) {
        if (next === start) return path
        if (!members.has(next) || seen.has(next)) continue
        seen.add(next)
        paths.push([...path, next])
      }
    }
    return component
  })
  return cycles.toSorted((one, other) => one.length - other.length)[0] ?? component
}
