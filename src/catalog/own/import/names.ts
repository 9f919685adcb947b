const LONGEST = 60

export type Names = {
  /** The name of an action: "getPetById" becomes "get_pet_by_id". A taken one gets a number. */
  claim(text: string): string
}

export function createNames(): Names {
  const taken = new Set<string>()
  return {
    claim(text) {
      const base = slug(text)
      let name = base
      for (let count = 2; taken.has(name); count += 1) {
        const suffix = `_${count}`
        name = `${base.slice(0, LONGEST - suffix.length).replace(/_+$/, '')}${suffix}`
      }
      taken.add(name)
      return name
    },
  }
}

function slug(text: string): string {
  const words = text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '_')
    .replaceAll(/^_+/g, '')
  const start = /^[a-z]/.test(words) ? words : `do_${words}`
  return start.slice(0, LONGEST).replaceAll(/_+$/g, '')
}
