export const SERVICES: Readonly<Record<'start' | 'serve' | 'work', string>>
export function bundleOf(service: keyof typeof SERVICES): Promise<string | null>
